//! The bounds of a guard, told before it is made.

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use super::breaker::Breaker;
use super::changes::{Changes, Observer};
use super::failing::Failing;
use super::flight::Flight;
use super::probing::Prober;
use super::stats::Counters;
use super::{OutageChange, OutageGuard, Shared};

const DEFAULT_DEADLINE: Duration = Duration::from_millis(100);
const DEFAULT_MAX_WAITING: usize = 1_024;
const DEFAULT_FAILURES: NonZeroU32 = NonZeroU32::new(5).unwrap();

const SHORTEST_DEADLINE: Duration = Duration::from_millis(1);
const LONGEST_DEADLINE: Duration = Duration::from_secs(60);

/// Builds an [`OutageGuard`]; nothing is checked before [`build`](Self::build).
#[must_use = "a builder does nothing until `build` is called"]
pub struct OutageGuardBuilder<S> {
    store: S,
    deadline: Duration,
    max_waiting: usize,
    failures: u32,
    observer: Option<Observer>,
}

impl<S> OutageGuardBuilder<S> {
    pub(super) const fn new(store: S) -> Self {
        Self {
            store,
            deadline: DEFAULT_DEADLINE,
            max_waiting: DEFAULT_MAX_WAITING,
            failures: DEFAULT_FAILURES.get(),
            observer: None,
        }
    }

    /// How long a call may take, from 1 ms to 60 s. The default is 100 ms.
    ///
    /// It is what an outage adds to requests until it is noticed. Much shorter than the slowest
    /// answer of a healthy store, it makes outages of hiccups; and a store has to have answered
    /// again for up to a deadline and 200 ms before it is asked. A caller who gives up sooner
    /// than that never sees a time-out, and neither does the guard.
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// How many calls may wait at the same time, at least 1. The default is 1024.
    ///
    /// It bounds the memory that a hanging store takes, and what may be counted there without
    /// anyone knowing. It should be well above requests per second times the time of an answer.
    pub const fn max_waiting(mut self, max_waiting: usize) -> Self {
        self.max_waiting = max_waiting;
        self
    }

    /// How many calls in a row must fail to open the breaker, at least 1. The default is 5.
    ///
    /// These are failures that are known at once, such as a refused connection. A store that is
    /// silent for a whole deadline opens it by itself.
    pub const fn failures(mut self, failures: u32) -> Self {
        self.failures = failures;
        self
    }

    /// Calls a function whenever an outage begins or ends. It is called where that is found out, in
    /// order, with a lock held: it should be quick, and must not wait.
    pub fn on_change(mut self, observer: impl Fn(&OutageChange) + Send + Sync + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Checks everything once.
    ///
    /// # Errors
    ///
    /// If a number is out of its bounds. The message names it, its value and the bound.
    pub fn build(self) -> Result<OutageGuard<S>, OutageGuardError> {
        if self.deadline < SHORTEST_DEADLINE || self.deadline > LONGEST_DEADLINE {
            return Err(OutageGuardError(Problem::Deadline(self.deadline)));
        }
        if self.max_waiting == 0 {
            return Err(OutageGuardError(Problem::MaxWaiting));
        }
        if self.failures == 0 {
            return Err(OutageGuardError(Problem::Failures));
        }
        Ok(self.guard())
    }

    /// The guard, of numbers that are within their bounds.
    pub(super) fn guard(self) -> OutageGuard<S> {
        let failures = NonZeroU32::new(self.failures).unwrap_or(DEFAULT_FAILURES);
        OutageGuard {
            shared: Arc::new(Shared {
                store: Arc::new(self.store),
                deadline: self.deadline,
                breaker: Breaker::new(failures),
                flight: Flight::new(self.max_waiting),
                counters: Counters::default(),
                failing: Failing::default(),
                changes: Changes::new(self.observer),
                ended: AtomicU64::new(0),
                prober: Prober::default(),
            }),
        }
    }
}

/// The options, without the store.
impl<S> fmt::Debug for OutageGuardBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutageGuardBuilder")
            .field("deadline", &self.deadline)
            .field("max_waiting", &self.max_waiting)
            .field("failures", &self.failures)
            .finish_non_exhaustive()
    }
}

/// Why an [`OutageGuard`] cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutageGuardError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    Deadline(Duration),
    MaxWaiting,
    Failures,
}

impl fmt::Display for OutageGuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::Deadline(deadline) => write!(
                f,
                "the deadline is {deadline:?}; it may be {SHORTEST_DEADLINE:?} to {LONGEST_DEADLINE:?}"
            ),
            Problem::MaxWaiting => f.write_str("0 calls may wait; let at least 1"),
            Problem::Failures => {
                f.write_str("0 failures in a row would open the breaker; it takes at least 1")
            }
        }
    }
}

impl Error for OutageGuardError {}
