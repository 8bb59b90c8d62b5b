//! The cache's clock is not the store's.

use tollgate::{Charge, DenialCache, ManualClock, Micros, Store, Timestamp};
use tollgate_testkit::given::START;
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{
    Cached, Remote, ask, cached, decide, exhaust, limit, start, told_outcomes_only,
};

/// A cache with a clock of its own.
fn apart(store_clock: &ManualClock, cache_clock: &ManualClock) -> Cached {
    DenialCache::builder(Remote::new(ReferenceStore::new(store_clock.clone())))
        .clock(cache_clock.clone())
        .build()
}

/// Lets `millionths` of a million microseconds pass on the cache's clock for each million that
/// pass on the store's.
fn pass(store: &ManualClock, cache: &ManualClock, span: u64, millionths: u64) {
    store.advance(Micros::new(span));
    cache.advance(Micros::new(span * millionths / 1_000_000));
}

/// The promise of the documentation, by either clock gaining one in a thousand.
#[test]
fn clocks_that_run_apart_deny_nobody_whom_the_store_would_admit_and_tell_no_wait_too_short() {
    for text in [
        "1/min",
        "1/10s fixed-window anchor first-request",
        "3/h sliding-log",
        "1/s",
    ] {
        for millionths in [999_000, 999_999, 1_000_000, 1_000_001, 1_001_000] {
            let store_clock = start();
            // Not even near the store's.
            let cache_clock = ManualClock::new(Timestamp::from_secs(7));
            let store = apart(&store_clock, &cache_clock);
            let limit = limit(text);
            let wait = exhaust(&store, &limit, "key").retry_after().unwrap();
            let step = wait.as_micros() / 1_000 / 1_000 * 1_000;
            let mut hits = 0;
            loop {
                let asked = store.store().decisions();
                let answer = ask(&store, &limit, "key");
                if answer.is_allowed() {
                    break;
                }
                let looked = [Charge::new(&limit, "key", 1)];
                let right = poll_now(store.store().inner.peek(&looked)).unwrap();
                assert!(!right.is_allowed(), "{text} at {millionths}");
                assert!(
                    answer.retry_after() >= right.retry_after(),
                    "{text} at {millionths}: {answer:?}, {right:?}"
                );
                let too_long = answer.at().saturating_since(right.at());
                assert_eq!(too_long, Micros::ZERO, "{text} at {millionths}");
                hits += usize::from(store.store().decisions() == asked);
                pass(&store_clock, &cache_clock, step.max(1_000), millionths);
            }
            assert!(hits > 500, "{text} at {millionths}: {hits}");
        }
    }
}

#[test]
fn who_waits_out_what_the_cache_told_is_admitted() {
    for millionths in [999_000, 1_000_000, 1_001_000] {
        let (store_clock, cache_clock) = (start(), start());
        let store = apart(&store_clock, &cache_clock);
        let limit = limit("1/min");
        exhaust(&store, &limit, "key");
        pass(&store_clock, &cache_clock, 30_000_000, millionths);
        let asked = store.store().decisions();
        let wait = ask(&store, &limit, "key").retry_after().unwrap();
        assert_eq!(store.store().decisions(), asked);
        // Nor is it told to wait for long without need.
        assert!(wait < Micros::new(30_070_000), "{wait}");
        pass(&store_clock, &cache_clock, wait.as_micros(), millionths);
        assert!(ask(&store, &limit, "key").is_allowed(), "{millionths}");
    }
}

/// The store answered somewhere between asking and hearing: which is not known.
#[test]
fn the_way_to_the_store_and_back_counts_for_the_client() {
    use std::pin::pin;
    use std::task::{Context, Waker};

    let mut context = Context::from_waker(Waker::noop());
    let clock = start();
    let store = apart(&clock, &clock);
    let limit = limit("1/10s");
    assert!(ask(&store, &limit, "key").is_allowed());
    let charges = [Charge::new(&limit, "key", 1)];
    store.store().hold();
    let mut denial = pin!(store.decide(&charges));
    assert!(denial.as_mut().poll(&mut context).is_pending());
    clock.advance(Micros::SECOND);
    store.store().let_go();
    assert!(denial.poll(&mut context).is_ready());
    // Right after, the store's instant is a second later than it told, but perhaps it is not.
    let told = ask(&store, &limit, "key");
    assert_eq!(told.retry_after(), Some(Micros::from_secs(10)));
    // By when it was asked, its wait is over.
    clock.set(START.saturating_add(Micros::from_millis(9_999)));
    let asked = store.store().decisions();
    assert!(!ask(&store, &limit, "key").is_allowed());
    assert_eq!(store.store().decisions(), asked + 1);
}

#[test]
fn a_clock_that_steps_back_extends_no_denial() {
    let (store_clock, cache_clock) = (start(), start());
    let store = apart(&store_clock, &cache_clock);
    let limit = limit("1/min");
    exhaust(&store, &limit, "key");
    pass(&store_clock, &cache_clock, 50_000_000, 1_000_000);
    // Another key shows the time, this one is not looked at.
    assert!(ask(&store, &limit, "another key").is_allowed());
    cache_clock.set(START.saturating_add(Micros::SECOND));
    store_clock.advance(Micros::from_secs(10));
    assert!(ask(&store, &limit, "key").is_allowed());
}

/// The store remembers a step back of more than a period; what was told before must not come back
/// when the clock has caught up.
#[test]
fn what_was_told_before_the_stores_clock_stepped_back_is_forgotten() {
    let clock = start();
    let store = told_outcomes_only(&clock);
    let limit = limit("1/1ms burst 3");
    exhaust(&store, &limit, "key");
    // Not far enough to be noticed as such.
    clock.set(START.saturating_sub(Micros::from_millis(2)));
    assert!(!decide(&store, &[Charge::new(&limit, "key", 2)]).is_allowed());
    clock.set(START);
    assert!(ask(&store, &limit, "key").is_allowed());
}

/// A store does not keep what it finds for who only looks.
#[test]
fn looking_after_a_step_back_enters_nothing() {
    let clock = start();
    let store = cached(&clock);
    let (looked_at, denies) = (
        limit("1/min"),
        limit("1/h fixed-window anchor first-request"),
    );
    exhaust(&store, &looked_at, "key");
    exhaust(&store, &denies, "key");
    let charges = [
        Charge::new(&looked_at, "key", 0),
        Charge::new(&denies, "key", 1),
    ];
    clock.set(START.saturating_sub(Micros::from_secs(120)));
    for _ in 0..3 {
        let right = decide(&store.store().inner, &charges);
        assert_eq!(decide(&store, &charges), right);
        assert!(!right.is_allowed());
        clock.advance(Micros::SECOND);
    }
}
