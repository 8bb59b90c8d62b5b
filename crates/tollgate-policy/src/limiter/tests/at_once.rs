//! Decisions that wait for nothing.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Takes its time: only its future decides, and it counts how often.
#[derive(Debug, Default)]
pub(super) struct Slow {
    pub(super) asked: AtomicUsize,
    store: MemoryStore,
}

impl Store for Slow {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.store.decide(charges).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.store.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.store.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.store.reset(limit, policy, key).await
    }
}

#[test]
fn a_store_in_memory_decides_at_once_also_when_it_is_shared() {
    let (limiter, _) = limiter([by_client("a", "2/min")]);
    let shared: PolicyLimiter<Arc<MemoryStore>> = PolicyLimiter::new(
        set([by_client("a", "2/min")]),
        Arc::new(MemoryStore::default()),
    );
    for expected in [Reason::Allowed, Reason::Allowed, Reason::LimitExceeded] {
        let decision = limiter.decide_at_once(&get("/")).unwrap();
        assert_eq!(decision.reason(), expected);
        assert_eq!(decision.policies().count(), 1);
        let decision = shared.decide_at_once(&get("/")).unwrap();
        assert_eq!(decision.reason(), expected);
    }
}

#[test]
fn a_store_that_takes_its_time_is_asked_once_and_only_later() {
    let limiter = PolicyLimiter::new(set([by_client("a", "1/min")]), Slow::default());
    for expected in [Reason::Allowed, Reason::LimitExceeded] {
        let before = limiter.store().asked.load(Ordering::Relaxed);
        let undecided = limiter.decide_at_once(&get("/")).unwrap_err();
        assert_eq!(limiter.store().asked.load(Ordering::Relaxed), before);
        let decision = ready(limiter.decide_later(undecided));
        assert_eq!(limiter.store().asked.load(Ordering::Relaxed), before + 1);
        assert_eq!(decision.reason(), expected);
    }
}

#[test]
fn a_request_that_is_dropped_undecided_is_not_charged() {
    let limiter = PolicyLimiter::new(set([by_client("a", "1/min")]), Slow::default());
    drop(limiter.decide_at_once(&get("/")).unwrap_err());
    assert!(ready(limiter.decide(&get("/"))).is_allowed());
}

#[test]
fn nothing_to_count_is_decided_at_once_whatever_the_store() {
    let policies = [
        by_client("limited", "1/min").path("/limited"),
        Policy::builder("shut").path("/shut").block(),
    ];
    let limiter = PolicyLimiter::new(set(policies), Slow::default());
    let reason = |path: &str| limiter.decide_at_once(&get(path)).unwrap().reason();
    assert_eq!(reason("/elsewhere"), Reason::NoPolicy);
    assert_eq!(reason("/shut"), Reason::Blocked);
    assert_eq!(limiter.store().asked.load(Ordering::Relaxed), 0);
}
