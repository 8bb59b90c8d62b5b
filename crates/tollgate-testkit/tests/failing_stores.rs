//! The stores that fail when told to.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::pin::pin;
use std::task::{Context, Waker};

use tollgate::{Charge, Limit, ManualClock, Store, StoreErrorKind};
use tollgate_testkit::{
    FailingStore, Health, ReferenceStore, ScriptedAnswer, ScriptedStore, conformance, poll_now,
};

fn limit() -> Limit {
    "5/min".parse().unwrap()
}

fn is_pending(future: impl Future) -> bool {
    let mut context = Context::from_waker(Waker::noop());
    pin!(future).poll(&mut context).is_pending()
}

#[test]
fn a_failing_store_does_what_its_health_says() {
    let clock = ManualClock::new(conformance::START);
    let store = FailingStore::new(ReferenceStore::new(clock));
    let limit = limit();
    let charges = [Charge::new(&limit, "key", 1)];
    let remaining = || {
        let outcomes = poll_now(store.inner().peek(&charges)).unwrap();
        outcomes.deciding().unwrap().remaining
    };

    assert!(poll_now(store.decide(&charges)).unwrap().is_allowed());
    assert_eq!(remaining(), 4);

    store.set_health(Health::Failing(StoreErrorKind::Unavailable));
    let error = poll_now(store.decide(&charges)).unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    store.set_health(Health::Hanging);
    assert!(is_pending(store.decide(&charges)));
    assert_eq!(remaining(), 4, "what failed was not counted");

    store.set_health(Health::Deaf);
    assert!(is_pending(store.decide(&charges)));
    assert_eq!(remaining(), 3, "what was not answered was counted");

    store.set_health(Health::Serving);
    assert!(poll_now(store.reset(&limit, "", "key")).unwrap());
    assert_eq!(store.calls(), 5);
}

#[test]
fn a_scripted_store_answers_in_order_and_counts() {
    let clock = ManualClock::new(conformance::START);
    let limit = limit();
    let charges = [Charge::new(&limit, "key", 1)];
    let outcomes = poll_now(ReferenceStore::new(clock).decide(&charges)).unwrap();
    let store = ScriptedStore::new([
        ScriptedAnswer::Error(StoreErrorKind::Timeout),
        ScriptedAnswer::Outcomes(outcomes.clone()),
    ]);
    store.then(ScriptedAnswer::Silence);

    assert!(poll_now(store.decide(&charges)).unwrap_err().is_timeout());
    assert_eq!(poll_now(store.peek(&charges)).unwrap(), outcomes);
    assert!(is_pending(store.decide(&charges)));
    poll_now(store.refund(&charges, &outcomes)).unwrap();
    assert!(poll_now(store.reset(&limit, "", "key")).unwrap());
    let calls = (
        store.decisions(),
        store.peeks(),
        store.refunds(),
        store.resets(),
    );
    assert_eq!(calls, (2, 1, 1, 1));
}

#[test]
#[should_panic(expected = "asked more often than it has answers")]
fn a_scripted_store_refuses_a_call_too_many() {
    let limit = limit();
    let _ = poll_now(ScriptedStore::default().decide(&[Charge::new(&limit, "key", 1)]));
}
