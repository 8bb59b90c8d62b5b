//! The cap, callers who give up, options, and no runtime.

use futures_util::future::join_all;
use tollgate_testkit::{conformance, poll_now};

use super::*;

#[tokio::test(start_paused = true)]
async fn one_call_too_many_fails_at_once_and_is_not_sent() {
    let guard = OutageGuard::builder(shaky())
        .max_waiting(3)
        .build()
        .unwrap();
    guard.store().set_health(Health::Hanging);
    let kinds = join_all((0..5).map(|_| error(&guard))).await;
    use StoreErrorKind::{Overloaded, Timeout};
    assert_eq!(kinds, [Timeout, Timeout, Timeout, Overloaded, Overloaded]);
    let stats = guard.stats();
    assert_eq!((stats.overloaded, stats.timeouts, stats.waiting), (2, 3, 0));
}

#[tokio::test(start_paused = true)]
async fn a_caller_who_gives_up_frees_the_place_and_counts_as_nothing() {
    let guard = OutageGuard::builder(shaky())
        .max_waiting(1)
        .failures(1)
        .build()
        .unwrap();
    guard.store().set_health(Health::Hanging);
    for _ in 0..100 {
        let given_up = tokio::time::timeout(DEADLINE / 2, decide(&guard)).await;
        assert!(given_up.is_err());
        assert_eq!(guard.stats(), Default::default());
    }
    guard.store().set_health(Health::Serving);
    decide(&guard).await.unwrap();
    // Nor as an answer: one that hangs still finds the store silent.
    guard.store().set_health(Health::Hanging);
    let given_up = async {
        tokio::time::sleep(DEADLINE / 2).await;
        drop(decide(&guard));
    };
    let (kind, ()) = futures_util::future::join(error(&guard), given_up).await;
    assert_eq!((kind, guard.is_open()), (StoreErrorKind::Timeout, true));
}

#[tokio::test(start_paused = true)]
async fn the_store_does_not_get_to_see_a_call_after_its_deadline() {
    /// Counts once its answer is due, long after the deadline.
    struct Slow(MemoryStore<ManualClock>);
    impl Store for Slow {
        async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            tokio::time::sleep(DEADLINE * 3).await;
            self.0.decide(charges).await
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
    let guard = OutageGuard::new(Slow(MemoryStore::with_clock(ManualClock::new(START))));
    assert_eq!(error(&guard).await, StoreErrorKind::Timeout);
    tokio::time::sleep(DEADLINE * 10).await;
    assert_eq!(guard.store().0.keys(), 0, "its future was dropped");
}

#[test]
fn options_out_of_their_bounds_are_refused_with_the_bound() {
    let build = |deadline, waiting, failures| {
        let builder = OutageGuard::builder(shaky()).deadline(deadline);
        let built = builder.max_waiting(waiting).failures(failures).build();
        built.unwrap_err().to_string()
    };
    let text = build(Duration::ZERO, 1, 1);
    assert_eq!(text, "the deadline is 0ns; it may be 1ms to 60s");
    assert!(build(Duration::from_secs(61), 1, 1).contains("61s"));
    assert!(build(DEADLINE, 0, 1).contains("0 calls"));
    assert!(build(DEADLINE, 1, 0).contains("0 failures"));
}

#[test]
fn without_a_runtime_a_store_that_answers_at_once_is_guarded_too() {
    let clock = ManualClock::new(START);
    let guard = OutageGuard::new(MemoryStore::with_clock(clock.clone()));
    poll_now(conformance::run_all(&guard, &clock));
}

#[test]
fn without_a_runtime_waiting_is_an_error_that_says_so_and_no_outage() {
    let guard = guard();
    guard.store().set_health(Health::Hanging);
    for _ in 0..100 {
        let error = poll_now(decide(&guard)).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable);
        assert!(error.to_string().contains("runtime"), "{error}");
    }
    assert!(!guard.is_open());
    guard
        .store()
        .set_health(Health::Failing(StoreErrorKind::Unavailable));
    for _ in 0..6 {
        assert!(poll_now(decide(&guard)).is_err());
    }
    assert!(guard.is_open());
}

#[tokio::test(start_paused = true)]
async fn a_guarded_store_decides_like_any() {
    let clock = ManualClock::new(START);
    let guard = OutageGuard::new(FailingStore::new(MemoryStore::with_clock(clock.clone())));
    conformance::run_all(&guard, &clock).await;
    assert_eq!(guard.stats(), Default::default());
}

#[test]
fn shows_its_state_and_nothing_of_the_store() {
    let text = format!("{:?}", OutageGuard::new(shaky()));
    assert!(
        text.contains("is_open: false") && !text.contains("Memory"),
        "{text}"
    );
}
