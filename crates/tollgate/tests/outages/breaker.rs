//! What opens the breaker, and what does not.

use futures_util::future::join;
use tokio::time::{Instant, sleep};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_store_that_is_silent_for_a_deadline_is_not_asked_again() {
    let guard = guard();
    open(&guard).await;
    let asked = |guard: &OutageGuard<Shaky>| guard.store().calls() - guard.store().probes();
    let before = (asked(&guard), Instant::now());
    for _ in 0..1_000 {
        let error = decide(&guard).await.unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable);
        assert!(error.to_string().contains("is not asked"), "{error}");
    }
    assert_eq!((asked(&guard), Instant::now()), before);
    assert_eq!(guard.stats().rejected, 1_000);
}

#[tokio::test(start_paused = true)]
async fn one_hiccup_among_answers_does_not_open_it() {
    let guard = guard();
    guard.store().set_health(Health::Hanging);
    let others = async {
        guard.store().set_health(Health::Serving);
        for _ in 0..10 {
            sleep(DEADLINE / 20).await;
            decide(&guard).await.unwrap();
        }
    };
    let (hung, ()) = join(error(&guard), others).await;
    assert_eq!(hung, StoreErrorKind::Timeout);
    assert!(!guard.is_open());
    assert_eq!((guard.stats().timeouts, guard.stats().opened), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn failures_in_a_row_open_it_and_any_answer_begins_the_row_anew() {
    let guard = guard();
    for answer in [
        Health::Serving,
        Health::Failing(StoreErrorKind::Full),
        Health::Failing(StoreErrorKind::Protocol),
    ] {
        guard
            .store()
            .set_health(Health::Failing(StoreErrorKind::Unavailable));
        for _ in 0..4 {
            assert_eq!(error(&guard).await, StoreErrorKind::Unavailable);
        }
        assert!(!guard.is_open());
        guard.store().set_health(answer);
        let _ = decide(&guard).await;
    }
    guard
        .store()
        .set_health(Health::Failing(StoreErrorKind::Unavailable));
    for _ in 0..5 {
        assert!(!guard.is_open());
        assert_eq!(error(&guard).await, StoreErrorKind::Unavailable);
    }
    assert!(guard.is_open());
    assert_eq!(guard.stats().failures, 17);
}

#[tokio::test(start_paused = true)]
async fn errors_that_are_answers_do_not_open_it() {
    for kind in [
        StoreErrorKind::Full,
        StoreErrorKind::Protocol,
        StoreErrorKind::Overloaded,
    ] {
        let guard = guard();
        guard.store().set_health(Health::Failing(kind));
        for _ in 0..100 {
            assert_eq!(error(&guard).await, kind);
        }
        assert!(!guard.is_open(), "{kind:?}");
    }
}

// B95
#[tokio::test(start_paused = true)]
async fn denials_are_answers() {
    let guard = guard();
    let limit: Limit = "1/h".parse().unwrap();
    for number in 0..100 {
        let outcomes = guard.decide(&[Charge::new(&limit, "key", 1)]).await;
        assert_eq!(outcomes.unwrap().is_allowed(), number == 0);
    }
    assert!(!guard.is_open());
    assert_eq!(guard.stats(), Default::default());
}

#[tokio::test(start_paused = true)]
async fn every_kind_of_call_has_the_deadline_and_the_breaker() {
    let (limit, admitted) = (ample(), decide(&shaky()).await.unwrap());
    let charges = [Charge::new(&limit, "key", 1)];
    for kind in [StoreErrorKind::Timeout, StoreErrorKind::Unavailable] {
        for call in 0..4 {
            let guard = guard();
            guard.store().set_health(Health::Hanging);
            if kind == StoreErrorKind::Unavailable {
                open(&guard).await;
            }
            let error = match call {
                0 => guard.peek(&charges).await.unwrap_err(),
                1 => guard.refund(&charges, &admitted).await.unwrap_err(),
                2 => guard.reset(&limit, "", "key").await.unwrap_err(),
                _ => guard.probe().await.unwrap_err(),
            };
            assert_eq!((error.kind(), guard.is_open()), (kind, true), "{call}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_store_that_decides_at_once_is_asked_at_once_until_it_fails() {
    /// Answers at once, as it was told.
    struct AtOnce(Shaky, std::sync::atomic::AtomicBool);
    impl Store for AtOnce {
        async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.decide(charges).await
        }
        fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
            Some(if self.1.load(std::sync::atomic::Ordering::SeqCst) {
                Err(StoreError::new(StoreErrorKind::Unavailable, "told to fail"))
            } else {
                self.0.inner().decide_now(charges)
            })
        }
        async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.peek(charges).await
        }
        async fn refund(&self, charges: &[Charge<'_>], a: &Outcomes) -> Result<(), StoreError> {
            self.0.refund(charges, a).await
        }
        async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
            self.0.reset(limit, policy, key).await
        }
    }
    let guard = OutageGuard::new(AtOnce(shaky(), false.into()));
    let limit = ample();
    let ask = || guard.decide_at_once(&[Charge::new(&limit, "key", 1)]);
    assert!(ask().unwrap().unwrap().is_allowed());
    guard
        .store()
        .1
        .store(true, std::sync::atomic::Ordering::SeqCst);
    guard.store().0.set_health(Health::Hanging);
    for _ in 0..5 {
        assert!(ask().unwrap().is_err());
    }
    guard
        .store()
        .1
        .store(false, std::sync::atomic::Ordering::SeqCst);
    let error = ask().unwrap().unwrap_err();
    assert!(guard.is_open() && error.to_string().contains("is not asked"));
}

#[tokio::test(start_paused = true)]
async fn a_store_that_must_be_waited_for_is_not_asked_at_once() {
    let guard = guard();
    assert!(guard.decide_at_once(&[]).is_none());
    open(&guard).await;
    assert!(guard.decide_at_once(&[]).unwrap().is_err());
}
