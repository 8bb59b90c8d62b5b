//! Sliding log: an exact log of the admissions of the last period.
//!
//! A charge is admitted if the units in the log plus its cost are at most the limit's units. The
//! window is half-open: an entry exactly one period old has left.
//!
//! # Bound
//!
//! In every period of any alignment, at most `units`. Take any half-open span of one period; when
//! its last admission was made, the log held all the others of the span, and the sum with it was at
//! most `units`. A longer span *t* has at most `units` for each period begun in it.
//!
//! # Memory
//!
//! One entry of 16 bytes for each instant with an admission, grown on demand and given back by the
//! next admission that needs less, or by [`State::trim`]. A limit of a million a minute can so take 16 MB for one busy key: use a
//! token bucket there.

use alloc::collections::VecDeque;

use crate::Limit;
use crate::outcome::{Outcome, Verdict};
use crate::state::{AlgorithmState, end_of, re_anchors, verdict};
use crate::time::Timestamp;

/// The admissions of the last period, oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    entries: VecDeque<Entry>,
    /// The sum of the costs of the entries that have not left.
    used: u64,
    /// The instant to which the state was advanced.
    at: u64,
    /// How many of the oldest entries have left by then. They stay until something is spent, so
    /// that looking, or being denied, changes nothing even if the clock steps back afterwards.
    left: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    at: u64,
    cost: u64,
}

/// A log of this many entries or fewer never shrinks.
const SMALL: usize = 8;

impl State {
    /// Bytes that one entry takes.
    pub const ENTRY_BYTES: usize = size_of::<Entry>();

    /// A log of admissions, each an instant and a cost, oldest first. The state must be advanced
    /// before anything else is asked of it.
    #[must_use]
    pub fn from_entries(entries: impl IntoIterator<Item = (Timestamp, u64)>) -> Self {
        let entries: VecDeque<Entry> = entries
            .into_iter()
            .map(|(at, cost)| Entry {
                at: at.as_micros(),
                cost,
            })
            .collect();
        Self {
            used: entries
                .iter()
                .fold(0, |used: u64, entry| used.saturating_add(entry.cost)),
            entries,
            at: 0,
            left: 0,
        }
    }

    /// Bytes of heap that the log takes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.entries.capacity() * Self::ENTRY_BYTES
    }

    /// Bytes of heap by which the next admission would grow the log: 0 unless it is full.
    #[must_use]
    pub fn growth_bytes(&self) -> usize {
        if self.entries.len() < self.entries.capacity() {
            0
        } else {
            self.heap_bytes().max(4 * Self::ENTRY_BYTES)
        }
    }

    /// True if nothing is in the log but what has left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left == self.entries.len()
    }

    /// Finds out which entries have left by `at`.
    fn count_left(&mut self, limit: &Limit) {
        let period = limit.period().as_micros();
        let has_left = |entry: &Entry| entry.at + period <= self.at;
        // Entries stand in the order of their instants.
        let left = self.entries.partition_point(has_left);
        for entry in self.entries.range(left.min(self.left)..left.max(self.left)) {
            if left > self.left {
                self.used -= entry.cost;
            } else {
                self.used += entry.cost;
            }
        }
        self.left = left;
    }

    /// Gives back so many units of the newest entries.
    fn refund_newest(&mut self, mut cost: u64) {
        while cost > 0 && self.entries.len() > self.left {
            let Some(newest) = self.entries.back_mut() else {
                return;
            };
            let refunded = newest.cost.min(cost);
            newest.cost -= refunded;
            self.used -= refunded;
            cost -= refunded;
            if newest.cost == 0 {
                self.entries.pop_back();
            }
        }
    }

    /// Gives back the memory of what has left.
    pub fn trim(&mut self) {
        self.entries.drain(..self.left);
        self.left = 0;
        if self.entries.capacity() > SMALL && self.entries.len() < self.entries.capacity() / 4 {
            self.entries
                .shrink_to(self.entries.len().max(SMALL / 2) * 2);
        }
    }
}

impl AlgorithmState for State {
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool {
        let newest = self.entries.back().map_or(0, |entry| entry.at);
        let steps_back = re_anchors(limit, Timestamp::from_micros(newest), now);
        if steps_back {
            let step = newest - now.as_micros();
            for entry in &mut self.entries {
                entry.at = entry.at.saturating_sub(step);
            }
            self.at = now.as_micros();
        } else {
            self.at = now.as_micros().max(newest);
        }
        self.count_left(limit);
        steps_back
    }

    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict {
        let fits = self.used.saturating_add(cost) <= limit.units();
        verdict(limit, cost, fits)
    }

    fn spend(&mut self, _limit: &Limit, cost: u64) {
        if cost == 0 {
            return;
        }
        self.trim();
        self.used += cost;
        match self.entries.back_mut() {
            Some(newest) if newest.at == self.at => newest.cost += cost,
            _ => self.entries.push_back(Entry { at: self.at, cost }),
        }
    }

    fn remaining(&self, limit: &Limit) -> u64 {
        limit.units().saturating_sub(self.used)
    }

    fn admits_at(&self, limit: &Limit, cost: u64) -> Timestamp {
        let room = limit.units().saturating_sub(cost);
        let mut used = self.used;
        let mut at = Timestamp::from_micros(self.at);
        for entry in self.entries.range(self.left..) {
            if used <= room {
                break;
            }
            used -= entry.cost;
            at = end_of(Timestamp::from_micros(entry.at), limit.period());
        }
        at
    }

    fn fresh_at(&self, limit: &Limit) -> Timestamp {
        if self.left == self.entries.len() {
            return Timestamp::EPOCH;
        }
        self.entries.back().map_or(Timestamp::EPOCH, |newest| {
            end_of(Timestamp::from_micros(newest.at), limit.period())
        })
    }

    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome) {
        if admitted.is_any_admission() {
            self.refund_newest(cost);
            return;
        }
        // An admission's reset is the instant at which its own entry leaves.
        let at = admitted.reset_at().saturating_sub(limit.period());
        let Ok(position) = self
            .entries
            .binary_search_by_key(&at.as_micros(), |entry| entry.at)
        else {
            return;
        };
        if position < self.left {
            return;
        }
        let Some(entry) = self.entries.get_mut(position) else {
            return;
        };
        let refunded = entry.cost.min(cost);
        entry.cost -= refunded;
        self.used -= refunded;
        if entry.cost == 0 {
            self.entries.remove(position);
        }
    }
}

#[cfg(test)]
mod tests;
