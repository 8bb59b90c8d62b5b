//! Stores that fail.

use tollgate::{Charge, Micros, Store, StoreErrorKind};
use tollgate_testkit::poll_now;

use crate::given::{ask, cached, decide, exhaust, limit, start};

#[test]
fn an_error_is_not_remembered() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    assert!(ask(&store, &limit, "key").is_allowed());
    store.store().fail();
    let charges = [Charge::new(&limit, "key", 1)];
    for _ in 0..2 {
        let error = poll_now(store.decide(&charges)).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Timeout);
    }
    assert_eq!(store.entries(), 0);
}

#[test]
fn who_is_known_to_be_denied_stays_denied_while_the_store_fails() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    let denied = exhaust(&store, &limit, "key");
    store.store().fail();
    let until = denied.at().saturating_add(denied.retry_after().unwrap());
    let charges = [Charge::new(&limit, "key", 1)];
    for minute in 0..60 {
        let passed = Micros::new(minute * Micros::MINUTE.as_micros());
        clock.set(denied.at().saturating_add(passed));
        let answer = decide(&store, &charges);
        let left = until.saturating_since(answer.at());
        assert_eq!(answer.retry_after(), Some(left));
    }
    clock.set(until);
    assert!(poll_now(store.decide(&charges)).is_err());
}

/// It may have been counted.
#[test]
fn a_failed_request_makes_the_cache_forget_what_was_left() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    assert!(!decide(&store, &both).is_allowed());
    assert_eq!(store.entries(), 2);
    store.store().fail();
    let alone = [Charge::new(&wide, "key", 1)];
    assert!(poll_now(store.decide(&alone)).is_err());
    assert_eq!(store.entries(), 1);
}
