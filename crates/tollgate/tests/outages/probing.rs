//! How an outage ends.

use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::*;

#[tokio::test(start_paused = true)]
async fn a_program_starts_while_its_store_is_away_and_recovers_by_itself() {
    let store = shaky();
    store.set_health(Health::Failing(StoreErrorKind::Unavailable));
    let guard = OutageGuard::new(store);
    for _ in 0..10 {
        assert_eq!(error(&guard).await, StoreErrorKind::Unavailable);
    }
    sleep(Duration::from_secs(30)).await;
    assert!(guard.is_open());
    guard.store().set_health(Health::Serving);
    // Nobody asks, and it is found out all the same.
    sleep(Duration::from_secs(1)).await;
    assert!(!guard.is_open());
    decide(&guard).await.unwrap();
    assert_eq!(guard.outages(), 1);
}

#[tokio::test(start_paused = true)]
async fn probes_first_at_once_and_then_a_few_times_a_second() {
    let guard = guard();
    open(&guard).await;
    let opened = Instant::now();
    while guard.store().probes() == 0 {
        sleep(Duration::from_millis(1)).await;
    }
    assert!(opened.elapsed() <= TIMER);
    guard
        .store()
        .set_health(Health::Failing(StoreErrorKind::Unavailable));
    sleep(Duration::from_secs(10)).await;
    let probes = guard.store().probes();
    // Every 100 to 200 ms, and some sooner.
    assert!((50..=110).contains(&probes), "{probes}");
}

#[tokio::test(start_paused = true)]
async fn probes_one_at_a_time() {
    let guard = guard();
    open(&guard).await;
    for _ in 0..100 {
        let _ = decide(&guard).await;
        sleep(Duration::from_millis(10)).await;
    }
    // Each hangs for its deadline.
    assert!(guard.store().probes() <= 10, "{}", guard.store().probes());
    guard.store().set_health(Health::Serving);
    until_closed(&guard).await;
    let probes = guard.store().probes();
    sleep(Duration::from_secs(10)).await;
    assert_eq!(guard.store().probes(), probes, "none while it is closed");
}

#[tokio::test(start_paused = true)]
async fn stops_probing_when_the_guard_is_dropped() {
    let store = Arc::new(shaky());
    let guard = OutageGuard::new(Arc::clone(&store));
    store.set_health(Health::Hanging);
    assert!(decide(&guard).await.is_err());
    sleep(Duration::from_millis(50)).await;
    // In the middle of a probe.
    let clone = guard.clone();
    drop(guard);
    sleep(Duration::from_secs(1)).await;
    let probes = store.probes();
    assert!(probes > 2, "a clone is the guard too");
    drop(clone);
    // It is gone at once, and not when its probe ends.
    tokio::task::yield_now().await;
    assert_eq!(Arc::strong_count(&store), 1);
    sleep(Duration::from_secs(10)).await;
    assert!(store.probes() <= probes + 1);
}

#[tokio::test(start_paused = true)]
async fn a_store_that_answers_probes_and_nothing_else_costs_little() {
    /// Hangs, but for probes.
    struct Sham(Shaky);
    impl Store for Sham {
        async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.decide(charges).await
        }
        async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
            self.0.peek(charges).await
        }
        async fn refund(&self, charges: &[Charge<'_>], a: &Outcomes) -> Result<(), StoreError> {
            self.0.refund(charges, a).await
        }
        async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
            self.0.reset(limit, policy, key).await
        }
        async fn probe(&self) -> Result<(), StoreError> {
            Ok(())
        }
    }
    let guard = OutageGuard::new(Sham(shaky()));
    guard.store().0.set_health(Health::Hanging);
    let begun = Instant::now();
    let mut asked = 0_u64;
    while begun.elapsed() < Duration::from_secs(60) {
        assert!(decide(&guard).await.is_err());
        sleep(Duration::from_millis(1)).await;
        asked += 1;
    }
    // One at a time here: each that is sent costs its deadline. A breaker that closed at once every
    // time would be asked nearly six hundred times.
    let sent = guard.stats().timeouts;
    assert!(sent < 330 && asked > 20_000, "{sent} of {asked}");
}

#[tokio::test(start_paused = true)]
async fn a_flapping_store_is_used_whenever_it_serves() {
    let guard = guard();
    for outage in 1..=20 {
        open(&guard).await;
        sleep(Duration::from_millis(700)).await;
        guard.store().set_health(Health::Serving);
        let back = Instant::now();
        until_closed(&guard).await;
        assert!(back.elapsed() < Duration::from_secs(1));
        for _ in 0..100 {
            decide(&guard).await.unwrap();
        }
        assert_eq!((guard.outages(), guard.stats().opened), (outage, outage));
    }
}

#[test]
fn a_runtime_that_ends_does_not_end_the_probes() {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build()
            .unwrap()
    };
    let guard = guard();
    let first = runtime();
    first.block_on(open(&guard));
    drop(first);
    guard.store().set_health(Health::Serving);
    let second = runtime();
    second.block_on(async {
        assert!(decide(&guard).await.is_err(), "it is open still");
        until_closed(&guard).await;
        decide(&guard).await.unwrap();
    });
}

/// A service without a runtime of its own runs one for each call.
#[test]
fn an_outage_ends_where_the_runtime_runs_only_during_calls() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let guard = guard();
    guard
        .store()
        .set_health(Health::Failing(StoreErrorKind::Unavailable));
    for _ in 0..10 {
        assert!(runtime.block_on(decide(&guard)).is_err());
    }
    assert!(guard.is_open());
    guard.store().set_health(Health::Serving);
    let mut calls = 0;
    while runtime.block_on(decide(&guard)).is_err() {
        // They take some seconds, and the longest wait for a probe is a fifth of one.
        calls += 1;
        assert!(calls < 5_000_000, "the outage does not end");
    }
}
