//! What the tests begin with.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;

use tollgate::{
    Charge, DenialCache, Limit, ManualClock, MemoryStore, Outcomes, State, Store, StoreError,
    StoreErrorKind,
};
use tollgate_testkit::given::START;
use tollgate_testkit::{ReferenceStore, poll_now};

/// A store that must be waited for, as one on another machine: it counts the decisions that reach
/// it, and holds answers back or fails if it is told to.
#[derive(Debug)]
pub(crate) struct Remote<S> {
    pub(crate) inner: S,
    decisions: AtomicUsize,
    decisions_on_several: AtomicUsize,
    held: AtomicBool,
    fails: AtomicBool,
}

impl<S> Remote<S> {
    pub(crate) const fn new(inner: S) -> Self {
        Self {
            inner,
            decisions: AtomicUsize::new(0),
            decisions_on_several: AtomicUsize::new(0),
            held: AtomicBool::new(false),
            fails: AtomicBool::new(false),
        }
    }

    pub(crate) fn decisions(&self) -> usize {
        self.decisions.load(Ordering::SeqCst)
    }

    /// Those on several charges.
    pub(crate) fn decisions_on_several(&self) -> usize {
        self.decisions_on_several.load(Ordering::SeqCst)
    }

    /// From now on answers are on their way until they are let go.
    pub(crate) fn hold(&self) {
        self.held.store(true, Ordering::SeqCst);
    }

    pub(crate) fn let_go(&self) {
        self.held.store(false, Ordering::SeqCst);
    }

    pub(crate) fn fail(&self) {
        self.fails.store(true, Ordering::SeqCst);
    }

    fn count(&self, charges: &[Charge<'_>]) {
        self.decisions.fetch_add(1, Ordering::SeqCst);
        if charges.len() > 1 {
            self.decisions_on_several.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// What the store has answered, once it arrives.
    async fn arrives<T>(&self, answer: Result<T, StoreError>) -> Result<T, StoreError> {
        std::future::poll_fn(|_| {
            if self.held.load(Ordering::SeqCst) {
                Poll::Pending
            } else {
                Poll::Ready(())
            }
        })
        .await;
        if self.fails.load(Ordering::SeqCst) {
            return Err(StoreError::new(StoreErrorKind::Timeout, "told to fail"));
        }
        answer
    }
}

impl<S: Store> Store for Remote<S> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.count(charges);
        let answer = self.inner.decide(charges).await;
        self.arrives(answer).await
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        self.count(charges);
        let answer = self.inner.decide_with_states(charges).await;
        self.arrives(answer).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.inner.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        let answer = self.inner.refund(charges, admitted).await;
        self.arrives(answer).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        let answer = self.inner.reset(limit, policy, key).await;
        self.arrives(answer).await
    }
}

pub(crate) type Cached = DenialCache<Remote<ReferenceStore<ManualClock>>, ManualClock>;

/// A cache around an empty store, both of which read `clock`.
pub(crate) fn cached(clock: &ManualClock) -> Cached {
    DenialCache::builder(Remote::new(ReferenceStore::new(clock.clone())))
        .clock_of_store(clock.clone())
        .build()
}

/// The same around a store that tells no states.
pub(crate) fn told_outcomes_only(
    clock: &ManualClock,
) -> DenialCache<Remote<MemoryStore<ManualClock>>, ManualClock> {
    DenialCache::builder(Remote::new(MemoryStore::with_clock(clock.clone())))
        .clock_of_store(clock.clone())
        .build()
}

pub(crate) fn start() -> ManualClock {
    ManualClock::new(START)
}

pub(crate) fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

pub(crate) fn decide(store: &impl Store, charges: &[Charge<'_>]) -> Outcomes {
    poll_now(store.decide(charges)).unwrap()
}

/// Decides a request of cost 1 by one limit.
pub(crate) fn ask(store: &impl Store, limit: &Limit, key: &str) -> Outcomes {
    decide(store, &[Charge::new(limit, key, 1)])
}

/// Uses up the limit, and is denied once, so that the denial is remembered.
pub(crate) fn exhaust(store: &impl Store, limit: &Limit, key: &str) -> Outcomes {
    for _ in 0..limit.quota() {
        assert!(ask(store, limit, key).is_allowed());
    }
    let denied = ask(store, limit, key);
    assert!(!denied.is_allowed());
    denied
}
