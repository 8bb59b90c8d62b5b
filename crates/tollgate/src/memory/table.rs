//! A hash table of counts, kept in the order of their identities.
//!
//! Linear probing where every entry stands at or after its home slot, and entries stand in the
//! order of their identities ("ordered" or Robin Hood probing). A search ends at the first greater
//! identity, whether it finds anything or not; and since a home slot is the identity scaled to the
//! table's length, growing is one sequential copy.
//!
//! An entry is 32 bytes and the table is between 82 % and 88 % full once it has grown, so that a
//! count takes 37 to 39 bytes and is found within two or three neighbouring cache lines.

use super::identity::{Identity, KEPT_BITS, KEPT_MASK};

/// A count: which, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Entry {
    /// The greatest number in an empty slot, so that a search ends there too.
    high: u64,
    /// The lower 48 bits of [`Identity::low`]; above them the number of the limit, counted from 1,
    /// in 15 bits; and whether the last charge was denied. 0 in an empty slot.
    low_and_limit: u64,
    /// The packed state, or the number of the log.
    state: [u64; 2],
}

impl Entry {
    const EMPTY: Self = Self {
        high: u64::MAX,
        low_and_limit: 0,
        state: [0; 2],
    };

    pub(super) fn new(identity: Identity, limit: u16, state: u128) -> Self {
        let mut entry = Self {
            high: identity.high,
            low_and_limit: identity.low & KEPT_MASK,
            state: [0; 2],
        };
        entry.set_limit(limit);
        entry.set_state(state);
        entry
    }

    /// The number of the limit by which the count was last charged.
    pub(super) const fn limit(&self) -> u16 {
        ((self.low_and_limit & !DENIED) >> KEPT_BITS) as u16 - 1
    }

    pub(super) fn set_limit(&mut self, limit: u16) {
        self.low_and_limit =
            (self.low_and_limit & (KEPT_MASK | DENIED)) | ((u64::from(limit) + 1) << KEPT_BITS);
    }

    /// True if the last charge of this count, of whatever cost, was denied.
    pub(super) const fn is_denied(&self) -> bool {
        self.low_and_limit & DENIED != 0
    }

    #[inline]
    pub(super) const fn set_denied(&mut self, denied: bool) {
        if denied {
            self.low_and_limit |= DENIED;
        } else {
            self.low_and_limit &= !DENIED;
        }
    }

    pub(super) const fn state(&self) -> u128 {
        self.state[0] as u128 | (self.state[1] as u128) << 64
    }

    #[expect(clippy::cast_possible_truncation, reason = "the two halves")]
    pub(super) const fn set_state(&mut self, state: u128) {
        self.state = [state as u64, (state >> 64) as u64];
    }

    const fn is_empty(&self) -> bool {
        self.low_and_limit == 0
    }

    const fn is(&self, identity: Identity) -> bool {
        self.high == identity.high && (self.low_and_limit ^ identity.low) & KEPT_MASK == 0
    }
}

/// The number of the limits that entries can refer to.
pub(super) const MAX_LIMITS: usize = (1 << 15) - 1;

/// The bit that says that the last charge was denied.
const DENIED: u64 = 1 << 63;

/// Slots beyond the last home, so that a search never has to wrap. With identities that are hashes
/// these are more than enough; should they ever be too few, a table gets more.
const FIRST_TAIL: usize = 16;
/// The length at which a table begins.
const FIRST_HOMES: usize = 16;

/// The entries of one shard.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Box<[Entry]>,
    homes: usize,
    tail: usize,
    used: usize,
}

/// Where an entry stands, until the table changes.
pub(super) type Slot = usize;

impl Table {
    /// The number of entries.
    pub(super) const fn len(&self) -> usize {
        self.used
    }

    /// The number of slots, for going over all of them.
    pub(super) const fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The entry in a slot, if there is one.
    pub(super) fn get(&self, slot: Slot) -> Option<&Entry> {
        self.slots.get(slot).filter(|entry| !entry.is_empty())
    }

    /// The entry in a slot, if there is one.
    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut Entry> {
        self.slots.get_mut(slot).filter(|entry| !entry.is_empty())
    }

    /// Finds an entry.
    pub(super) fn find(&self, identity: Identity) -> Option<Slot> {
        let home = home(identity.high, self.homes);
        let slots = self.slots.get(home..)?;
        for (distance, entry) in slots.iter().enumerate() {
            if entry.high < identity.high {
                continue;
            }
            if entry.is(identity) && !entry.is_empty() {
                return Some(home + distance);
            }
            if entry.high > identity.high || entry.is_empty() {
                return None;
            }
        }
        None
    }

    /// Adds an entry whose identity is not there yet. Slots told before are void.
    pub(super) fn insert(&mut self, entry: Entry) -> Slot {
        // Seven of eight homes, then a sixteenth more of them.
        if self.used * 8 >= self.homes * 7 {
            self.grow();
        }
        loop {
            if let Some(slot) = self.place(entry) {
                self.used += 1;
                return slot;
            }
            self.rebuild(self.homes, self.tail * 2);
        }
    }

    /// Removes an entry. Slots told before are void.
    pub(super) fn remove(&mut self, slot: Slot) {
        let mut hole = slot;
        loop {
            let next = hole + 1;
            match self.slots.get(next) {
                Some(entry) if !entry.is_empty() && home(entry.high, self.homes) < next => {
                    let entry = *entry;
                    if let Some(empty) = self.slots.get_mut(hole) {
                        *empty = entry;
                    }
                    hole = next;
                }
                _ => break,
            }
        }
        if let Some(empty) = self.slots.get_mut(hole) {
            *empty = Entry::EMPTY;
        }
        self.used -= 1;
    }

    /// Puts an entry in its place, moving greater ones on; `None` if there is no room for that.
    fn place(&mut self, entry: Entry) -> Option<Slot> {
        let home = home(entry.high, self.homes);
        let slots = self.slots.get_mut(home..)?;
        let place = slots
            .iter()
            .position(|other| other.is_empty() || other.high > entry.high)?;
        let slots = slots.get_mut(place..)?;
        let room = slots.iter().position(Entry::is_empty)?;
        slots.get_mut(..=room)?.rotate_right(1);
        *slots.first_mut()? = entry;
        Some(home + place)
    }

    fn grow(&mut self) {
        let homes = (self.homes + self.homes / 16).max(FIRST_HOMES);
        self.rebuild(homes, self.tail.max(FIRST_TAIL));
    }

    /// Copies all entries, in their order, into a table of so many homes and at least so long a
    /// tail.
    fn rebuild(&mut self, homes: usize, tail: usize) {
        let mut tail = tail;
        while !self.try_rebuild(homes, tail) {
            tail *= 2;
        }
    }

    fn try_rebuild(&mut self, homes: usize, tail: usize) -> bool {
        let mut slots = vec![Entry::EMPTY; homes + tail].into_boxed_slice();
        let mut next = 0;
        for entry in self.slots.iter().filter(|entry| !entry.is_empty()) {
            let place = home(entry.high, homes).max(next);
            let Some(slot) = slots.get_mut(place) else {
                return false;
            };
            *slot = *entry;
            next = place + 1;
        }
        self.slots = slots;
        self.homes = homes;
        self.tail = tail;
        true
    }
}

/// The slot at which a search begins: the identity scaled to the number of homes, which keeps the
/// order of identities.
#[expect(clippy::cast_possible_truncation, reason = "less than `homes`")]
const fn home(high: u64, homes: usize) -> usize {
    ((high as u128 * homes as u128) >> 64) as usize
}

#[cfg(test)]
mod tests;
