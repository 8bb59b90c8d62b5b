//! Naive models of the algorithms, in exact rationals, to compare the real ones with.
//!
//! A model knows three things: what its state is at an instant, whether a cost fits, and what
//! admitting it adds. Everything else is *searched for* with those: `remaining` is the largest cost
//! that fits, `retry_after` the first instant at which the cost fits, `reset_after` the first at
//! which the state is as if never used. No closed formula is shared with the code under test.
//!
//! Where a limit has a coarse [`tick`](Limit::tick), time is floored to it, as documented there.

mod fixed_window;
mod sliding_log;
mod sliding_window;
mod token_bucket;

use tollgate_core::{Algorithm, Limit, Micros, Outcome, Timestamp, Verdict};

/// One algorithm, as simple as its rule.
trait Rule {
    /// Brings the state to `now`: forwards, or, if `now` is earlier, as R5 says.
    fn advance(&mut self, limit: &Limit, now: u64);
    /// Whether `cost` more fits at the instant advanced to.
    fn fits(&self, limit: &Limit, cost: u64) -> bool;
    /// Counts `cost`.
    fn spend(&mut self, limit: &Limit, cost: u64);
    /// Whether nothing counts any more.
    fn is_fresh(&self) -> bool;
}

/// The model of one limit for one key.
#[derive(Clone, Debug)]
pub struct Model {
    limit: Limit,
    state: State,
}

#[derive(Clone, Debug)]
enum State {
    TokenBucket(token_bucket::Bucket),
    FixedWindow(fixed_window::Windows),
    SlidingWindow(sliding_window::Counts),
    SlidingLog(sliding_log::Log),
}

impl Model {
    /// The model of a key that was never seen.
    #[must_use]
    pub fn new(limit: &Limit) -> Self {
        let state = match limit.algorithm() {
            Algorithm::TokenBucket => State::TokenBucket(token_bucket::Bucket::default()),
            Algorithm::FixedWindow(anchor) => {
                State::FixedWindow(fixed_window::Windows::new(anchor))
            }
            Algorithm::SlidingWindow => State::SlidingWindow(sliding_window::Counts::default()),
            Algorithm::SlidingLog => State::SlidingLog(sliding_log::Log::default()),
            other => panic!("there is no model of {other} yet; write one beside the others"),
        };
        Self {
            limit: limit.clone(),
            state,
        }
    }

    /// Puts another limit of the same algorithm and period in the place of the present one. What
    /// was used stays used.
    pub fn change_limit(&mut self, limit: &Limit) {
        assert_eq!(
            limit.id(),
            self.limit.id(),
            "a limit with another id starts afresh"
        );
        self.limit = limit.clone();
    }

    /// Decides a charge, and spends it if it fits.
    pub fn charge(&mut self, cost: u64, now: Timestamp) -> Outcome {
        self.advance(now.as_micros());
        let verdict = self.verdict(cost);
        if verdict == Verdict::Allow && cost > 0 {
            let limit = self.limit.clone();
            self.rule_mut().spend(&limit, cost);
        }
        self.outcome(verdict, cost, now)
    }

    /// What [`charge`](Self::charge) would answer, with the numbers as they stand without it.
    #[must_use]
    pub fn peek(&self, cost: u64, now: Timestamp) -> Outcome {
        let mut model = self.clone();
        model.advance(now.as_micros());
        model.outcome(model.verdict(cost), cost, now)
    }

    fn verdict(&self, cost: u64) -> Verdict {
        if cost == 0 || self.rule().fits(&self.limit, cost) {
            Verdict::Allow
        } else if Self::new(&self.limit).rule().fits(&self.limit, cost) {
            Verdict::Deny
        } else {
            Verdict::Never
        }
    }

    fn outcome(&self, verdict: Verdict, cost: u64, now: Timestamp) -> Outcome {
        let wait_until = |done: &dyn Fn(&Self) -> bool| {
            let first = first_at_least(now.as_micros(), Timestamp::MAX.as_micros(), |instant| {
                let mut later = self.clone();
                later.advance(instant);
                done(&later)
            });
            Micros::new(first - now.as_micros())
        };
        let quota = self.limit.quota();
        let too_many = first_at_least(1, quota + 1, |cost| {
            cost > quota || !self.rule().fits(&self.limit, cost)
        });
        Outcome {
            verdict,
            limit: quota,
            remaining: too_many - 1,
            reset_after: wait_until(&|model| model.rule().is_fresh()),
            retry_after: (verdict == Verdict::Deny)
                .then(|| wait_until(&|model| model.rule().fits(&model.limit, cost))),
            at: now,
        }
    }

    fn advance(&mut self, now: u64) {
        let limit = self.limit.clone();
        self.rule_mut().advance(&limit, now);
    }

    fn rule(&self) -> &dyn Rule {
        match &self.state {
            State::TokenBucket(state) => state,
            State::FixedWindow(state) => state,
            State::SlidingWindow(state) => state,
            State::SlidingLog(state) => state,
        }
    }

    fn rule_mut(&mut self) -> &mut dyn Rule {
        match &mut self.state {
            State::TokenBucket(state) => state,
            State::FixedWindow(state) => state,
            State::SlidingWindow(state) => state,
            State::SlidingLog(state) => state,
        }
    }
}

/// The first number from `low` to `high` for which `holds` is true, if it stays true from there on;
/// `high` if it is true for none.
fn first_at_least(low: u64, high: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// Whether a state that stands at `state_at` moves back with a clock that shows `now`, rather than
/// waiting for it to catch up.
fn moves_back(limit: &Limit, state_at: u64, now: u64) -> bool {
    now < state_at && state_at - now > limit.period().as_micros()
}
