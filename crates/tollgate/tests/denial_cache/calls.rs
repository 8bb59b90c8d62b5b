//! What asks the store, and what does not.

use std::time::Duration;

use tollgate::{
    Charge, DenialCache, Limit, ManualClock, Micros, Outcomes, State, Store, StoreError, Verdict,
};
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{Remote, ask, cached, decide, exhaust, limit, start, told_outcomes_only};

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
fn to_ask_whether_waiting_is_needed_forgets_nothing() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("10/min");
    exhaust(&store, &limit, "key");
    let with_another = ["key", "new"].map(|key| Charge::new(&limit, key, 1));
    assert!(store.decide_at_once(&with_another).is_none());
    assert_eq!(store.entries(), 1);
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

    // Without states, only what can never fit is certain beside a single unit.
    let store = told_outcomes_only(&clock);
    exhaust(&store, &limit, "key");
    let asked = store.store().decisions();
    for (cost, calls) in [(1, 0), (11, 0), (2, 1)] {
        assert!(!decide(&store, &[Charge::new(&limit, "key", cost)]).is_allowed());
        assert_eq!(store.store().decisions(), asked + calls, "{cost}");
    }
}

/// A store that tells of another moment than it answers for.
#[test]
fn states_that_contradict_the_outcomes_are_not_believed() {
    struct Confused(ReferenceStore<ManualClock>);

    impl Store for Confused {
        async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.decide(charges).await
        }

        async fn decide_with_states(
            &self,
            charges: &[Charge<'_>],
        ) -> Result<(Outcomes, Vec<State>), StoreError> {
            let fresh = charges.iter().map(|charge| State::fresh(charge.limit()));
            Ok((self.0.decide(charges).await?, fresh.collect()))
        }

        async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.peek(charges).await
        }

        async fn refund(&self, _: &[Charge<'_>], _: &Outcomes) -> Result<(), StoreError> {
            Ok(())
        }

        async fn reset(&self, _: &Limit, _: &str, _: &str) -> Result<bool, StoreError> {
            Ok(false)
        }
    }

    let clock = start();
    let store = DenialCache::builder(Remote::new(Confused(ReferenceStore::new(clock.clone()))))
        .clock_of_store(clock.clone())
        .build();
    let limit = limit("2/min");
    let denied = exhaust(&store, &limit, "key");
    let asked = store.store().decisions();
    assert_eq!(ask(&store, &limit, "key"), denied);
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

/// What the other limit denied when it was told may have been reset since, and spent elsewhere.
#[test]
fn what_was_left_is_told_only_by_what_has_denied_ever_since() {
    let clock = start();
    let store = cached(&clock);
    let (minute, hour, day) = (
        limit("1/min"),
        limit("1/h fixed-window"),
        limit("100/d fixed-window"),
    );
    let by = |limit| [limit, &day].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &by(&minute)).is_allowed());
    assert!(!decide(&store, &by(&minute)).is_allowed());
    assert!(poll_now(store.reset(&minute, "", "key")).unwrap());
    clock.advance(Micros::SECOND);
    // Another process takes some of the day.
    assert!(decide(&store.store().inner, &by(&minute)).is_allowed());
    exhaust(&store, &hour, "key");
    let right = decide(&store.store().inner, &by(&hour));
    assert_eq!(decide(&store, &by(&hour)), right);
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

/// The second one's wait is that of both, and says nothing of a single unit.
#[test]
fn two_charges_of_one_count_freeze_nothing_while_one_of_them_fits() {
    let clock = start();
    let store = told_outcomes_only(&clock);
    let limit = limit("10/min");
    assert!(decide(&store, &[Charge::new(&limit, "key", 9)]).is_allowed());
    let twice = [Charge::new(&limit, "key", 1); 2];
    assert!(!decide(&store, &twice).is_allowed());
    assert_eq!(store.entries(), 0);
    assert!(ask(&store, &limit, "key").is_allowed());
}

#[test]
fn what_only_looks_asks_the_store() {
    let clock = start();
    let store = cached(&clock);
    let limit = limit("1/min");
    exhaust(&store, &limit, "key");
    poll_now(store.store().inner.reset(&limit, "", "key")).unwrap();
    let peek = [Charge::new(&limit, "key", 1)];
    assert!(poll_now(store.peek(&peek)).unwrap().is_allowed());
    let look = decide(&store, &[Charge::new(&limit, "key", 0)]);
    assert_eq!(look.as_slice()[0].remaining, 1);
}

/// What is left is certain only together with what denies.
#[test]
fn a_limit_that_has_something_left_asks_the_store_when_it_is_charged_alone() {
    let clock = start();
    let store = cached(&clock);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "key", 1));
    assert!(decide(&store, &both).is_allowed());
    assert!(!decide(&store, &both).is_allowed());
    assert_eq!(store.entries(), 2);
    let asked = store.store().decisions();
    assert!(!decide(&store, &[Charge::new(&wide, "key", 100)]).is_allowed());
    assert_eq!(store.store().decisions(), asked + 1);
    // It is spent, if what denies is only looked at.
    let looked = [Charge::new(&narrow, "key", 0), Charge::new(&wide, "key", 1)];
    let answer = decide(&store, &looked);
    assert!(answer.is_allowed());
    assert_eq!(answer.as_slice()[1].remaining, 98);
    assert_eq!(decide(&store, &looked).as_slice()[1].remaining, 97);
}

#[test]
fn a_count_in_shadow_denies_nobody() {
    let clock = start();
    let store = cached(&clock);
    let (enforced, shadow) = (limit("2/min"), limit("1/h"));
    let in_shadow = Charge::new(&shadow, "key", 1)
        .of_policy("shadow")
        .in_shadow(1);
    let both = [Charge::new(&enforced, "key", 1), in_shadow];
    for request in 0..3 {
        assert_eq!(decide(&store, &both).is_allowed(), request < 2);
    }
    let asked = store.store().decisions();
    assert!(!decide(&store, &both).is_allowed());
    assert_eq!(store.store().decisions(), asked, "both deny");
    assert!(decide(&store, &[in_shadow]).is_allowed());
    assert!(decide(&store, &[in_shadow, in_shadow]).is_allowed());
}
