//! Answers that are on their way while something changes.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tollgate::{Charge, Store};
use tollgate_testkit::poll_now;

use crate::given::{ask, cached, decide, exhaust, limit, start};

fn poll<F: Future>(future: std::pin::Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_denial_that_was_on_its_way_during_a_reset_is_not_remembered() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    let charges = [Charge::new(&limit, "key", 1)];
    assert!(decide(&store, &charges).is_allowed());
    store.store().hold();
    let mut denial = pin!(store.decide(&charges));
    assert!(poll(denial.as_mut()).is_pending());
    store.store().let_go();
    assert!(poll_now(store.reset(&limit, "", "key")).unwrap());
    let Poll::Ready(answer) = poll(denial) else {
        panic!("the answer was let go");
    };
    assert!(!answer.unwrap().is_allowed());
    assert_eq!(store.entries(), 0);
    assert!(decide(&store, &charges).is_allowed());
}

/// The reset has been done, but its answer is on its way.
#[test]
fn a_denial_that_arrives_during_a_reset_is_forgotten_with_it() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    let charges = [Charge::new(&limit, "key", 1)];
    assert!(decide(&store, &charges).is_allowed());
    store.store().hold();
    let mut reset = pin!(store.reset(&limit, "", "key"));
    assert!(poll(reset.as_mut()).is_pending());
    store.store().let_go();
    // As if this one had been decided before the reset.
    assert!(ask(&store.store().inner, &limit, "key").is_allowed());
    assert!(!decide(&store, &charges).is_allowed());
    assert_eq!(store.entries(), 1);
    assert!(poll(reset).is_ready());
    assert_eq!(store.entries(), 0);
}

#[test]
fn a_denial_that_was_on_its_way_while_everything_was_cleared_is_not_remembered() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    let charges = [Charge::new(&limit, "key", 1)];
    assert!(decide(&store, &charges).is_allowed());
    store.store().hold();
    let mut denial = pin!(store.decide(&charges));
    assert!(poll(denial.as_mut()).is_pending());
    store.clear();
    store.store().let_go();
    assert!(poll(denial).is_ready());
    assert_eq!(store.entries(), 0);
}

#[test]
fn a_denial_that_was_on_its_way_during_a_refund_is_not_remembered() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    let charges = [Charge::new(&limit, "key", 1)];
    let admitted = decide(&store, &charges);
    store.store().hold();
    let mut denial = pin!(store.decide(&charges));
    assert!(poll(denial.as_mut()).is_pending());
    store.store().let_go();
    poll_now(store.refund(&charges, &admitted)).unwrap();
    assert!(poll(denial).is_ready());
    assert_eq!(store.entries(), 0);
}

/// What a limit had left is told by an answer from before something was spent of it.
#[test]
fn what_was_left_before_an_admission_is_not_remembered_after_it() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    store.store().hold();
    let mut denial = pin!(store.decide(&both));
    assert!(poll(denial.as_mut()).is_pending());
    store.store().let_go();
    assert!(ask(&store, &wide, "key").is_allowed());
    assert!(poll(denial).is_ready());
    let right = decide(&store.store().inner, &both);
    assert_eq!(decide(&store, &both), right);
}

/// A caller who hangs up does not tell whether the store has spent what it was asked for.
#[test]
fn a_decision_that_nobody_waited_for_makes_the_cache_forget() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    assert!(!decide(&store, &both).is_allowed());
    store.store().hold();
    {
        let alone = [Charge::new(&wide, "key", 5)];
        // It is known as one that has something left, so the store is asked.
        let mut dropped = pin!(store.decide(&alone));
        assert!(poll(dropped.as_mut()).is_pending());
    }
    store.store().let_go();
    let right = decide(&store.store().inner, &both);
    assert_eq!(decide(&store, &both), right);
    assert_eq!(right.as_slice()[1].remaining, 94);
}

/// What is on its way may have been done.
#[test]
fn a_key_is_not_denied_from_memory_while_its_reset_or_refund_is_on_its_way() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h fixed-window");
    exhaust(&store, &limit, "reset");
    store.store().hold();
    let mut reset = pin!(store.reset(&limit, "", "reset"));
    assert!(poll(reset.as_mut()).is_pending());
    store.store().let_go();
    assert!(ask(&store, &limit, "reset").is_allowed());

    let charges = [Charge::new(&limit, "refund", 1)];
    let admitted = decide(&store, &charges);
    assert!(!decide(&store, &charges).is_allowed());
    store.store().hold();
    let mut refund = pin!(store.refund(&charges, &admitted));
    assert!(poll(refund.as_mut()).is_pending());
    store.store().let_go();
    assert!(decide(&store, &charges).is_allowed());
}

#[test]
fn a_dropped_reset_makes_the_cache_forget() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/h");
    exhaust(&store, &limit, "key");
    store.store().hold();
    assert!(poll(pin!(store.reset(&limit, "", "key"))).is_pending());
    store.store().let_go();
    assert!(ask(&store, &limit, "key").is_allowed());
}
