//! What one request saw.

use std::time::{Duration, Instant};

use tollgate_policy::Reason;

use super::subject::Choice;
use crate::statistics::all_but_one_in;

/// One request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) choice: Choice,
    pub(super) reason: Reason,
    /// When it was to be made.
    pub(super) due: Instant,
    /// When it was made: later if the machine is busy.
    pub(super) begun: Instant,
    pub(super) ended: Instant,
}

impl Sample {
    /// Decided by the store.
    pub(super) fn is_by_store(&self) -> bool {
        self.reason == Reason::Allowed
    }

    /// Neither what the store says nor what the policy says without it.
    pub(super) fn is_surprise(&self) -> bool {
        !self.is_by_store() && self.reason != self.choice.reason()
    }

    /// How long the decision took.
    pub(super) fn call(&self) -> Duration {
        self.ended - self.begun
    }

    /// How long it took for somebody who came when the schedule says.
    pub(super) fn since_due(&self) -> Duration {
        self.ended - self.due
    }

    /// By how much the machine, not the limiter, was late.
    pub(super) fn lateness(&self) -> Duration {
        self.begun - self.due
    }
}

/// A bare timer of a deadline, beside the requests: what even doing nothing takes on this machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timer {
    pub(super) begun: Instant,
    pub(super) ended: Instant,
}

/// What a load has seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) samples: Vec<Sample>,
    pub(super) timers: Vec<Timer>,
}

/// Waits, summed up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waits {
    pub(super) p50: Duration,
    pub(super) p99: Duration,
    pub(super) p99_9: Duration,
    pub(super) most: Duration,
}

impl Waits {
    pub(super) fn of<T>(samples: &[T], wait: impl Fn(&T) -> Duration) -> Self {
        let micros = |sample| u64::try_from(wait(sample).as_micros()).unwrap_or(u64::MAX);
        let mut sorted: Vec<u64> = samples.iter().map(micros).collect();
        sorted.sort_unstable();
        let all_but = |one_in| Duration::from_micros(all_but_one_in(&sorted, one_in));
        Self {
            p50: all_but(2),
            p99: all_but(100),
            p99_9: all_but(1_000),
            most: Duration::from_micros(sorted.last().copied().unwrap_or_default()),
        }
    }
}
