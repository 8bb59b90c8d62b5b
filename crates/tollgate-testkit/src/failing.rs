//! A store that fails while told to.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use tollgate::{Outcomes, Store, StoreError, StoreErrorKind};
use tollgate_core::{Charge, Limit, State};

/// What a [`FailingStore`] does with calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Passes them to the store within.
    Serving,
    /// Answers each with an error of this kind, at once; the store within is not asked.
    Failing(StoreErrorKind),
    /// Never answers; the store within is not asked.
    Hanging,
    /// Passes them on, so that they count, but loses every answer: what a time-out looks like from
    /// outside.
    Deaf,
}

/// A store whose health a test decides, and which counts every call it gets.
#[derive(Debug)]
pub struct FailingStore<S> {
    inner: S,
    health: Mutex<Health>,
    calls: AtomicUsize,
    probes: AtomicUsize,
}

impl<S> FailingStore<S> {
    /// A store that serves, over `inner`.
    pub const fn new(inner: S) -> Self {
        Self {
            inner,
            health: Mutex::new(Health::Serving),
            calls: AtomicUsize::new(0),
            probes: AtomicUsize::new(0),
        }
    }

    /// Decides what becomes of the calls from now on.
    pub fn set_health(&self, health: Health) {
        *self.health.lock().unwrap_or_else(PoisonError::into_inner) = health;
    }

    /// How many calls came, of any kind and whatever became of them.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// How many of the calls were probes.
    pub fn probes(&self) -> usize {
        self.probes.load(Ordering::SeqCst)
    }

    /// The store within.
    pub const fn inner(&self) -> &S {
        &self.inner
    }

    /// The call is made late, because a store may do its work before its future is polled.
    async fn pass<T, F>(&self, call: impl FnOnce() -> F + Send) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>> + Send,
        T: Send,
    {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let health = *self.health.lock().unwrap_or_else(PoisonError::into_inner);
        match health {
            Health::Serving => call().await,
            Health::Failing(kind) => Err(StoreError::new(kind, "told to fail")),
            Health::Hanging => pending().await,
            Health::Deaf => {
                call().await?;
                pending().await
            }
        }
    }
}

impl<S: Store> Store for FailingStore<S> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.pass(|| self.inner.decide(charges)).await
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        self.pass(|| self.inner.decide_with_states(charges)).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.pass(|| self.inner.peek(charges)).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.pass(|| self.inner.refund(charges, admitted)).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.pass(|| self.inner.reset(limit, policy, key)).await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.probes.fetch_add(1, Ordering::SeqCst);
        self.pass(|| self.inner.probe()).await
    }

    fn outages(&self) -> u64 {
        self.inner.outages()
    }
}
