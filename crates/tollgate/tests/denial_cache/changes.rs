//! What makes the cache forget.

use std::time::Duration;

use tollgate::{Charge, DenialCache, ManualClock, Micros, Store};
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{Remote, ask, cached, decide, exhaust, limit, start, told_outcomes_only};

#[test]
fn a_reset_key_is_admitted_and_others_stay_denied() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    exhaust(&store, &limit, "one");
    exhaust(&store, &limit, "other");
    let asked = store.store().decisions();
    assert!(poll_now(store.reset(&limit, "", "one")).unwrap());
    assert!(!ask(&store, &limit, "other").is_allowed());
    assert_eq!(store.store().decisions(), asked);
    assert!(ask(&store, &limit, "one").is_allowed());
}

#[test]
fn a_refund_lets_its_key_in() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h fixed-window");
    let charges = [Charge::new(&limit, "key", 1)];
    let admitted = decide(&store, &charges);
    assert!(!decide(&store, &charges).is_allowed());
    assert_eq!(store.entries(), 1);
    poll_now(store.refund(&charges, &admitted)).unwrap();
    assert!(decide(&store, &charges).is_allowed());
}

#[test]
fn a_cleared_cache_asks_the_store() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    exhaust(&store, &limit, "key");
    let asked = store.store().decisions();
    store.clear();
    assert_eq!(store.entries(), 0);
    assert!(!ask(&store, &limit, "key").is_allowed());
    assert_eq!(store.store().decisions(), asked + 1);
}

fn a_changed_limit_asks<S: Store>(store: &DenialCache<Remote<S>, ManualClock>) {
    for (old, new) in [
        ("2/min", "5/min"),
        ("2/min", "3/min burst 2"),
        ("2/min", "2/min burst 9"),
        ("2/h fixed-window", "3/h fixed-window"),
        ("2/h sliding-log", "3/h sliding-log"),
        ("2/h sliding-window", "3/d sliding-window"),
    ] {
        let key = format!("{old} {new}");
        let (old, new) = (limit(old), limit(new));
        exhaust(store, &old, &key);
        let changed = [Charge::new(&new, &key, 1)];
        let right = poll_now(store.store().inner.peek(&changed)).unwrap();
        let answer = decide(store, &changed);
        assert_eq!(answer.is_allowed(), right.is_allowed(), "{key}");
        assert_eq!(answer.retry_after(), right.retry_after(), "{key}");
        // Nor does the old limit's answer forget what the new one has spent.
        let right = ask(&store.store().inner, &old, &key);
        assert_eq!(ask(store, &old, &key), right, "{key}");
    }
}

#[test]
fn a_changed_limit_is_not_answered_by_the_old_one() {
    let clock = start();
    a_changed_limit_asks(&cached(&clock));
    a_changed_limit_asks(&told_outcomes_only(&clock));
}

/// Nothing else could have spent it meanwhile but a request of another tier, in this process.
#[test]
fn what_is_spent_of_a_limit_that_had_something_left_is_noticed() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    assert!(!decide(&store, &both).is_allowed());
    assert!(ask(&store, &wide, "key").is_allowed());
    let right = decide(&store.store().inner, &both);
    assert_eq!(decide(&store, &both), right);
    assert_eq!(right.as_slice()[1].remaining, 98);
}

#[test]
fn what_another_process_resets_is_noticed_when_the_store_is_asked_again() {
    let clock = start();
    let store = DenialCache::builder(Remote::new(ReferenceStore::new(clock.clone())))
        .ask_again_after(Duration::from_secs(10))
        .clock_of_store(clock.clone())
        .build();
    let limit = limit("1/h");
    exhaust(&store, &limit, "key");
    poll_now(store.store().inner.reset(&limit, "", "key")).unwrap();
    clock.advance(Micros::new(9_999_999));
    assert!(!ask(&store, &limit, "key").is_allowed());
    clock.advance(Micros::new(1));
    assert!(ask(&store, &limit, "key").is_allowed());
}
