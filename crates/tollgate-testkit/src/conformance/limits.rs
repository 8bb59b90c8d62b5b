//! Limits that change while keys are in use.

use tollgate::{ManualClock, Store};
use tollgate_core::Verdict;

use super::{START, ask, limit, look};

/// More units leave more, fewer leave less, and never below nothing.
pub async fn keeps_what_was_used_when_units_change<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for suffix in [
        "",
        " fixed-window",
        " fixed-window anchor first-request",
        " sliding-window",
        " sliding-log",
    ] {
        let limit_of = |units: u64| limit(&format!("{units}/h{suffix}"));
        let key = "changed";
        ask(store, &limit_of(10), key, 6).await;
        for (units, remaining) in [(20, 14), (8, 2), (6, 0), (6_000, 5_994), (10, 4)] {
            let seen = look(store, &limit_of(units), key).await;
            assert_eq!(
                (seen.limit, seen.remaining),
                (units, remaining),
                "{units}/h{suffix}"
            );
        }
        let denied = ask(store, &limit_of(3), key, 1).await;
        assert_eq!(
            (denied.verdict, denied.remaining),
            (Verdict::Deny, 0),
            "3/h{suffix}"
        );
    }
}

/// Limits of another period or algorithm do not share a count.
pub async fn starts_afresh_when_period_or_algorithm_changes<S: Store>(
    store: &S,
    clock: &ManualClock,
) {
    clock.set(START);
    let texts = [
        "5/h",
        "5/60s",
        "5/h fixed-window",
        "5/60s fixed-window",
        "5/h fixed-window anchor first-request",
        "5/h sliding-window",
        "5/h sliding-log",
        "5/60s sliding-log",
    ];
    for text in texts {
        let outcome = ask(store, &limit(text), "another", 5).await;
        assert_eq!(outcome.verdict, Verdict::Allow, "{text}");
    }
}
