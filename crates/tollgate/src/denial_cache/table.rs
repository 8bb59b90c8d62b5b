//! Where entries stand: sets of a few, each behind a lock.

use tollgate_core::Timestamp;

use super::entry::Entry;
use crate::memory::identity::Identity;
use crate::sync::{Mutex, MutexGuard};

/// Entries in a set, at most. A full set drops the one whose end is soonest: of so many, that is
/// close to the soonest of all.
const WAYS: usize = 16;

/// A number of entries that is never exceeded.
pub(super) struct Table {
    sets: Box<[Mutex<Set>]>,
    ways: usize,
}

#[derive(Debug, Default)]
struct Set {
    /// Goes up whenever anything may have changed for a count that belongs here, so that an answer
    /// which was on its way meanwhile is not entered.
    generation: u64,
    /// The upper halves of the entries' identities, side by side, so that a search reads little.
    tags: [u64; WAYS],
    entries: Vec<Entry>,
}

impl Table {
    pub(super) fn new(max_entries: usize) -> Self {
        Self {
            sets: (0..(max_entries / WAYS).max(1))
                .map(|_| Mutex::default())
                .collect(),
            ways: max_entries.clamp(1, WAYS),
        }
    }

    #[inline]
    pub(super) fn get(&self, identity: Identity) -> Option<Entry> {
        let set = self.set(identity);
        set.entries.get(set.position(identity)?).copied()
    }

    pub(super) fn generation(&self, identity: Identity) -> u64 {
        self.set(identity).generation
    }

    /// Enters what was asked for when the set was of `generation`, unless it no longer is.
    pub(super) fn enter(&self, entry: Entry, generation: u64) {
        let mut set = self.set(entry.identity);
        if set.generation == generation {
            set.put(entry, self.ways);
        }
    }

    /// Forgets what was told of a count at a later instant than `at`, to which the store's clock
    /// has stepped back.
    pub(super) fn forget_later(&self, identity: Identity, at: Timestamp) {
        let mut set = self.set(identity);
        if let Some(position) = set.position(identity)
            && set.entries.get(position).is_some_and(|entry| entry.at > at)
        {
            set.remove(position);
        }
    }

    /// Forgets a count, and refuses what is on its way of it.
    pub(super) fn forget(&self, identity: Identity) {
        let mut set = self.set(identity);
        set.generation = set.generation.wrapping_add(1);
        if let Some(position) = set.position(identity) {
            set.remove(position);
        }
    }

    /// The same for all counts.
    pub(super) fn clear(&self) {
        for set in &self.sets {
            let mut set = set.lock();
            set.generation = set.generation.wrapping_add(1);
            set.entries.clear();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.sets.iter().map(|set| set.lock().entries.len()).sum()
    }

    #[inline]
    #[expect(
        clippy::expect_used,
        reason = "64 bits times a number, without the lower 64 bits, is below that number"
    )]
    fn set(&self, identity: Identity) -> MutexGuard<'_, Set> {
        let count = u128::try_from(self.sets.len()).unwrap_or(u128::MAX);
        let index = (u128::from(identity.low) * count) >> u64::BITS;
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        self.sets.get(index).expect("the index of a set").lock()
    }
}

impl Set {
    #[inline]
    fn position(&self, identity: Identity) -> Option<usize> {
        let tags = self.tags.iter().zip(&self.entries);
        tags.enumerate()
            .find(|(_, (tag, entry))| **tag == identity.high && entry.identity == identity)
            .map(|(position, _)| position)
    }

    fn put(&mut self, entry: Entry, ways: usize) {
        let known = self.position(entry.identity);
        let position = known.or_else(|| (self.entries.len() < ways).then_some(self.entries.len()));
        let Some(position) = position.or_else(|| self.sooner_than(entry.until)) else {
            return;
        };
        match self.entries.get_mut(position) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        if let Some(tag) = self.tags.get_mut(position) {
            *tag = entry.identity.high;
        }
    }

    /// The entry whose end is soonest, if that is sooner than `until`.
    fn sooner_than(&self, until: Timestamp) -> Option<usize> {
        let ends = self.entries.iter().map(|entry| entry.until);
        ends.enumerate()
            .filter(|(_, end)| *end < until)
            .min_by_key(|(_, end)| *end)
            .map(|(position, _)| position)
    }

    fn remove(&mut self, position: usize) {
        self.entries.swap_remove(position);
        let last = self.tags.get(self.entries.len()).copied();
        if let (Some(last), Some(tag)) = (last, self.tags.get_mut(position)) {
            *tag = last;
        }
    }
}
