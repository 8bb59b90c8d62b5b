//! What a limit has counted for one key, whatever its algorithm.

use crate::algorithm::Algorithm;
use crate::outcome::{Outcome, Verdict};
use crate::time::{Micros, Timestamp};
use crate::{Limit, fixed_window, sliding_log, sliding_window, token_bucket};

/// What every algorithm can do with its state.
///
/// A store that decides several charges together calls the steps one by one:
/// [`advance`](Self::advance) and [`verdict`](Self::verdict) for each charge, then
/// [`spend`](Self::spend) for each of them or for none, then [`outcome`](Self::outcome).
pub trait AlgorithmState {
    /// Brings the state to `now`. It may already be later: see [`Algorithm`] for what happens when
    /// a clock steps back.
    ///
    /// True if the state went back with the clock. It must then be stored even if the charge is
    /// denied, because waits count from there; otherwise a denial need not store anything.
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool;

    /// Whether `cost` units fit. The state must have been advanced.
    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict;

    /// Counts `cost` units, which must fit.
    fn spend(&mut self, limit: &Limit, cost: u64);

    /// Units that an immediate request could get. The state must have been advanced.
    fn remaining(&self, limit: &Limit) -> u64;

    /// When `cost` units will fit; the state must have been advanced, and they must not fit yet.
    fn admits_at(&self, limit: &Limit, cost: u64) -> Timestamp;

    /// When the state equals a fresh one, unless more is spent.
    fn fresh_at(&self, limit: &Limit) -> Timestamp;

    /// Gives back `cost` units that were admitted with the outcome `admitted`: never more than
    /// still counts of them, and nothing once their window has gone. With
    /// [`Outcome::ANY_ADMISSION`], of whatever counts. The state must have been advanced.
    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome);

    /// Describes the state at `now` as the answer `verdict` to a charge of `cost`.
    #[inline(always)]
    fn outcome(&self, limit: &Limit, verdict: Verdict, cost: u64, now: Timestamp) -> Outcome {
        let retry_after = match verdict {
            Verdict::Deny => Some(self.admits_at(limit, cost).saturating_since(now)),
            Verdict::Allow | Verdict::Never => None,
        };
        Outcome {
            verdict,
            limit: limit.quota(),
            remaining: self.remaining(limit),
            reset_after: self.fresh_at(limit).saturating_since(now),
            retry_after,
            at: now,
        }
    }
}

/// What a limit has counted for one key: used units, never what is left.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Of a token bucket.
    TokenBucket(token_bucket::State),
    /// Of a fixed window.
    FixedWindow(fixed_window::State),
    /// Of a sliding window.
    SlidingWindow(sliding_window::State),
    /// Of a sliding log.
    SlidingLog(sliding_log::State),
}

impl State {
    /// The state of a key that was never seen.
    #[must_use]
    pub fn fresh(limit: &Limit) -> Self {
        match limit.algorithm() {
            Algorithm::TokenBucket => Self::TokenBucket(token_bucket::State::default()),
            Algorithm::FixedWindow(_) => Self::FixedWindow(fixed_window::State::default()),
            Algorithm::SlidingWindow => Self::SlidingWindow(sliding_window::State::default()),
            Algorithm::SlidingLog => Self::SlidingLog(sliding_log::State::default()),
        }
    }

    /// Decides one charge and spends it if it is admitted. A denial counts nothing.
    pub fn charge(&mut self, limit: &Limit, cost: u64, now: Timestamp) -> Outcome {
        self.advance(limit, now);
        let verdict = self.verdict(limit, cost);
        if verdict.is_allow() {
            self.spend(limit, cost);
        }
        self.outcome(limit, verdict, cost, now)
    }

    /// What [`charge`](Self::charge) would answer, with the numbers as they stand without it.
    #[must_use]
    pub fn peek(&self, limit: &Limit, cost: u64, now: Timestamp) -> Outcome {
        let mut state = self.clone();
        state.advance(limit, now);
        state.outcome(limit, state.verdict(limit, cost), cost, now)
    }

    fn inner(&self) -> &dyn AlgorithmState {
        match self {
            Self::TokenBucket(state) => state,
            Self::FixedWindow(state) => state,
            Self::SlidingWindow(state) => state,
            Self::SlidingLog(state) => state,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn AlgorithmState {
        match self {
            Self::TokenBucket(state) => state,
            Self::FixedWindow(state) => state,
            Self::SlidingWindow(state) => state,
            Self::SlidingLog(state) => state,
        }
    }
}

impl AlgorithmState for State {
    fn advance(&mut self, limit: &Limit, now: Timestamp) -> bool {
        self.inner_mut().advance(limit, now)
    }

    fn verdict(&self, limit: &Limit, cost: u64) -> Verdict {
        self.inner().verdict(limit, cost)
    }

    fn spend(&mut self, limit: &Limit, cost: u64) {
        self.inner_mut().spend(limit, cost);
    }

    fn remaining(&self, limit: &Limit) -> u64 {
        self.inner().remaining(limit)
    }

    fn admits_at(&self, limit: &Limit, cost: u64) -> Timestamp {
        self.inner().admits_at(limit, cost)
    }

    fn fresh_at(&self, limit: &Limit) -> Timestamp {
        self.inner().fresh_at(limit)
    }

    fn refund(&mut self, limit: &Limit, cost: u64, admitted: &Outcome) {
        self.inner_mut().refund(limit, cost, admitted);
    }
}

/// The verdict common to all algorithms: a peek is always admitted, a cost above the quota never.
pub(crate) const fn verdict(limit: &Limit, cost: u64, fits: bool) -> Verdict {
    if fits || cost == 0 {
        Verdict::Allow
    } else if cost > limit.quota() {
        Verdict::Never
    } else {
        Verdict::Deny
    }
}

/// True if a step back from a state's instant to `now` is so large that the state moves with it,
/// rather than standing still until the clock catches up.
pub(crate) fn re_anchors(limit: &Limit, state_at: Timestamp, now: Timestamp) -> bool {
    state_at.saturating_since(now) > limit.period()
}

/// The end of a period that begins at `start`.
pub(crate) const fn end_of(start: Timestamp, period: Micros) -> Timestamp {
    start.saturating_add(period)
}
