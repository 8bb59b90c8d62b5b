//! Outages of a store: cut off, noticed, waited out.

mod breaker;
mod builder;
mod changes;
mod failing;
mod flight;
mod probing;
mod stats;
mod waits;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::yield_now;
use tollgate_core::{Charge, Limit, State};

pub use builder::{OutageGuardBuilder, OutageGuardError};
pub use changes::OutageChange;
pub use stats::OutageStats;

use crate::{Outcomes, Store, StoreError, StoreErrorKind};
use breaker::{Asked, Breaker};
use changes::Changes;
use failing::Failing;
use flight::{Flight, Late};
use probing::Prober;
use stats::Counters;

/// A store around a store that may be slow, or away: an outage costs a deadline, and not one for
/// every request.
///
/// ```
/// use std::time::Duration;
/// use tollgate::{Charge, MemoryStore, OutageGuard, Store};
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// // A store that is somewhere else.
/// let store = MemoryStore::default();
/// let guard = OutageGuard::builder(store).deadline(Duration::from_millis(50)).build()?;
/// let limit = "10/min".parse()?;
/// let outcomes = guard.decide(&[Charge::new(&limit, "198.51.100.7", 1)]).await?;
/// assert!(outcomes.is_allowed() && !guard.is_open());
/// # Ok(())
/// # }
/// ```
///
/// # What it does
///
/// * **Deadline.** A call that has no answer by then fails with
///   [`Timeout`](StoreErrorKind::Timeout).
/// * **Cap.** While as many calls as may be are waiting, another one fails at once with
///   [`Overloaded`](StoreErrorKind::Overloaded).
/// * **Breaker.** One for the whole store. It opens when a call has timed out and nothing at all was answered since that
///   call was made, or when some calls in a row have failed with `Timeout` or
///   [`Unavailable`](StoreErrorKind::Unavailable). While it is open, every call fails at once with
///   `Unavailable` and the store is not asked. Errors of other kinds, and those of
///   [a part](StoreError::is_partial) of the store, are answers, not outages; a caller who gives up,
///   and drops the future, is neither.
/// * **Probes.** While it is open, a task asks [`Store::probe`]: at once, then after waits that
///   double from 25 ms up to 200 ms, each shortened by chance by up to a half. The first probe that
///   succeeds closes the breaker. An outage that begins within a second of the end of the one before
///   goes on with its waits, so that a store that answers probes and nothing else costs little.
///
/// Denials are answers: they pass through, and no number of them opens the breaker.
///
/// # What is counted twice
///
/// What a store was asked before the deadline passed may still be counted there: nobody can take
/// back a message that is under way. So a request that got `Timeout`, and was then decided in
/// another way, may have been counted in both. That is at most as many calls for an outage as were
/// waiting when the breaker opened, which is the cap or a deadline's worth of requests, whichever is
/// less; each counts once. While the breaker is open nothing is sent.
///
/// # Runtime
///
/// Deadlines and probes need a Tokio runtime with time enabled. Outside of one, a call to a store
/// that answers without waiting works; one that must wait fails with `Unavailable`, which says so
/// and does not open the breaker; an open breaker closes only after a call from inside a runtime.
///
/// Clones share everything, so that one of them can be kept to read [`stats`](Self::stats). Making
/// a guard asks nothing of the store, so that a program can start while its store is away.
pub struct OutageGuard<S> {
    shared: Arc<Shared<S>>,
}

/// What the clones of a guard share. The task that probes holds on to it only for moments.
struct Shared<S> {
    store: Arc<S>,
    deadline: Duration,
    breaker: Breaker,
    flight: Flight,
    counters: Counters,
    changes: Changes,
    failing: Failing,
    /// How many outages have ended.
    ended: AtomicU64,
    prober: Prober,
}

impl<S> OutageGuard<S> {
    /// A guard with every option at its default.
    pub fn new(store: S) -> Self {
        Self::builder(store).guard()
    }

    /// Begins a guard with options.
    pub const fn builder(store: S) -> OutageGuardBuilder<S> {
        OutageGuardBuilder::new(store)
    }

    /// True while the breaker is open, so that the store is not asked.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.shared.breaker.open_generation().is_some()
    }

    /// What has happened so far.
    #[must_use]
    pub fn stats(&self) -> OutageStats {
        self.shared.stats()
    }

    /// The store within. What is asked of it directly has no deadline.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.shared.store
    }
}

impl<S: Store> OutageGuard<S> {
    /// Makes a call, unless the breaker is open or too many are waiting.
    async fn call<'s, T, F>(&'s self, call: impl FnOnce(&'s S) -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>>,
    {
        let shared = &*self.shared;
        let asked = match self.ask() {
            Ok(asked) => asked,
            Err(error) => {
                if Handle::try_current().is_ok() {
                    // Where a runtime runs only while somebody waits in it, the task that probes has
                    // no other moment than this.
                    yield_now().await;
                }
                return Err(error);
            }
        };
        let Some(place) = shared.flight.board() else {
            Counters::add(&shared.counters.overloaded);
            let error = overloaded();
            shared.failing.failed(&error, true);
            return Err(error);
        };
        #[cfg(feature = "metrics")]
        let began = tokio::time::Instant::now();
        let answer = flight::within(shared.deadline, call(&shared.store)).await;
        #[cfg(feature = "metrics")]
        metrics::histogram!(crate::observe::SECONDS).record(began.elapsed());
        // What was within is gone, whether it was answered or cut off.
        drop(place);
        let answer = match answer {
            Ok(answer) => answer,
            Err(Late::Deadline) => Err(StoreError::new(
                StoreErrorKind::Timeout,
                "the store did not answer in time",
            )),
            Err(Late::NoRuntime) => {
                return Err(StoreError::new(
                    StoreErrorKind::Unavailable,
                    "waiting for the store needs a Tokio runtime, and there is none here",
                ));
            }
        };
        self.judge(asked, answer.as_ref().err());
        answer
    }

    /// Whether the store may be asked.
    #[inline]
    fn ask(&self) -> Result<Asked, StoreError> {
        self.shared.breaker.ask().ok_or_else(|| self.reject())
    }

    #[cold]
    fn reject(&self) -> StoreError {
        Counters::add(&self.shared.counters.rejected);
        // Its task may have gone with its runtime.
        probing::ensure(&self.shared);
        StoreError::new(
            StoreErrorKind::Unavailable,
            "the store has failed, and is not asked until it answers a probe",
        )
    }

    /// Draws the conclusions from an answer, or from an error in its place.
    #[inline]
    fn judge(&self, asked: Asked, error: Option<&StoreError>) {
        self.conclude(asked, error);
        match error {
            None => self.shared.failing.answered(),
            Some(error) if error.kind() == StoreErrorKind::Overloaded => {}
            // What opens the breaker is told of by itself, and what comes after it is known.
            Some(error) => self.shared.failing.failed(error, !self.is_open()),
        }
    }

    /// Whether it is an outage.
    #[inline]
    fn conclude(&self, asked: Asked, error: Option<&StoreError>) {
        let outage = error.filter(|error| !error.is_partial());
        match outage.map(StoreError::kind) {
            None | Some(StoreErrorKind::Full | StoreErrorKind::Protocol) => {
                self.shared.breaker.answered(asked);
            }
            // It says something about its callers.
            Some(StoreErrorKind::Overloaded) => {}
            Some(StoreErrorKind::Timeout | StoreErrorKind::Unavailable) => {
                if let Some(error) = outage {
                    self.failed(asked, error);
                }
            }
        }
    }

    #[cold]
    fn failed(&self, asked: Asked, error: &StoreError) {
        let shared = &self.shared;
        let degraded = shared.counters.degraded();
        Counters::add(if error.is_timeout() {
            &shared.counters.timeouts
        } else {
            &shared.counters.failures
        });
        let Some(cause) = shared.breaker.failed(asked, error.is_timeout()) else {
            return;
        };
        if shared
            .changes
            .open(&shared.breaker, asked, degraded, cause, error)
        {
            probing::ensure(shared);
        }
    }
}

impl<S> Shared<S> {
    fn stats(&self) -> OutageStats {
        let (begun, ended) = (self.changes.begun(), self.ended());
        self.counters.read(self.flight.waiting(), begun, ended)
    }

    fn ended(&self) -> u64 {
        self.ended.load(std::sync::atomic::Ordering::Acquire)
    }
}

#[cold]
fn overloaded() -> StoreError {
    StoreError::new(
        StoreErrorKind::Overloaded,
        "as many calls as may be are waiting for the store",
    )
}

impl<S: Store> Store for OutageGuard<S> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.call(|store| store.decide(charges)).await
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        self.call(|store| store.decide_with_states(charges)).await
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        let asked = match self.ask() {
            Ok(asked) => asked,
            Err(error) => return Some(Err(error)),
        };
        let answer = self.shared.store.decide_at_once(charges)?;
        self.judge(asked, answer.as_ref().err());
        Some(answer)
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.call(|store| store.peek(charges)).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.call(|store| store.refund(charges, admitted)).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.call(|store| store.reset(limit, policy, key)).await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.call(Store::probe).await
    }

    /// Those that this guard has seen.
    fn outages(&self) -> u64 {
        self.shared.ended()
    }
}

impl<S> Clone for OutageGuard<S> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
        }
    }
}

/// Its state, without the store.
impl<S> fmt::Debug for OutageGuard<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutageGuard")
            .field("is_open", &self.is_open())
            .field("deadline", &self.shared.deadline)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}
