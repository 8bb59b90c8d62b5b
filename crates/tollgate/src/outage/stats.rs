//! What has happened, in numbers.

use std::sync::atomic::{AtomicU64, Ordering};

/// What has happened to a guard's calls since it was made. All but `waiting` only grow.
///
/// A call is a decision, a peek, a refund, a reset or a probe that somebody asked the guard for;
/// the guard's own probes are not among them. The numbers are read one after the other, while calls
/// go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutageStats {
    /// How many calls are waiting for the store now.
    pub waiting: usize,
    /// How many times the breaker has opened.
    pub opened: u64,
    /// How many times it has closed again.
    pub closed: u64,
    /// Calls without an answer in time.
    pub timeouts: u64,
    /// Calls to which the store, or the way to it, answered that it is unavailable.
    pub failures: u64,
    /// Calls that were not made because the breaker was open.
    pub rejected: u64,
    /// Calls that were not made because too many were waiting.
    pub overloaded: u64,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) timeouts: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) rejected: AtomicU64,
    pub(super) overloaded: AtomicU64,
}

impl Counters {
    pub(super) fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// All calls without an answer.
    pub(super) fn degraded(&self) -> u64 {
        [
            &self.timeouts,
            &self.failures,
            &self.rejected,
            &self.overloaded,
        ]
        .iter()
        .fold(0, |sum, counter| {
            sum.saturating_add(counter.load(Ordering::Relaxed))
        })
    }

    pub(super) fn read(&self, waiting: usize, opened: u64, closed: u64) -> OutageStats {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        OutageStats {
            waiting,
            opened,
            closed,
            timeouts: read(&self.timeouts),
            failures: read(&self.failures),
            rejected: read(&self.rejected),
            overloaded: read(&self.overloaded),
        }
    }
}
