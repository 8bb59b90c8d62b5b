//! Outages that begin and end: one line in the log each, and a word to who wants to know.

use std::error::Error;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::breaker::{Asked, Breaker, Cause, Generation};
use super::waits::Waits;
use crate::StoreError;

/// An outage begins, or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutageChange {
    /// The breaker has opened: the store is not asked any more.
    Opened,
    /// The breaker has closed: the store has answered a probe.
    #[non_exhaustive]
    Closed {
        /// How long it was open.
        lasted: Duration,
        /// How many calls got no answer meanwhile, with the one that opened it.
        degraded: u64,
    },
}

/// Who wants to be told.
pub(super) type Observer = Box<dyn Fn(&OutageChange) + Send + Sync>;

/// Makes the breaker's changes, one at a time, so that what is logged and told is in their order.
pub(super) struct Changes {
    begun: AtomicU64,
    /// Locked for a change only, and never across an await.
    current: Mutex<Current>,
    observer: Option<Observer>,
}

#[derive(Debug, Default)]
struct Current {
    waits: Waits,
    since: Option<Instant>,
    /// How many calls had got no answer when it began.
    degraded_before: u64,
}

impl Changes {
    pub(super) fn new(observer: Option<Observer>) -> Self {
        Self {
            begun: AtomicU64::new(0),
            current: Mutex::default(),
            observer,
        }
    }

    /// How many outages have begun.
    pub(super) fn begun(&self) -> u64 {
        self.begun.load(Ordering::Acquire)
    }

    /// Opens the breaker; false if it has changed since the call was made.
    pub(super) fn open(
        &self,
        breaker: &Breaker,
        asked: Asked,
        degraded_before: u64,
        cause: Cause,
        error: &StoreError,
    ) -> bool {
        let mut current = self.lock();
        if !breaker.open(asked) {
            return false;
        }
        current.waits.begin();
        current.since = Some(Instant::now());
        current.degraded_before = degraded_before;
        self.begun.fetch_add(1, Ordering::AcqRel);
        let chain = Chain(error);
        match cause {
            Cause::Silence => tracing::warn!(
                cause = %chain,
                "the rate-limit store is silent: not asked until it answers a probe"
            ),
            Cause::Failures(calls) => tracing::warn!(
                cause = %chain,
                calls,
                "the rate-limit store fails: not asked until it answers a probe"
            ),
        }
        self.tell(&OutageChange::Opened);
        true
    }

    /// Closes the breaker and counts the outage as `ended`; false if it has changed since.
    pub(super) fn close(
        &self,
        breaker: &Breaker,
        of: Generation,
        degraded: impl FnOnce() -> u64,
        ended: &AtomicU64,
    ) -> bool {
        let mut current = self.lock();
        // Before anything is decided by the store again.
        ended.fetch_add(1, Ordering::AcqRel);
        if !breaker.close(of) {
            ended.fetch_sub(1, Ordering::AcqRel);
            return false;
        }
        current.waits.end();
        let lasted = current.since.take().map(|since| since.elapsed());
        let lasted = lasted.unwrap_or_default();
        let degraded = degraded().saturating_sub(current.degraded_before);
        tracing::info!(
            lasted = lasted.as_secs_f64(),
            degraded,
            "the rate-limit store answers again"
        );
        self.tell(&OutageChange::Closed { lasted, degraded });
        true
    }

    /// How long to wait before the next probe.
    pub(super) fn next_wait(&self) -> Duration {
        self.lock().waits.next()
    }

    fn tell(&self, change: &OutageChange) {
        if let Some(observer) = &self.observer {
            observer(change);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Current> {
        // An observer that panicked has broken nothing: it is called last.
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error with all that is below it.
pub(super) struct Chain<'e>(pub(super) &'e StoreError);

impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        let mut below = self.0.source();
        while let Some(error) = below {
            write!(f, ": {error}")?;
            below = error.source();
        }
        Ok(())
    }
}
