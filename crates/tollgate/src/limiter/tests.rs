use tollgate_core::{Micros, Timestamp, Verdict};
use tollgate_testkit::poll_now;

use super::*;
use crate::ManualClock;

fn limiter(limits: &[&str]) -> (Limiter<MemoryStore<ManualClock>>, ManualClock) {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::with_clock(clock.clone());
    let builder = limits
        .iter()
        .fold(Limiter::builder(store), |builder, limit| {
            builder.limit(limit.parse().unwrap())
        });
    (builder.build().unwrap(), clock)
}

#[test]
fn refuses_limits_that_would_share_a_count_and_names_both() {
    let store = || MemoryStore::builder().max_keys(10).build();
    let error = Limiter::builder(store()).build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "a limiter has no limit; add one, such as `10/min`"
    );
    let error = Limiter::builder(store())
        .limit("100/min".parse().unwrap())
        .limit("10/s".parse().unwrap())
        .limit("200/min burst 20".parse().unwrap())
        .build()
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the limits `100/min` and `200/min burst 20` have the same algorithm and period, so they would share a count; keep the stricter one"
    );
}

#[test]
fn peeks_refunds_and_resets_all_of_its_limits() {
    let (limiter, clock) = limiter(&["2/s fixed-window", "3/min sliding-log"]);
    let remaining = || -> Vec<u64> {
        let outcomes = poll_now(limiter.peek("key")).unwrap();
        outcomes.iter().map(|outcome| outcome.remaining).collect()
    };
    let outcomes = poll_now(limiter.check_cost("key", 2)).unwrap();
    assert!(outcomes.is_allowed());
    assert_eq!(remaining(), [0, 1]);
    poll_now(limiter.refund("key", 2, &outcomes)).unwrap();
    assert_eq!(remaining(), [2, 3]);
    clock.advance(Micros::SECOND);
    assert!(limiter.check_now("key").unwrap().is_allowed());
    assert_eq!(remaining(), [1, 2]);
    assert!(poll_now(limiter.reset("key")).unwrap());
    assert_eq!(remaining(), [2, 3]);
    assert!(!poll_now(limiter.reset("key")).unwrap());
}

#[test]
fn does_the_same_without_awaiting() {
    let (limiter, _) = limiter(&["2/s fixed-window", "3/min sliding-log"]);
    let outcomes = limiter.check_cost_now("key", 2).unwrap();
    let remaining = || limiter.peek_now("key").as_slice().to_vec();
    assert_eq!(remaining().iter().map(|one| one.remaining).sum::<u64>(), 1);
    limiter.refund_now("key", 2, &outcomes);
    assert_eq!(remaining().iter().map(|one| one.remaining).sum::<u64>(), 5);
    assert!(limiter.check_now("key").unwrap().is_allowed());
    assert!(limiter.reset_now("key"));
    assert_eq!(remaining().iter().map(|one| one.remaining).sum::<u64>(), 5);
    assert!(!limiter.reset_now("key"));
}

#[test]
fn limiters_with_different_names_share_a_store_and_no_count() {
    let store = std::sync::Arc::new(MemoryStore::default());
    let named = |name| {
        Limiter::builder(std::sync::Arc::clone(&store))
            .name(name)
            .limit("1/h".parse().unwrap())
            .build()
            .unwrap()
    };
    let (one, two) = (named("one"), named("two"));
    assert!(poll_now(one.check("key")).unwrap().is_allowed());
    assert!(poll_now(two.check("key")).unwrap().is_allowed());
    assert!(!poll_now(one.check("key")).unwrap().is_allowed());
}

#[test]
fn a_cost_that_can_never_fit_is_told_apart_from_one_that_must_wait() {
    let (limiter, _) = limiter(&["3/min"]);
    let outcomes = limiter.check_cost_now("key", 4).unwrap();
    assert_eq!(outcomes.as_slice()[0].verdict, Verdict::Never);
    assert_eq!(outcomes.retry_after(), None);
    assert!(limiter.check_cost_now("key", 3).unwrap().is_allowed());
    assert!(limiter.check_now("key").unwrap().retry_after().is_some());
}
