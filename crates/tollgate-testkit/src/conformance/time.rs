//! The clock.

use tollgate::{ManualClock, Store};
use tollgate_core::{Micros, Timestamp, Verdict};

use super::{EACH_ALGORITHM, START, after, ask, charge, decide, exhaust, limit, look, peek};

/// A clock that steps back and forth by up to a period gives nobody anything, and the promise made
/// meanwhile is kept.
pub async fn stands_still_while_the_clock_is_up_to_a_period_behind<S: Store>(
    store: &S,
    clock: &ManualClock,
) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        let key = "stands still";
        let (now, before) = around(&limit, limit.period());
        clock.set(now);
        exhaust(store, &limit, key).await;
        for _ in 0..20 {
            for instant in [before, now] {
                clock.set(instant);
                let outcome = ask(store, &limit, key, 1).await;
                assert_eq!(outcome.verdict, Verdict::Deny, "{text} at {instant:?}");
                assert_eq!(outcome.at, instant, "{text}");
            }
        }
        clock.set(before);
        let denied = look_for(store, &limit, key, 1).await;
        let wait = denied.retry_after.unwrap_or_default();
        assert!(
            wait > Micros::ZERO && wait <= longest_wait(&limit),
            "{text}: {wait:?}"
        );
        clock.advance(wait);
        assert_eq!(
            ask(store, &limit, key, 1).await.verdict,
            Verdict::Allow,
            "{text}"
        );
    }
}

/// After a larger step back nothing is given back, and nobody waits for the old instant.
pub async fn moves_with_a_clock_that_stepped_back_further<S: Store>(
    store: &S,
    clock: &ManualClock,
) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        let key = "moves";
        let (now, before) = around(&limit, Micros::DAY);
        clock.set(now);
        exhaust(store, &limit, key).await;
        clock.set(before);
        let denied = ask(store, &limit, key, 1).await;
        assert_eq!(
            (denied.verdict, denied.remaining),
            (Verdict::Deny, 0),
            "{text}"
        );
        let wait = denied.retry_after.unwrap_or_default();
        assert!(
            wait > Micros::ZERO && wait <= longest_wait(&limit),
            "{text}: {wait:?}"
        );
        clock.advance(wait);
        assert_eq!(
            ask(store, &limit, key, 1).await.verdict,
            Verdict::Allow,
            "{text}"
        );
    }
}

/// Every outcome counts its spans from the one instant that the clock showed.
pub async fn answers_at_one_instant<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(after(START, Micros::new(42)));
    let limits: Vec<_> = EACH_ALGORITHM.into_iter().map(limit).collect();
    let charges: Vec<_> = limits.iter().map(|l| charge(l, "instant", 1)).collect();
    for outcomes in [decide(store, &charges).await, peek(store, &charges).await] {
        assert_eq!(outcomes.at(), after(START, Micros::new(42)));
        for outcome in outcomes.iter() {
            assert_eq!(outcome.at, outcomes.at());
        }
    }
    assert_eq!(
        look(store, &limits[0], "instant").await.at,
        after(START, Micros::new(42))
    );
}

/// An instant at which a window begins, and one that is `step` before it.
fn around(limit: &tollgate_core::Limit, step: Micros) -> (Timestamp, Timestamp) {
    let period = limit.period().as_micros();
    let now = Timestamp::from_micros(START.as_micros() / period * period);
    (now, now.saturating_sub(step))
}

/// R5: two periods, or two refills, if longer.
fn longest_wait(limit: &tollgate_core::Limit) -> Micros {
    Micros::new(2 * limit.memory().as_micros().max(limit.period().as_micros()))
}

async fn look_for<S: Store>(
    store: &S,
    limit: &tollgate_core::Limit,
    key: &str,
    cost: u64,
) -> tollgate_core::Outcome {
    super::only(&peek(store, &[charge(limit, key, cost)]).await)
}
