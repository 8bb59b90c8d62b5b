//! Sliding window: this window's count plus the weighted count of the previous one.
//!
//! Windows start at multiples of the period since the Unix epoch. At an instant `e` into a window,
//! the estimate is `current + previous × (period − e) / period`; a charge is admitted if the
//! estimate plus its cost is at most the units. The fraction is compared exactly, never rounded.
//!
//! # Bound
//!
//! Each aligned window admits at most `units`, so in any span *t* at most `units` for each window
//! that the span touches: like a fixed window, at most `2 × units` within a period. An adversary
//! comes close to it by spending all at the end of a window and then as fast as the weight falls
//! in the next; but never suddenly: an instant after an edge, the previous window still counts in
//! full. Traffic that is even within each window is held to `units` in any period.
//!
//! A count is as if never used after two periods at most. After a clock has stepped back by more
//! than a period, the counts move to the beginning of the next window, in which all of them weigh
//! in full: so the longest wait is then three periods.

use crate::Limit;
use crate::outcome::{Outcome, Verdict};
use crate::state::{AlgorithmState, re_anchors, verdict};
use crate::time::Timestamp;

/// The units used in two neighbouring windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The number of the current window since the epoch.
    window: u64,
    previous: u64,
    current: u64,
    /// Microseconds into the current window. Not part of the stored state.
    elapsed: u64,
}

const COUNT_BITS: u32 = 40;
const COUNT_MASK: u128 = (1 << COUNT_BITS) - 1;
const WINDOW_MASK: u128 = (1 << 44) - 1;

impl State {
    /// The units used in the window of this number since the epoch (`current`) and in the one
    /// before it. The state must be advanced before anything else is asked of it.
    #[must_use]
    pub const fn from_parts(window: u64, previous: u64, current: u64) -> Self {
        Self {
            window,
            previous,
            current,
            elapsed: 0,
        }
    }

    /// The state in 124 bits; a state read back must be advanced before anything else is asked
    /// of it.
    #[must_use]
    pub fn to_bits(self) -> u128 {
        u128::from(self.previous)
            | u128::from(self.current) << COUNT_BITS
            | u128::from(self.window) << (2 * COUNT_BITS)
    }

    /// The inverse of [`to_bits`](Self::to_bits).
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self {
            window: ((bits >> (2 * COUNT_BITS)) & WINDOW_MASK) as u64,
            previous: (bits & COUNT_MASK) as u64,
            current: ((bits >> COUNT_BITS) & COUNT_MASK) as u64,
            elapsed: 0,
        }
    }

    /// True if nothing counts, whatever the window: the same as a fresh state.
    const fn is_unused(self) -> bool {
        self.previous == 0 && self.current == 0
    }

    /// Ticks until the current window ends.
    fn ticks_left(&self, limit: &Limit) -> u64 {
        limit.period_ticks() - limit.tick_of(self.elapsed)
    }

    /// The start of the window `ahead` of the current one.
    fn start(&self, limit: &Limit, ahead: u64) -> Timestamp {
        let start = (self.window + ahead).saturating_mul(limit.period().as_micros());
        Timestamp::from_micros(start)
    }
}

/// The most ticks before the end of a window at which `previous` counts for no more than `room`.
/// Dividing instead of multiplying keeps a previous count exact that a lowered limit has left
/// above the units.
const fn ticks_left_at_most(limit: &Limit, room: u64, previous: u64) -> u64 {
    match (room * limit.period_ticks()).checked_div(previous) {
        None => limit.period_ticks(),
        Some(ticks) => {
            if ticks < limit.period_ticks() {
                ticks
            } else {
                limit.period_ticks()
            }
        }
    }
}

impl AlgorithmState for State {
    #[inline]
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool {
        let period = limit.period().as_micros();
        let window = now.as_micros() / period;
        let ahead = window.saturating_sub(self.window);
        if window >= self.window {
            self.elapsed = now.as_micros() % period;
            self.previous = match ahead {
                0 => self.previous,
                1 => self.current,
                _ => 0,
            };
            if ahead > 0 {
                self.current = 0;
            }
            self.window = window;
        } else if self.is_unused() {
            self.window = window;
            self.elapsed = now.as_micros() % period;
        } else if re_anchors(limit, self.start(limit, 0), now) {
            // To the beginning of the next window, not to some instant within this one at which
            // the previous count would weigh less than it did.
            self.window = window + 1;
            self.elapsed = 0;
            return true;
        } else {
            self.elapsed = 0;
        }
        false
    }

    #[inline]
    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict {
        let room = limit
            .units()
            .checked_sub(self.current)
            .and_then(|room| room.checked_sub(cost));
        let fits = room.is_some_and(|room| {
            self.ticks_left(limit) <= ticks_left_at_most(limit, room, self.previous)
        });
        verdict(limit, cost, fits)
    }

    #[inline]
    fn spend(&mut self, _limit: &Limit, cost: u64) {
        self.current += cost;
    }

    #[inline]
    fn remaining(&self, limit: &Limit) -> u64 {
        let weighted = (u128::from(self.previous) * u128::from(self.ticks_left(limit)))
            .div_ceil(u128::from(limit.period_ticks()));
        let weighted = u64::try_from(weighted).unwrap_or(u64::MAX);
        limit
            .units()
            .saturating_sub(self.current)
            .saturating_sub(weighted)
    }

    #[inline]
    fn admits_at(&self, limit: &Limit, cost: u64) -> Timestamp {
        // In this window if the previous count only has to fade, in the next if the current one
        // has to.
        let room = limit.units().saturating_sub(cost);
        let (room, fading, ahead) = match room.checked_sub(self.current) {
            Some(room) => (room, self.previous, 0),
            None => (room, self.current, 1),
        };
        let ticks = limit.period_ticks() - ticks_left_at_most(limit, room, fading);
        self.start(limit, ahead).saturating_add(limit.span(ticks))
    }

    #[inline]
    fn fresh_at(&self, limit: &Limit) -> Timestamp {
        match (self.previous, self.current) {
            (0, 0) => Timestamp::EPOCH,
            (_, 0) => self.start(limit, 1),
            _ => self.start(limit, 2),
        }
    }

    #[inline]
    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome) {
        // An admission's reset is the end of the window after its own.
        let end = admitted.reset_at();
        if admitted.is_any_admission() {
            let of_previous = cost.saturating_sub(self.current);
            self.current = self.current.saturating_sub(cost);
            self.previous = self.previous.saturating_sub(of_previous);
        } else if end == self.start(limit, 2) {
            self.current = self.current.saturating_sub(cost);
        } else if end == self.start(limit, 1) {
            self.previous = self.previous.saturating_sub(cost);
        }
    }
}

#[cfg(test)]
mod tests;
