//! What asks the store, and what does not.

use std::time::Duration;

use tollgate::{Charge, DenialCache, Micros, Store, Verdict};
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{Remote, ask, cached, decide, exhaust, limit, start};

#[test]
fn a_denied_key_asks_again_only_when_it_may_be_admitted() {
    for text in [
        "2/min",
        "2/min fixed-window",
        "2/min fixed-window anchor first-request",
        "2/min sliding-window",
        "2/min sliding-log",
    ] {
        let clock = start();
        let store = DenialCache::builder(Remote::new(ReferenceStore::new(clock.clone())))
            .ask_again_after(Duration::MAX)
            .clock_of_store(clock.clone())
            .build();
        let limit = limit(text);
        let denied = exhaust(&store, &limit, "key");
        let asked = store.store().decisions();
        let wait = denied.retry_after().unwrap();
        let until = denied.at().saturating_add(wait);
        for part in 0..100 {
            let passed = Micros::new(wait.as_micros() / 100 * part);
            clock.set(denied.at().saturating_add(passed));
            let again = ask(&store, &limit, "key");
            let left = until.saturating_since(again.at());
            assert_eq!(again.retry_after(), Some(left), "{text}");
        }
        clock.set(until.saturating_sub(Micros::new(1)));
        assert_eq!(
            ask(&store, &limit, "key").retry_after(),
            Some(Micros::new(1))
        );
        assert_eq!(store.store().decisions(), asked, "{text}");
        clock.set(until);
        assert!(ask(&store, &limit, "key").is_allowed(), "{text}");
    }
}

#[test]
fn a_known_denial_needs_no_waiting() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/min");
    let charges = [Charge::new(&limit, "key", 1)];
    assert!(store.decide_at_once(&charges).is_none());
    exhaust(&store, &limit, "key");
    let denied = store.decide_at_once(&charges).unwrap().unwrap();
    assert_eq!(denied, ask(&store, &limit, "key"));
    assert!(!denied.is_allowed());
}

#[test]
fn several_limits_of_a_policy_are_answered_with_their_numbers() {
    for (narrow, wide) in [
        ("2/min", "100/h"),
        ("2/min fixed-window", "100/h sliding-window"),
        ("2/min sliding-log", "7/h fixed-window"),
        ("2/min", "100/h fixed-window anchor first-request"),
    ] {
        let clock = start();
        let store = cached(&clock);
        let (narrow, wide) = (limit(narrow), limit(wide));
        let charges = [&wide, &narrow].map(|limit| Charge::new(limit, "key", 1));
        for request in 0..3 {
            assert_eq!(decide(&store, &charges).is_allowed(), request < 2);
        }
        let asked = store.store().decisions();
        for _ in 0..20 {
            clock.advance(Micros::SECOND);
            let ours = decide(&store, &charges);
            let right = decide(&store.store().inner, &charges);
            assert_eq!(ours, right, "{wide}");
            assert_eq!(ours.as_slice()[0].verdict, Verdict::Allow);
        }
        assert_eq!(store.store().decisions(), asked, "{wide}");
    }
}

#[test]
fn a_large_cost_is_told_its_own_wait() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("10/min");
    exhaust(&store, &limit, "key");
    let asked = store.store().decisions();
    for cost in [0, 1, 2, 7, 10, 11] {
        clock.advance(Micros::from_millis(900));
        let charges = [
            Charge::new(&limit, "key", 1),
            Charge::new(&limit, "key", cost),
        ];
        let right = decide(&store.store().inner, &charges);
        assert_eq!(decide(&store, &charges), right, "{cost}");
    }
    assert_eq!(store.store().decisions(), asked);
}

/// Another policy may be charged elsewhere, without this one.
#[test]
fn a_policy_that_has_something_left_asks_the_store() {
    let clock = start();
    let store = cached(&clock);
    let (login, all) = (limit("1/min"), limit("100/h"));
    let other_key = Charge::new(&all, "another key", 1).of_policy("login");
    for open in [
        Charge::new(&all, "key", 1).of_policy("all"),
        Charge::new(&all, "key", 1).of_policy("shadow").in_shadow(1),
        Charge::new(&all, "key", 1).of_policy("login").in_shadow(1),
        other_key,
    ] {
        let charges = [Charge::new(&login, "key", 1).of_policy("login"), open];
        decide(&store, &charges);
        let asked = store.store().decisions();
        assert!(!decide(&store, &charges).is_allowed());
        assert!(!decide(&store, &charges).is_allowed());
        assert_eq!(store.store().decisions(), asked + 2, "{open:?}");
    }
}

/// The frozen count must have been frozen ever since the other one was told.
#[test]
fn what_was_left_is_not_told_by_an_older_answer_than_that_of_the_limit_that_denies() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/d fixed-window"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    assert!(!decide(&store, &both).is_allowed());
    clock.advance(Micros::MINUTE);
    // Another process takes both, then this one is told of the narrow limit alone.
    assert!(decide(&store.store().inner, &both).is_allowed());
    assert!(!ask(&store, &narrow, "key").is_allowed());
    let right = decide(&store.store().inner, &both);
    assert_eq!(decide(&store, &both), right);
    assert_eq!(right.as_slice()[1].remaining, 98);
}

#[test]
fn a_request_that_is_denied_for_its_cost_alone_freezes_nothing() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("10/min");
    let five = [Charge::new(&limit, "key", 6)];
    assert!(decide(&store, &five).is_allowed());
    assert!(!decide(&store, &five).is_allowed());
    assert_eq!(store.entries(), 0);
    assert!(ask(&store, &limit, "key").is_allowed());
    assert!(decide(&store, &[]).is_allowed());
}

#[test]
fn a_peek_asks_the_store() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/min");
    exhaust(&store, &limit, "key");
    let charges = [Charge::new(&limit, "key", 1)];
    poll_now(store.store().inner.reset(&limit, "", "key")).unwrap();
    assert!(poll_now(store.peek(&charges)).unwrap().is_allowed());
}
