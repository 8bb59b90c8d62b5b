//! Token bucket: up to a burst at once, refilled continuously.
//!
//! The state is a level of *used* tokens. It drains at `units / period`; a charge is admitted if
//! the level plus its cost is at most the burst. This is the generic cell rate algorithm with
//! another name for the same number: the level is (theoretical arrival time − now), in tokens.
//!
//! # Bound
//!
//! In any span *t*, at most `burst + rate·t` units are admitted. Let the level be *a* ≥ 0 before
//! the span and *b* ≤ burst after its last admission. Admissions raise the level by the units they
//! admit, and draining lowers it by at most `rate·t`; so `admitted ≤ b − a + rate·t ≤ burst +
//! rate·t`. Where a limit has a coarse [`tick`](Limit::tick), *t* counts the ticks that begin in the
//! span: a bucket that drains a tick at a time drains a whole one at its beginning, about a
//! thousandth of the units too early.
//!
//! # Refunds
//!
//! A refund gives back what is left of an admission, never more than its cost, so what is kept is
//! within the bound from the beginning. What is left is told from the admission's own reset: that is
//! exact if nothing else has happened, and too little rather than too much if others were admitted.
//! But if an *earlier* admission was refunded meanwhile, the bucket has emptied sooner than this one
//! said, and up to its cost can be given back although it had drained: where many charges are
//! refunded later, a moment can see a few bursts. The other algorithms refund exactly.
//!
//! # Exactness
//!
//! The level is kept in units × ticks: a token is `period` of them, and each tick drains `units`.
//! Both are integers, so nothing is rounded: `7/min` drains exactly seven tokens in each minute.
//! Such a level does not depend on the limit's units, which is why changing them keeps the usage.
//!
//! A lowered burst leaves nothing to an immediate request, but the level is then no higher than the
//! new burst, so that nobody waits for longer than one refill; if the burst is raised again after
//! the next admission, what was used above the lower one is forgotten. So limits with different
//! bursts must not take turns on one count.

use core::cmp::Ordering;

use crate::outcome::{Outcome, Verdict};
use crate::state::{AlgorithmState, re_anchors, verdict};
use crate::time::{MAX_EXACT, Timestamp};
use crate::{Limit, Micros};

/// The level of used tokens at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Used tokens, in units × ticks of `tick`.
    level: u64,
    /// When the level was that, in microseconds.
    at: u64,
    /// The decimal exponent of the tick in which the level counts.
    tick: u8,
}

const LEVEL_BITS: u32 = 53;
const AT_BITS: u32 = 53;
const MASK: u128 = (1 << LEVEL_BITS) - 1;

impl State {
    /// A level of used tokens, in units × ticks of `tick`, as it was at an instant. A tick is a
    /// power of ten in microseconds, like that of a [`Limit`].
    #[must_use]
    pub const fn from_parts(level: u64, at: Timestamp, tick: Micros) -> Self {
        Self {
            level,
            at: at.as_micros(),
            tick: match tick.as_micros().checked_ilog10() {
                Some(exponent) => exponent.to_le_bytes()[0],
                None => 0,
            },
        }
    }

    /// The state in 110 bits.
    #[must_use]
    pub fn to_bits(self) -> u128 {
        u128::from(self.level)
            | u128::from(self.at) << LEVEL_BITS
            | u128::from(self.tick) << (LEVEL_BITS + AT_BITS)
    }

    /// The inverse of [`to_bits`](Self::to_bits).
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self {
            level: (bits & MASK) as u64,
            at: ((bits >> LEVEL_BITS) & MASK) as u64,
            tick: ((bits >> (LEVEL_BITS + AT_BITS)) & 0xf) as u8,
        }
    }

    /// Restates the level in the limit's tick, and lowers it to the limit's capacity: a lowered
    /// burst leaves nothing, but nobody waits for more than one refill.
    fn restate(&mut self, limit: &Limit) {
        if self.tick != limit.tick_exponent() {
            let old_tick = 10_u64.pow(u32::from(self.tick));
            let new_tick = limit.tick().as_micros();
            let level = u128::from(self.level) * u128::from(old_tick);
            let level = level.div_ceil(u128::from(new_tick));
            self.level = u64::try_from(level).unwrap_or(MAX_EXACT);
            self.tick = limit.tick_exponent();
            // The level is that of the old tick's beginning. A new tick that has already begun
            // would drain in full for what is left of it, so the level drains from the next one.
            self.at = (self.at - self.at % old_tick)
                .next_multiple_of(new_tick)
                .min(MAX_EXACT);
        }
        self.level = self.level.min(limit.capacity());
    }

    /// The instant at which the level will have drained by `amount`.
    fn drained_at(&self, limit: &Limit, amount: u64) -> Timestamp {
        let ticks = limit.tick_of(self.at) + amount.div_ceil(limit.units());
        Timestamp::EPOCH.saturating_add(limit.span(ticks))
    }
}

impl AlgorithmState for State {
    #[inline]
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool {
        self.restate(limit);
        let now_micros = now.as_micros();
        if now_micros >= self.at {
            let ticks = limit.tick_of(now_micros) - limit.tick_of(self.at);
            self.level = self
                .level
                .saturating_sub(limit.units().saturating_mul(ticks));
            self.at = now_micros;
        } else if self.level == 0 {
            self.at = now_micros;
        } else if re_anchors(limit, Timestamp::from_micros(self.at), now) {
            self.at = now_micros;
            return true;
        }
        false
    }

    #[inline]
    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict {
        let fits =
            cost <= limit.quota() && self.level <= limit.capacity() - cost * limit.period_ticks();
        verdict(limit, cost, fits)
    }

    #[inline]
    fn spend(&mut self, limit: &Limit, cost: u64) {
        self.level += cost * limit.period_ticks();
    }

    #[inline]
    fn remaining(&self, limit: &Limit) -> u64 {
        limit.capacity().saturating_sub(self.level) / limit.period_ticks()
    }

    #[inline]
    fn admits_at(&self, limit: &Limit, cost: u64) -> Timestamp {
        let room = limit.capacity() - cost.min(limit.quota()) * limit.period_ticks();
        self.drained_at(limit, self.level.saturating_sub(room))
    }

    #[inline]
    fn fresh_at(&self, limit: &Limit) -> Timestamp {
        if self.level == 0 {
            return Timestamp::EPOCH;
        }
        self.drained_at(limit, self.level)
    }

    #[inline]
    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome) {
        // The bucket drains its oldest units first, so what is left of an admission is what is
        // left until the instant at which the bucket would have been empty when it was made.
        // Anything spent later only keeps more of it in the bucket: nobody gains.
        let spent = cost.saturating_mul(limit.period_ticks());
        let at = Timestamp::from_micros(self.at);
        let refunded = match at.cmp(&admitted.at) {
            _ if admitted.is_any_admission() => spent,
            // The clock has stepped back since; what is left cannot be told.
            Ordering::Less => 0,
            Ordering::Equal => spent,
            // Spending a unit puts the reset off by a tick or more (unless more than a unit drains
            // in a tick), so with the same reset nothing was spent since: what is in the bucket is
            // what was there, and all of it can be told exactly.
            Ordering::Greater
                if self.fresh_at(limit) == admitted.reset_at()
                    && limit.period_ticks() >= limit.units() =>
            {
                spent
            }
            Ordering::Greater => {
                let left = admitted.reset_at().saturating_since(at).as_micros();
                // The instant was rounded up to a tick, so less than that may be left.
                let left = limit
                    .tick_of(left)
                    .saturating_mul(limit.units())
                    .saturating_sub(limit.units() - 1);
                spent.min(left)
            }
        };
        self.level = self.level.saturating_sub(refunded);
    }
}

/// The time in which a bucket that is empty of tokens is full again.
pub(crate) const fn refill(limit: &Limit) -> Micros {
    limit.span(limit.capacity().div_ceil(limit.units()))
}

#[cfg(test)]
mod tests;
