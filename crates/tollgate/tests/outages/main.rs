//! Outages of a store, and the guard that makes them bearable. Time is Tokio's, and stands still
//! unless everybody waits.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails has failed its test"
)]

mod any;
mod bounds;
mod breaker;
mod hanging;
mod late;
mod logging;
mod probing;

use std::time::Duration;

use tollgate::{
    Charge, Limit, ManualClock, MemoryStore, OutageGuard, Outcomes, Store, StoreError,
    StoreErrorKind,
};
use tollgate_testkit::given::START;
use tollgate_testkit::{FailingStore, Health};

/// The store of nearly every test: it counts, and fails when told to.
type Shaky = FailingStore<MemoryStore<ManualClock>>;

const DEADLINE: Duration = Duration::from_millis(100);
/// What Tokio's timers may be late by.
const TIMER: Duration = Duration::from_millis(1);

fn shaky() -> Shaky {
    FailingStore::new(MemoryStore::with_clock(ManualClock::new(START)))
}

fn guard() -> OutageGuard<Shaky> {
    OutageGuard::new(shaky())
}

fn ample() -> Limit {
    "1000000/h".parse().unwrap()
}

async fn decide<S: Store>(store: &S) -> Result<Outcomes, StoreError> {
    store.decide(&[Charge::new(&ample(), "key", 1)]).await
}

/// The kind of a decision's error.
async fn error<S: Store>(store: &S) -> StoreErrorKind {
    decide(store).await.unwrap_err().kind()
}

/// Waits, with time moving on by itself, until the breaker is closed.
async fn until_closed<S: Store>(guard: &OutageGuard<S>) {
    let closed = async {
        while guard.is_open() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), closed)
        .await
        .unwrap();
}

/// Lets hanging calls open the breaker.
async fn open(guard: &OutageGuard<Shaky>) {
    guard.store().set_health(Health::Hanging);
    assert_eq!(error(guard).await, StoreErrorKind::Timeout);
    assert!(guard.is_open());
}
