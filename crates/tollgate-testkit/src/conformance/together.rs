//! Several charges in one decision.

use tollgate::{ManualClock, Store};
use tollgate_core::{Charge, Micros, Verdict};

use super::{START, ask, charge, decide, limit, look};

/// If one charge is denied, none is spent, whatever the algorithms and their order.
pub async fn spends_all_charges_or_none<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for wide in [
        "10/min",
        "10/min fixed-window",
        "10/min sliding-window",
        "10/min sliding-log",
    ] {
        for narrow in [
            "3/s",
            "3/s fixed-window",
            "3/s sliding-window",
            "3/s sliding-log",
        ] {
            for narrow_first in [false, true] {
                let (wide, narrow) = (limit(wide), limit(narrow));
                let key = format!("all or none {wide} {narrow} {narrow_first}");
                let mut charges = vec![charge(&wide, &key, 1), charge(&narrow, &key, 1)];
                if narrow_first {
                    charges.reverse();
                }
                for request in 0..5 {
                    let outcomes = decide(store, &charges).await;
                    assert_eq!(outcomes.is_allowed(), request < 3, "{key}");
                }
                assert_eq!(look(store, &wide, &key).await.remaining, 7, "{key}");
                assert_eq!(look(store, &narrow, &key).await.remaining, 0, "{key}");
            }
        }
    }
}

/// Of several denials the one with the longest wait decides, and one that can never fit before all.
pub async fn names_the_charge_that_decided<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    let (second, hour) = (limit("1/s"), limit("1/h"));
    let key = "decided";
    let charges = [
        charge(&second, key, 1),
        charge(&hour, key, 1),
        charge(&second, "other", 1),
    ];
    assert!(decide(store, &charges).await.is_allowed());
    let denied = decide(store, &charges).await;
    assert_eq!(denied.deciding_index(), Some(1));
    assert_eq!(denied.retry_after(), Some(Micros::HOUR));
    let never = [charge(&hour, key, 1), charge(&second, key, 2)];
    let denied = decide(store, &never).await;
    assert_eq!(denied.deciding_index(), Some(1));
    assert_eq!(denied.retry_after(), None);
}

/// Two charges for the same count are judged together, and spent both or not at all.
pub async fn counts_duplicates_one_after_the_other<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in super::EACH_ALGORITHM {
        let limit = limit(text);
        let key = "twice";
        let twice = |cost| [charge(&limit, key, cost), charge(&limit, key, cost)];
        let outcomes = decide(store, &twice(2)).await;
        assert!(outcomes.is_allowed(), "{text}");
        let remaining: Vec<_> = outcomes.iter().map(|outcome| outcome.remaining).collect();
        assert_eq!(remaining, [3, 1], "{text}");

        let outcomes = decide(store, &twice(1)).await;
        let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        assert_eq!(verdicts, [Verdict::Allow, Verdict::Deny], "{text}");
        assert_eq!(look(store, &limit, key).await.remaining, 1, "{text}");

        let outcomes = decide(store, &twice(3)).await;
        let verdicts: Vec<_> = outcomes.iter().map(|outcome| outcome.verdict).collect();
        assert_eq!(verdicts, [Verdict::Deny, Verdict::Never], "{text}");
    }
}

/// A shadow charge counts and reports, but denies nobody.
pub async fn keeps_shadow_charges_out_of_the_verdict<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    let (enforced, shadow) = (limit("5/min"), limit("2/min sliding-log"));
    let key = "shadow";
    let charges = [shadow_charge(&shadow, key, 1), charge(&enforced, key, 1)];
    for request in 1..=5 {
        let outcomes = decide(store, &charges).await;
        assert!(outcomes.is_allowed(), "request {request}");
        assert_eq!(outcomes.deciding_index(), Some(1));
        let reported = outcomes.as_slice().first().map(|outcome| outcome.verdict);
        let expected = if request <= 2 {
            Verdict::Allow
        } else {
            Verdict::Deny
        };
        assert_eq!(reported, Some(expected), "request {request}");
    }
    let denied = decide(store, &charges).await;
    assert!(!denied.is_allowed());
}

/// The charges of one shadow policy are spent together, and only with an admitted request.
pub async fn spends_a_shadow_group_together_or_not_at_all<S: Store>(
    store: &S,
    clock: &ManualClock,
) {
    clock.set(START);
    let (narrow, wide) = (limit("1/min"), limit("5/h"));
    let key = "group";
    let charges = [
        charge(&wide, key, 1),
        shadow_charge(&wide, key, 1),
        shadow_charge(&narrow, key, 1),
        Charge::new(&wide, key, 1)
            .of_policy("another shadow")
            .in_shadow(2),
    ];
    let left = |outcomes: &tollgate::Outcomes| -> Vec<u64> {
        outcomes.iter().map(|outcome| outcome.remaining).collect()
    };
    assert_eq!(left(&decide(store, &charges).await), [4, 4, 0, 4]);
    assert_eq!(
        left(&decide(store, &charges).await),
        [3, 4, 0, 3],
        "the first group is not admitted"
    );
    assert_eq!(ask(store, &wide, key, 3).await.remaining, 0);
    let denied = decide(store, &charges).await;
    assert!(!denied.is_allowed());
    assert_eq!(
        left(&denied),
        [0, 4, 0, 3],
        "shadows spend nothing of a denied request"
    );
}

fn shadow_charge<'a>(limit: &'a tollgate_core::Limit, key: &'a str, cost: u64) -> Charge<'a> {
    Charge::new(limit, key, cost)
        .of_policy("conformance shadow")
        .in_shadow(1)
}
