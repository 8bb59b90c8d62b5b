//! The bounds of a store, and what is dropped to keep them.

use crate::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use tollgate_core::{Algorithm, AlgorithmState, Limit, State, Timestamp};

use super::identity::Identity;
use super::shard::{Shard, log_number};
use super::table::Slot;

/// How many entries are looked at to find the one that matters least.
const SAMPLE: usize = 16;

/// How much a store holds and may hold.
#[derive(Debug)]
pub(super) struct Bounds {
    pub(super) max_keys: usize,
    pub(super) max_log_bytes: usize,
    pub(super) keys: AtomicUsize,
    pub(super) log_bytes: AtomicUsize,
    pub(super) evictions: AtomicUsize,
    /// Those of the evictions that dropped a count which was in use.
    pub(super) forgotten: AtomicUsize,
    /// Microseconds of an instant before which no count in the store is as if never used.
    pub(super) none_fresh_before: AtomicU64,
    /// Microseconds of an instant before which looking for room for logs again is of no use.
    pub(super) next_log_search: AtomicU64,
}

impl Bounds {
    /// True if some count may be as if never used.
    pub(super) fn may_hold_fresh(&self, now: Timestamp) -> bool {
        now.as_micros() >= self.none_fresh_before.load(Ordering::Relaxed)
    }

    /// Takes note of a count that will be as if never used at `fresh_at`.
    pub(super) fn expect_fresh_at(&self, fresh_at: Timestamp) {
        let fresh_at = fresh_at.as_micros();
        if fresh_at < self.none_fresh_before.load(Ordering::Relaxed) {
            self.none_fresh_before
                .fetch_min(fresh_at, Ordering::Relaxed);
        }
    }

    /// Takes note of a log that has grown or shrunk.
    pub(super) fn account_for_log(&self, before: usize, after: usize) {
        if after > before {
            self.log_bytes.fetch_add(after - before, Ordering::Relaxed);
        } else if after < before {
            self.log_bytes.fetch_sub(before - after, Ordering::Relaxed);
        }
    }

    /// Reserves bytes by which logs may grow; false if they would pass the bound. What was
    /// reserved is given back once the logs themselves are accounted for.
    pub(super) fn reserve_log_bytes(&self, bytes: usize) -> bool {
        bytes == 0
            || self
                .log_bytes
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| {
                    held.checked_add(bytes)
                        .filter(|held| *held <= self.max_log_bytes)
                })
                .is_ok()
    }

    /// True if logs could grow by so many bytes now.
    pub(super) fn has_log_room(&self, bytes: usize) -> bool {
        let held = self.log_bytes.load(Ordering::Relaxed);
        held.saturating_add(bytes) <= self.max_log_bytes
    }
}

/// Places for new keys, for the length of one decision. What is not used is given back.
#[derive(Debug)]
pub(super) struct Room<'a> {
    bounds: &'a Bounds,
    held: usize,
}

impl<'a> Room<'a> {
    pub(super) const fn new(bounds: &'a Bounds) -> Self {
        Self { bounds, held: 0 }
    }

    /// Takes a place for a key that is about to be inserted; false if all are taken.
    pub(super) fn take(&mut self) -> bool {
        if self.held > 0 {
            self.held -= 1;
            return true;
        }
        self.bounds
            .keys
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |keys| {
                (keys < self.bounds.max_keys).then_some(keys + 1)
            })
            .is_ok()
    }

    /// Keeps a place that an evicted key has left.
    pub(super) const fn keep(&mut self) {
        self.held += 1;
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        if self.held > 0 {
            self.bounds.keys.fetch_sub(self.held, Ordering::Relaxed);
        }
    }
}

/// How much a count matters; the least is dropped first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worth {
    /// The count equals a fresh one.
    Nothing,
    /// The used share of the limit, in 2^-16, and when the count will be fresh.
    Used(u64, Timestamp),
    /// Being denied: an immediate request of cost 1 is, or the last one was, until it is let go.
    Denied {
        until: Timestamp,
        fresh_at: Timestamp,
    },
}

impl Shard {
    /// Drops a count that is as if never used. False if there is none.
    pub(super) fn drop_fresh(&mut self, now: Timestamp, bounds: &Bounds) -> bool {
        if now < self.none_fresh_before {
            return false;
        }
        let slots = self.table.slots();
        let mut next = Timestamp::MAX;
        for _ in 0..slots {
            self.turn_hand();
            match self.worth(self.hand, now, bounds) {
                Some(Worth::Nothing) => {
                    self.evict(self.hand, bounds);
                    return true;
                }
                Some(Worth::Used(_, fresh_at) | Worth::Denied { fresh_at, .. }) => {
                    next = next.min(fresh_at);
                }
                None => {}
            }
        }
        self.none_fresh_before = next;
        false
    }

    /// Drops the count that is closest to fresh, of a sample, but none that is being denied. False
    /// if there is nothing else. Counts of `needed` identities stay.
    pub(super) fn drop_used(
        &mut self,
        now: Timestamp,
        needed: &[Identity],
        bounds: &Bounds,
    ) -> bool {
        if now < self.all_denied_until || self.table.len() == 0 {
            return false;
        }
        let mut least: Option<(Worth, Slot)> = None;
        let mut released = Timestamp::MAX;
        let mut seen = 0;
        for _ in 0..self.table.slots() {
            self.turn_hand();
            let Some(worth) = self.worth(self.hand, now, bounds) else {
                continue;
            };
            if needed
                .iter()
                .any(|identity| self.holds(self.hand, *identity))
            {
                continue;
            }
            match worth {
                Worth::Denied { until, .. } => released = released.min(until),
                Worth::Nothing | Worth::Used(..) => {
                    if least.is_none_or(|(least, _)| worth < least) {
                        least = Some((worth, self.hand));
                    }
                }
            }
            seen += 1;
            if seen >= SAMPLE && least.is_some() {
                break;
            }
        }
        if let Some((worth, slot)) = least {
            if worth > Worth::Nothing {
                bounds.forgotten.fetch_add(1, Ordering::Relaxed);
            }
            self.evict(slot, bounds);
            return true;
        }
        if needed.is_empty() {
            self.all_denied_until = released;
        }
        false
    }

    fn turn_hand(&mut self) {
        self.hand = if self.hand + 1 < self.table.slots() {
            self.hand + 1
        } else {
            0
        };
    }

    fn evict(&mut self, slot: Slot, bounds: &Bounds) {
        self.remove(slot, bounds);
        bounds.evictions.fetch_add(1, Ordering::Relaxed);
        // The entries behind the removed one have moved up: the hand must not pass over one.
        self.hand = slot.checked_sub(1).unwrap_or_else(|| self.table.slots());
    }

    /// Drops the denied count that will be let go first. False if there is none.
    pub(super) fn drop_first_released(&mut self, now: Timestamp, bounds: &Bounds) -> bool {
        let mut first: Option<(Worth, Slot)> = None;
        let mut second: Option<Worth> = None;
        for slot in 0..self.table.slots() {
            let Some(worth) = self.worth(slot, now, bounds) else {
                continue;
            };
            match first {
                Some((least, _)) if worth >= least => {
                    second = Some(second.map_or(worth, |second| second.min(worth)));
                }
                _ => {
                    second = first.map(|(least, _)| least);
                    first = Some((worth, slot));
                }
            }
        }
        let Some((worth, slot)) = first else {
            return false;
        };
        if worth > Worth::Nothing {
            bounds.forgotten.fetch_add(1, Ordering::Relaxed);
        }
        self.evict(slot, bounds);
        self.all_denied_until = match second {
            Some(Worth::Denied { until, .. }) => until,
            _ => Timestamp::EPOCH,
        };
        true
    }

    fn holds(&self, slot: Slot, identity: Identity) -> bool {
        self.table.find(identity) == Some(slot)
    }

    /// How much the count in a slot matters; `None` if there is none.
    fn worth(&mut self, slot: Slot, now: Timestamp, bounds: &Bounds) -> Option<Worth> {
        let entry = *self.table.get(slot)?;
        let Some(limit) = self.limit_of(&entry).cloned() else {
            return Some(Worth::Nothing);
        };
        let mut state = self.take_from(slot, limit.algorithm())?;
        state.advance(&limit, now);
        let worth = worth_of(&state, &limit, now, entry.is_denied());
        if let State::SlidingLog(mut log) = state {
            log.trim();
            self.logs.put(log_number(&entry), log, bounds);
        }
        Some(worth)
    }

    /// Gives back the memory of what has left the logs. What still counts stays: a limit that
    /// promises every admission of the last period must not forget one.
    pub(super) fn trim_logs(&mut self, now: Timestamp, bounds: &Bounds) {
        let mut slot = 0;
        while slot < self.table.slots() {
            let is_log = self
                .table
                .get(slot)
                .and_then(|entry| self.limit_of(entry))
                .is_some_and(|limit| limit.algorithm() == Algorithm::SlidingLog);
            if is_log && self.worth(slot, now, bounds) == Some(Worth::Nothing) {
                // The entries behind it move up, so the slot is looked at again.
                self.remove(slot, bounds);
                bounds.keys.fetch_sub(1, Ordering::Relaxed);
            } else {
                slot += 1;
            }
        }
    }
}

fn worth_of(state: &State, limit: &Limit, now: Timestamp, denied: bool) -> Worth {
    let fresh_at = state.fresh_at(limit);
    if fresh_at <= now {
        return Worth::Nothing;
    }
    let remaining = state.remaining(limit);
    if remaining == 0 {
        let until = state.admits_at(limit, 1);
        return Worth::Denied { until, fresh_at };
    }
    if denied {
        // Something that costs more than one. When that will fit is not known here, but it will
        // when the count is fresh.
        let until = fresh_at;
        return Worth::Denied { until, fresh_at };
    }
    let used = u128::from(limit.quota() - remaining) << 16;
    let share = u64::try_from(used / u128::from(limit.quota())).unwrap_or(u64::MAX);
    Worth::Used(share, fresh_at)
}
