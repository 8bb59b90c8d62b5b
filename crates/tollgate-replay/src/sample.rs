//! As many keys as there is room for.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

/// What is known of keys, of which so many are kept as there is room for: all of them, or those
/// whose hash lies below a bound that sinks when there are more. What is known of a key that is kept
/// is known from its first request on, and which keys are kept has nothing to do with what they do.
#[derive(Debug)]
pub(crate) struct Sample<T> {
    entries: HashMap<u64, T>,
    bound: u64,
    room: usize,
}

impl<T> Sample<T> {
    /// Room for so many keys, and for one at least.
    pub(crate) fn with_room(room: usize) -> Self {
        Self {
            entries: HashMap::new(),
            bound: u64::MAX,
            room: room.max(1),
        }
    }

    /// What is known of the key with this hash, made if it is new; `None` if it is not kept.
    pub(crate) fn entry(&mut self, hash: u64, new: impl FnOnce() -> T) -> Option<&mut T> {
        while hash <= self.bound
            && self.entries.len() >= self.room
            && !self.entries.contains_key(&hash)
        {
            self.halve();
        }
        (hash <= self.bound).then(|| self.entries.entry(hash).or_insert_with(new))
    }

    /// What is known of the key with this hash.
    pub(crate) fn get_mut(&mut self, hash: u64) -> Option<&mut T> {
        self.entries.get_mut(&hash)
    }

    /// True if the key is kept.
    pub(crate) fn holds(&self, hash: u64) -> bool {
        self.entries.contains_key(&hash)
    }

    /// Keeps half of the keys.
    pub(crate) fn halve(&mut self) {
        self.bound /= 2;
        let bound = self.bound;
        self.entries.retain(|hash, _| *hash <= bound);
    }

    /// The keys that are kept.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The share of all keys that is kept: 1, a half, a quarter and so on.
    pub(crate) fn share(&self) -> f64 {
        0.5_f64.powi(i32::try_from(self.bound.leading_zeros()).unwrap_or(i32::MAX))
    }

    /// What is known of each key.
    pub(crate) fn values(&self) -> impl Iterator<Item = &T> {
        self.entries.values()
    }

    /// The same keys with something else that is made of what is known of them.
    pub(crate) fn map_ref<U>(&self, mut each: impl FnMut(&T) -> U) -> Sample<U> {
        let entries = self.entries.iter();
        Sample {
            entries: entries.map(|(hash, known)| (*hash, each(known))).collect(),
            bound: self.bound,
            room: self.room,
        }
    }

    /// The same keys with something else known of them.
    pub(crate) fn map<U>(self, mut each: impl FnMut(T) -> U) -> Sample<U> {
        let entries = self.entries.into_iter();
        Sample {
            entries: entries.map(|(hash, known)| (hash, each(known))).collect(),
            bound: self.bound,
            room: self.room,
        }
    }
}

/// The hash by which keys are kept: the same in every run, so that the same log gives the same
/// numbers.
pub(crate) fn hash_of(key: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(key.as_bytes());
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_everything_while_there_is_room() {
        let mut sample = Sample::with_room(100);
        for key in 0..100 {
            assert!(sample.entry(hash_of(&format!("{key}")), || 0).is_some());
        }
        assert_eq!(sample.len(), 100);
        assert!((sample.share() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_kept_is_a_known_share_of_all_and_known_from_the_first_request_on() {
        let mut sample = Sample::with_room(1_000);
        for round in 1..=3 {
            for key in 0..10_000 {
                if let Some(count) = sample.entry(hash_of(&format!("key {key}")), || 0) {
                    *count += 1;
                }
            }
            assert!(sample.values().all(|count| *count == round));
        }
        assert!(sample.len() <= 1_000);
        let estimate = f64::from(u32::try_from(sample.len()).unwrap()) / sample.share();
        assert!((8_000.0..12_000.0).contains(&estimate), "{estimate}");
    }
}
