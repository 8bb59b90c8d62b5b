//! A thousand requests a second, and a store that hangs.

use std::sync::Arc;

use tokio::time::{Instant, interval, sleep};

use super::*;

const MILLISECOND: Duration = Duration::from_millis(1);

/// Asks once a millisecond, and says of each answer what it was and how long it took.
async fn load(
    guard: &OutageGuard<Shaky>,
    span: Duration,
) -> Vec<(Result<(), StoreErrorKind>, Duration)> {
    let mut tick = interval(MILLISECOND);
    let mut tasks = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < span {
        tick.tick().await;
        let guard = guard.clone();
        tasks.push(tokio::spawn(async move {
            let asked = Instant::now();
            let answer = decide(&guard).await;
            (
                answer.map(drop).map_err(|error| error.kind()),
                asked.elapsed(),
            )
        }));
    }
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers
}

// B97
#[tokio::test(start_paused = true)]
async fn an_outage_costs_one_deadline_and_not_one_for_each_request() {
    let guard = guard();
    guard.store().set_health(Health::Hanging);
    let watched = guard.clone();
    let most = tokio::spawn(async move {
        let mut most = 0;
        for _ in 0..5_000 {
            sleep(MILLISECOND).await;
            most = most.max(watched.stats().waiting);
        }
        most
    });
    let answers = load(&guard, Duration::from_secs(5)).await;
    assert!(answers.len() >= 5_000);
    assert!(answers.iter().all(|(answer, _)| answer.is_err()));
    let longest = answers.iter().map(|(_, took)| *took).max().unwrap();
    assert!(longest <= DEADLINE + TIMER, "{longest:?}");
    // Those that had been asked when the first of them timed out have their own deadlines. 99 of a
    // hundred got their answer at once.
    let slow = answers.iter().filter(|(_, took)| !took.is_zero()).count();
    assert!(slow <= 101, "{slow}");
    assert!(most.await.unwrap() <= 101);
    let reached = guard.store().calls() - guard.store().probes();
    assert!(reached <= 101, "{reached}");
    let stats = guard.stats();
    assert_eq!((stats.opened, stats.closed, stats.waiting), (1, 0, 0));
}

#[tokio::test(start_paused = true)]
async fn no_more_is_counted_twice_than_was_waiting_when_it_opened() {
    let guard = guard();
    // It counts, and nobody hears of it.
    guard.store().set_health(Health::Deaf);
    load(&guard, Duration::from_secs(5)).await;
    let limit = ample();
    let outcomes = guard
        .store()
        .inner()
        .peek_now(&[Charge::new(&limit, "key", 0)]);
    let counted = limit.quota() - outcomes.deciding().unwrap().remaining;
    assert!((100..=101).contains(&counted), "{counted}");
}

#[tokio::test(start_paused = true)]
async fn the_store_decides_again_within_a_second_of_its_return() {
    let guard = guard();
    guard.store().set_health(Health::Hanging);
    let returning = guard.clone();
    let back = tokio::spawn(async move {
        sleep(Duration::from_millis(2_345)).await;
        returning.store().set_health(Health::Serving);
        let back = Instant::now();
        until_closed(&returning).await;
        back.elapsed()
    });
    let answers = load(&guard, Duration::from_secs(4)).await;
    assert!(back.await.unwrap() < Duration::from_secs(1));
    // Everything is decided by the store from then on.
    let failed = answers.iter().rposition(|(answer, _)| answer.is_err());
    assert!(failed.unwrap() < 3_345, "{failed:?}");
    let stats = guard.stats();
    assert_eq!((stats.opened, stats.closed), (1, 1));
    assert!(
        stats.rejected >= 2_000 && stats.rejected <= 3_300,
        "{stats:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn calls_that_hung_before_it_closed_do_not_open_it_again() {
    let guard = Arc::new(guard());
    guard.store().set_health(Health::Hanging);
    let mut hung = Vec::new();
    for _ in 0..50 {
        let guard = Arc::clone(&guard);
        hung.push(tokio::spawn(async move { error(&*guard).await }));
        sleep(MILLISECOND).await;
    }
    while !guard.is_open() {
        sleep(MILLISECOND).await;
    }
    // The others time out one by one, after it has closed.
    guard.store().set_health(Health::Serving);
    until_closed(&guard).await;
    for hung in hung {
        assert_eq!(hung.await.unwrap(), StoreErrorKind::Timeout);
        assert!(!guard.is_open());
    }
    assert_eq!(guard.stats().opened, 1);
}
