//! Fixed window: a number of units per window.
//!
//! Windows have the length of the period. With [`Anchor::Epoch`] they start at multiples of the
//! period since the Unix epoch, for every key alike: a minute's window starts at the minute. With
//! [`Anchor::FirstRequest`] a key's window starts at its first request after the last one ended.
//!
//! # Bound
//!
//! In any span *t*, at most `units` for each window that the span touches. A span of one period
//! touches two windows unless it coincides with one, so across an edge up to `2 × units` can be
//! admitted within a moment. That is the price of the simplest count; where it matters, use
//! [`sliding_log`](crate::sliding_log) or [`token_bucket`](crate::token_bucket).

use crate::Limit;
use crate::algorithm::{Algorithm, Anchor};
use crate::outcome::{Outcome, Verdict};
use crate::state::{AlgorithmState, end_of, re_anchors, verdict};
use crate::time::Timestamp;

/// The units used in one window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The start of the window, in microseconds.
    start: u64,
    used: u64,
}

const START_BITS: u32 = 53;
const START_MASK: u128 = (1 << START_BITS) - 1;
const USED_MASK: u128 = (1 << 40) - 1;

impl State {
    /// So many units, used in the window that begins at `start`.
    #[must_use]
    pub const fn from_parts(start: Timestamp, used: u64) -> Self {
        Self {
            start: start.as_micros(),
            used,
        }
    }

    /// The state in 93 bits.
    #[must_use]
    pub fn to_bits(self) -> u128 {
        u128::from(self.start) | u128::from(self.used) << START_BITS
    }

    /// The inverse of [`to_bits`](Self::to_bits).
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self {
            start: (bits & START_MASK) as u64,
            used: ((bits >> START_BITS) & USED_MASK) as u64,
        }
    }

    fn end(&self, limit: &Limit) -> Timestamp {
        end_of(Timestamp::from_micros(self.start), limit.period())
    }
}

/// Where the window that `now` opens, or lies in, begins.
fn start_of(limit: &Limit, now: Timestamp) -> u64 {
    let now = now.as_micros();
    match limit.algorithm() {
        Algorithm::FixedWindow(Anchor::FirstRequest) => now,
        _ => now - now % limit.period().as_micros(),
    }
}

impl AlgorithmState for State {
    #[inline]
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool {
        let start = Timestamp::from_micros(self.start);
        if now < start {
            let steps_back = re_anchors(limit, start, now);
            if self.used == 0 || steps_back {
                self.start = start_of(limit, now);
            }
            return steps_back && self.used > 0;
        } else if self.used == 0 || now.saturating_since(start) >= limit.period() {
            // Not compared with the window's end, which would never come after the last instant.
            self.start = start_of(limit, now);
            self.used = 0;
        }
        false
    }

    #[inline]
    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict {
        let fits = self.used.saturating_add(cost) <= limit.units();
        verdict(limit, cost, fits)
    }

    #[inline]
    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.used += cost;
    }

    #[inline]
    fn remaining(&self, limit: &Limit) -> u64 {
        limit.units().saturating_sub(self.used)
    }

    #[inline]
    fn admits_at(&self, limit: &Limit, _cost: u64) -> Timestamp {
        self.end(limit)
    }

    #[inline]
    fn fresh_at(&self, limit: &Limit) -> Timestamp {
        if self.used == 0 {
            return Timestamp::EPOCH;
        }
        self.end(limit)
    }

    #[inline]
    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome) {
        // An admission's reset is the end of its window, which tells one window from another.
        if admitted.is_any_admission() || admitted.reset_at() == self.end(limit) {
            self.used = self.used.saturating_sub(cost);
        }
    }
}

#[cfg(test)]
mod tests;
