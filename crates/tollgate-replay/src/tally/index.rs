//! Finds the number of a key by its hash.

use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::{BuildHasher, Hasher, RandomState};

/// The hash of a key's text. Two keys that agree in it are taken for one: it has 96 bits, under a
/// secret of this process, so that nobody can bring that about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyHash {
    pub(crate) high: u64,
    pub(crate) tag: u32,
}

/// Hashes keys under a secret of this process.
#[derive(Clone)]
pub(crate) struct KeyHasher(SipHasher13);

impl KeyHasher {
    pub(crate) fn random() -> Self {
        let random = RandomState::new();
        Self(SipHasher13::new_with_keys(
            random.hash_one(0_u8),
            random.hash_one(1_u8),
        ))
    }

    pub(crate) fn hash(&self, key: &str) -> KeyHash {
        let mut hasher = self.0;
        hasher.write(key.as_bytes());
        let hash = hasher.finish128();
        let [a, b, c, d, ..] = hash.h2.to_le_bytes();
        KeyHash {
            high: hash.h1,
            tag: u32::from_le_bytes([a, b, c, d]),
        }
    }
}

/// Numbers by hash: linear probing over words that hold the tag of a hash, by which they also know
/// their home, and a number plus one.
#[derive(Debug)]
pub(crate) struct Index {
    slots: Vec<u64>,
    used: usize,
}

const SMALLEST: usize = 64;

impl Default for Index {
    fn default() -> Self {
        Self {
            slots: vec![0; SMALLEST],
            used: 0,
        }
    }
}

impl Index {
    /// The number of a key. `is` tells whether the key of a number has the rest of the hash.
    #[inline]
    pub(crate) fn find(&self, hash: KeyHash, is: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.home(hash.tag);
        loop {
            let slot = *self.slots.get(at)?;
            if slot == 0 {
                return None;
            }
            let (tag, number) = unpack(slot);
            if tag == hash.tag && is(number) {
                return Some(number);
            }
            at = self.after(at);
        }
    }

    /// What stands where a search for a hash begins. Reading it for several hashes before searching for
    /// any lets the processor fetch them side by side.
    #[inline]
    pub(crate) fn touch(&self, hash: KeyHash) -> u64 {
        self.slots.get(self.home(hash.tag)).copied().unwrap_or(0)
    }

    /// Adds a number that is not there.
    pub(crate) fn insert(&mut self, hash: KeyHash, number: u32) {
        // Three of four at most, so that searches end soon.
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        self.put(u64::from(hash.tag) << 32 | (u64::from(number) + 1));
        self.used += 1;
    }

    /// Removes a number, and moves those up that stand behind it for want of room.
    pub(crate) fn remove(&mut self, hash: KeyHash, number: u32) {
        let wanted = u64::from(hash.tag) << 32 | (u64::from(number) + 1);
        let mut hole = self.home(hash.tag);
        loop {
            match self.slots.get(hole) {
                Some(slot) if *slot == wanted => break,
                Some(0) | None => return,
                Some(_) => hole = self.after(hole),
            }
        }
        self.used -= 1;
        let mut at = hole;
        loop {
            at = self.after(at);
            let slot = self.slots.get(at).copied().unwrap_or(0);
            if slot == 0 {
                break;
            }
            let home = self.home(unpack(slot).0);
            // It may stand in the hole if its home is not between the hole and itself.
            let len = self.slots.len();
            let from_home = (at + len - home) % len;
            let from_hole = (at + len - hole) % len;
            if from_home >= from_hole {
                self.set(hole, slot);
                hole = at;
            }
        }
        self.set(hole, 0);
    }

    fn put(&mut self, slot: u64) {
        let mut at = self.home(unpack(slot).0);
        while self.slots.get(at).is_some_and(|slot| *slot != 0) {
            at = self.after(at);
        }
        self.set(at, slot);
    }

    #[cold]
    fn grow(&mut self) {
        let doubled = vec![0; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, doubled);
        for slot in old.into_iter().filter(|slot| *slot != 0) {
            self.put(slot);
        }
    }

    fn set(&mut self, at: usize, value: u64) {
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = value;
        }
    }

    /// The place of a tag among as many as there are slots.
    #[inline]
    fn home(&self, tag: u32) -> usize {
        // At most 2^33 slots, so that the product fits; the result is less than the length.
        let len = u64::try_from(self.slots.len()).unwrap_or(u64::MAX);
        usize::try_from((u64::from(tag) * len) >> 32).unwrap_or(0)
    }

    #[inline]
    fn after(&self, at: usize) -> usize {
        if at + 1 < self.slots.len() { at + 1 } else { 0 }
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the two halves")]
const fn unpack(slot: u64) -> (u32, u32) {
    ((slot >> 32) as u32, (slot as u32).wrapping_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: u32) -> KeyHash {
        // Few tags, at the end of the table too, so that many keys are pushed away from home.
        KeyHash {
            high: u64::from(number),
            tag: (number % 7).wrapping_mul(0x2fff_ffff) | 0xff00_0000,
        }
    }

    #[test]
    fn finds_what_is_there_and_nothing_else_however_crowded() {
        let mut index = Index::default();
        let mut there = std::collections::BTreeSet::new();
        for step in 0..2_000_u32 {
            let number = step.wrapping_mul(7919) % 500;
            if there.insert(number) {
                index.insert(hash(number), number);
            } else {
                there.remove(&number);
                index.remove(hash(number), number);
            }
            if step % 97 == 0 {
                for number in 0..500 {
                    let found = index.find(hash(number), |known| known == number);
                    assert_eq!(found.is_some(), there.contains(&number), "{number}");
                }
            }
        }
    }

    #[test]
    fn keys_are_told_apart() {
        let hasher = KeyHasher::random();
        assert_eq!(hasher.hash("a"), hasher.hash("a"));
        assert_ne!(hasher.hash("a"), hasher.hash("b"));
        assert_ne!(hasher.hash("a"), KeyHasher::random().hash("a"));
    }
}
