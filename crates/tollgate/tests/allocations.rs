//! A guarded decision allocates nothing beside what its store does.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests say what is wrong by panicking"
)]

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tollgate::{
    Charge, Limit, ManualClock, MemoryStore, OutageGuard, Outcomes, Store, StoreError,
    StoreErrorKind,
};
use tollgate_testkit::given::{START, limit};

/// A store whose answers come at the second look.
struct Waiting(MemoryStore<ManualClock>);

async fn wait() {
    let mut waited = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut waited, true) {
            Poll::Ready(())
        } else {
            Poll::Pending
        }
    })
    .await;
}

impl Store for Waiting {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        wait().await;
        self.0.decide_now(charges)
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.0.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.0.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.0.reset(limit, policy, key).await
    }
}

/// The answer to one request, and how many allocations it took.
fn decide<S: Store>(guard: &OutageGuard<S>) -> (Result<Outcomes, StoreError>, u64) {
    let limit = limit("10/min");
    let charges = [Charge::new(&limit, "key", 1)];
    let mut answer = None;
    let info = allocation_counter::measure(|| {
        let mut context = Context::from_waker(Waker::noop());
        let mut future = pin!(guard.decide(&charges));
        for _ in 0..2 {
            if let Poll::Ready(ready) = future.as_mut().poll(&mut context) {
                answer = Some(ready);
                return;
            }
        }
        panic!("the future waits for something else");
    });
    (answer.unwrap(), info.count_total)
}

#[test]
fn a_guarded_decision_allocates_nothing_whether_it_waits_or_is_turned_away() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let _entered = runtime.enter();
    let guard = OutageGuard::new(Waiting(MemoryStore::with_clock(ManualClock::new(START))));
    // The first one makes the key.
    decide(&guard).0.unwrap();
    let (answer, allocations) = decide(&guard);
    assert!(answer.unwrap().is_allowed());
    assert_eq!(allocations, 0);

    // Nothing drives the runtime, so that no probe is sent and it stays open.
    let guard = OutageGuard::builder(Failing).failures(1).build().unwrap();
    assert_eq!(decide(&guard).0.unwrap_err().to_string(), "told to fail");
    assert!(guard.is_open());
    let (answer, allocations) = decide(&guard);
    assert_eq!(answer.unwrap_err().kind(), StoreErrorKind::Unavailable);
    assert_eq!(allocations, 0);
}

/// A store that fails.
struct Failing;

impl Store for Failing {
    async fn decide(&self, _: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable, "told to fail"))
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.decide(charges).await
    }

    async fn refund(&self, _: &[Charge<'_>], _: &Outcomes) -> Result<(), StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable, "told to fail"))
    }

    async fn reset(&self, _: &Limit, _: &str, _: &str) -> Result<bool, StoreError> {
        Err(StoreError::new(StoreErrorKind::Unavailable, "told to fail"))
    }
}
