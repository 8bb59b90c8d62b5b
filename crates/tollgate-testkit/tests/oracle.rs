//! What the oracle answers where a store's trait leaves a choice.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use tollgate::{Charge, Limit, ManualClock, Micros, Outcomes, Store, Verdict};
use tollgate_testkit::{ReferenceStore, conformance, poll_now};

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

fn oracle() -> (ReferenceStore<ManualClock>, ManualClock) {
    let clock = ManualClock::new(conformance::START);
    (ReferenceStore::new(clock.clone()), clock)
}

fn decide(store: &ReferenceStore<ManualClock>, charges: &[Charge<'_>]) -> Outcomes {
    poll_now(store.decide(charges)).unwrap()
}

#[test]
fn an_enforced_charge_does_not_see_a_shadow_charge_of_its_own_count() {
    let (store, _) = oracle();
    let limit = limit("1/min");
    let charge = Charge::new(&limit, "key", 1);
    let outcomes = decide(&store, &[charge.in_shadow(1), charge]);
    assert!(outcomes.is_allowed());
    let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict).collect();
    assert_eq!(
        verdicts,
        [Verdict::Deny, Verdict::Allow],
        "the shadow sees what was enforced"
    );
}

/// The wait of a request that asks for the same count twice is true for both together.
#[test]
fn the_wait_of_a_duplicate_is_that_of_the_whole_request() {
    for text in [
        "5/min",
        "5/min fixed-window",
        "5/min sliding-window",
        "5/min sliding-log",
    ] {
        let (store, clock) = oracle();
        let limit = limit(text);
        decide(&store, &[Charge::new(&limit, "key", 3)]);
        clock.advance(Micros::from_secs(7));
        let twice = [Charge::new(&limit, "key", 2), Charge::new(&limit, "key", 2)];
        let denied = decide(&store, &twice);
        let promised = denied.at().saturating_add(denied.retry_after().unwrap());
        clock.set(promised.saturating_sub(Micros::new(1)));
        assert!(!decide(&store, &twice).is_allowed(), "{text}");
        clock.set(promised);
        assert!(decide(&store, &twice).is_allowed(), "{text}");
    }
}

/// Each of two charges of one count is refunded for itself: together they give back no more than
/// is left of both, whoever else has used the count since.
#[test]
fn refunded_duplicates_give_back_what_is_left_of_both() {
    let (store, clock) = oracle();
    let limit = limit("1/s burst 2");
    let twice = [Charge::new(&limit, "key", 1), Charge::new(&limit, "key", 1)];
    let admitted = decide(&store, &twice);
    clock.advance(Micros::SECOND);
    // One of the two units has come back by now, and another request takes it.
    assert!(decide(&store, &twice[..1]).is_allowed());
    poll_now(store.refund(&twice, &admitted)).unwrap();
    let seen = poll_now(store.peek(&twice[..1])).unwrap();
    assert_eq!(
        seen.deciding().unwrap().remaining,
        1,
        "the other request's unit stays used"
    );
}

#[test]
fn a_charge_of_cost_zero_brings_no_state_to_its_instant() {
    let (store, clock) = oracle();
    let limit = limit("10/min");
    decide(&store, &[Charge::new(&limit, "key", 2)]);
    let later = conformance::START.saturating_add(Micros::from_secs(30));
    clock.set(later);
    decide(&store, &[Charge::new(&limit, "key", 0)]);
    clock.set(conformance::START);
    let seen = decide(&store, &[Charge::new(&limit, "key", 0)]);
    assert_eq!(seen.deciding().unwrap().remaining, 8);
}
