//! One limit by itself.

use tollgate::{ManualClock, Store};
use tollgate_core::{Charge, Micros, Verdict};

use super::{
    EACH_ALGORITHM, START, after, ask, charge, decide, exhaust, limit, look, only, peek, reset,
};

/// As many requests as the limit has units are admitted at once, and not one more.
pub async fn admits_up_to_the_limit_then_denies<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        for remaining in (0..5).rev() {
            let outcome = ask(store, &limit, "admits", 1).await;
            assert_eq!(outcome.verdict, Verdict::Allow, "{text}");
            assert_eq!(outcome.remaining, remaining, "{text}");
            assert_eq!(outcome.limit, 5, "{text}");
            assert_eq!(outcome.retry_after, None, "{text}");
        }
        let outcome = ask(store, &limit, "admits", 1).await;
        assert_eq!(outcome.verdict, Verdict::Deny, "{text}");
        assert_eq!(outcome.remaining, 0, "{text}");
        assert!(outcome.retry_after.is_some(), "{text}");
    }
}

/// A cost above 1 is admitted as a whole or not at all.
pub async fn spends_as_many_units_as_it_costs<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        assert_eq!(ask(store, &limit, "costs", 3).await.remaining, 2, "{text}");
        let denied = ask(store, &limit, "costs", 3).await;
        assert_eq!(
            (denied.verdict, denied.remaining),
            (Verdict::Deny, 2),
            "{text}"
        );
        assert_eq!(ask(store, &limit, "costs", 2).await.remaining, 0, "{text}");
    }
}

/// A client that waits exactly as long as it was told is admitted; a microsecond sooner it is not.
pub async fn keeps_its_promise_of_retry_after<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        for cost in [1, 2, 5] {
            let key = format!("promise {cost}");
            clock.set(after(START, Micros::new(1_234_567)));
            exhaust(store, &limit, &key).await;
            clock.advance(Micros::new(2_345_678));
            let denied = ask(store, &limit, &key, cost).await;
            let Some(wait) = denied.retry_after else {
                // Enough has come back meanwhile.
                assert_eq!(denied.verdict, Verdict::Allow, "{text}, cost {cost}");
                continue;
            };
            let promised = after(denied.at, wait);
            clock.set(promised.saturating_sub(Micros::new(1)));
            let early = ask(store, &limit, &key, cost).await;
            assert_eq!(early.verdict, Verdict::Deny, "{text}, cost {cost}");
            assert_eq!(
                early.retry_after,
                Some(Micros::new(1)),
                "{text}, cost {cost}"
            );
            clock.set(promised);
            let outcome = ask(store, &limit, &key, cost).await;
            assert_eq!(outcome.verdict, Verdict::Allow, "{text}, cost {cost}");
        }
    }
}

/// After `reset_after` the whole quota is there again; a microsecond sooner it is not announced.
pub async fn is_as_if_never_used_after_reset_after<S: Store>(store: &S, clock: &ManualClock) {
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        clock.set(after(START, Micros::new(1_234_567)));
        let outcome = exhaust(store, &limit, "fresh").await;
        let fresh_at = outcome.reset_at();
        clock.set(fresh_at.saturating_sub(Micros::new(1)));
        let nearly = look(store, &limit, "fresh").await;
        assert_eq!(nearly.reset_after, Micros::new(1), "{text}");
        clock.set(fresh_at);
        let fresh = look(store, &limit, "fresh").await;
        assert_eq!(
            (fresh.remaining, fresh.reset_after),
            (5, Micros::ZERO),
            "{text}"
        );
    }
}

/// A cost that can never fit is told from one that does not fit yet, and counts nothing.
pub async fn never_admits_a_cost_above_the_quota<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        for used in [0, 2] {
            let key = format!("never {used}");
            ask(store, &limit, &key, used).await;
            for cost in [6, 1_000_000_000_000, u64::MAX] {
                let outcome = ask(store, &limit, &key, cost).await;
                assert_eq!(outcome.verdict, Verdict::Never, "{text}, cost {cost}");
                assert_eq!(outcome.retry_after, None, "{text}, cost {cost}");
                assert_eq!(outcome.remaining, 5 - used, "{text}, cost {cost}");
            }
        }
    }
}

/// Neither `peek` nor a cost of 0 leaves a trace; both tell what is true.
pub async fn writes_nothing_when_it_only_looks<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        for used in [0, 2, 5] {
            let key = format!("looks {used}");
            let used_outcome = ask(store, &limit, &key, used).await;
            for cost in [0, 1, 3, 6] {
                let seen = only(&peek(store, &[charge(&limit, &key, cost)]).await);
                let expected = match cost {
                    6 => Verdict::Never,
                    cost if cost <= 5 - used || cost == 0 => Verdict::Allow,
                    _ => Verdict::Deny,
                };
                assert_eq!(seen.verdict, expected, "{text}, cost {cost}");
                assert_eq!(seen.remaining, 5 - used, "{text}, cost {cost}");
                let asked = ask(store, &limit, &key, 0).await;
                assert_eq!(asked.verdict, Verdict::Allow, "{text}");
                assert_eq!(asked.remaining, used_outcome.remaining, "{text}");
                assert_eq!(asked.reset_after, used_outcome.reset_after, "{text}");
            }
            let counts = reset(store, &limit, "conformance", &key).await;
            assert_eq!(counts, used > 0, "{text}: only what was spent is there");
        }
    }
}

/// Counts are shared only by charges that agree in policy, key and limit id, byte by byte.
pub async fn keeps_policies_keys_and_limits_apart<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    let long = "k".repeat(5_000);
    let longer = format!("{long}k");
    let names = [
        ("apart", "a"),
        ("apart", "A"),
        ("apart", "a "),
        ("apart", ""),
        ("", "apart"),
        ("apart:a", "b"),
        ("apart", "a:b"),
        ("apart", "{a}"),
        ("apart", "a}b"),
        ("{apart}", "a"),
        ("apart", "a\0"),
        ("apart", "a\nb\r\n"),
        ("apart", "2001:db8::1"),
        ("apart", "%61"),
        ("apart", "é"),
        ("apart", "e\u{301}"),
        ("apart", long.as_str()),
        ("apart", longer.as_str()),
    ];
    for text in EACH_ALGORITHM
        .into_iter()
        .chain(["5/2min", "5/2min sliding-log"])
    {
        let limit = limit(text);
        for (policy, key) in names {
            let charge = Charge::new(&limit, key, 5).of_policy(policy);
            let first = only(&decide(store, &[charge]).await);
            assert_eq!(first.verdict, Verdict::Allow, "{text} {policy:?} {key:?}");
        }
        for (policy, key) in names {
            let charge = Charge::new(&limit, key, 1).of_policy(policy);
            let second = only(&decide(store, &[charge]).await);
            assert_eq!(second.verdict, Verdict::Deny, "{text} {policy:?} {key:?}");
        }
    }
}

/// A reset forgets one key of one limit, and says whether there was anything to forget.
pub async fn forgets_a_key_that_is_reset<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for text in EACH_ALGORITHM {
        let limit = limit(text);
        assert!(
            !reset(store, &limit, "conformance", "reset").await,
            "{text}"
        );
        exhaust(store, &limit, "reset").await;
        exhaust(store, &limit, "not reset").await;
        assert!(reset(store, &limit, "conformance", "reset").await, "{text}");
        let outcome = ask(store, &limit, "reset", 1).await;
        assert_eq!(
            (outcome.verdict, outcome.remaining),
            (Verdict::Allow, 4),
            "{text}"
        );
        let other = ask(store, &limit, "not reset", 1).await;
        assert_eq!(other.verdict, Verdict::Deny, "{text}");
        assert!(reset(store, &limit, "conformance", "reset").await, "{text}");
        assert!(
            !reset(store, &limit, "conformance", "reset").await,
            "{text}"
        );
    }
}

/// A request that no limit concerns is allowed, and nothing decided it.
pub async fn allows_a_request_without_charges<S: Store>(store: &S, clock: &ManualClock) {
    clock.set(START);
    for outcomes in [decide(store, &[]).await, peek(store, &[]).await] {
        assert!(outcomes.is_allowed());
        assert_eq!(outcomes.deciding(), None);
        assert_eq!(outcomes.retry_after(), None);
    }
}

/// A probe succeeds, as often as it is sent.
pub async fn answers_a_probe<S: Store>(store: &S) {
    for _ in 0..2 {
        let answer = store.probe().await;
        assert!(answer.is_ok(), "a store that decides answers: {answer:?}");
    }
}
