//! No panic and no overflow at the ends of every range. Meant for builds with overflow checks.

use std::time::Duration;

use proptest::prelude::*;
use tollgate_core::{AlgorithmState, Limit, MAX_UNITS, Micros, State, Timestamp};
use tollgate_testkit::strategy::{ALGORITHMS, config};

const DAY: u64 = 86_400_000;

/// Each limit that construction accepts of those at the ends, and beside them.
fn limits() -> Vec<Limit> {
    let numbers = [1, 2, 999, MAX_UNITS - 1, MAX_UNITS];
    let periods = [1, 2, 1_000, DAY, 100 * DAY, 365 * DAY, 366 * DAY];
    let mut limits = Vec::new();
    for algorithm in ALGORITHMS {
        for units in numbers {
            for millis in periods {
                for burst in numbers.map(Some).into_iter().chain([None]) {
                    let builder = Limit::builder(units, Duration::from_millis(millis));
                    let builder = builder.algorithm(algorithm);
                    let builder = match burst {
                        Some(burst) => builder.burst(burst),
                        None => builder,
                    };
                    limits.extend(builder.build());
                }
            }
        }
    }
    assert!(limits.len() > 200, "construction refuses nearly everything");
    limits
}

#[test]
fn extreme_limits_hold_at_extreme_instants() {
    let last = Timestamp::MAX.as_micros();
    let instants = [
        [0, 1, last - 1, last],
        [last, 0, last, 1],
        [0, last, last, 0],
        [1_700_000_000_000_000, last, last - 1, 0],
    ];
    for limit in limits() {
        for times in instants {
            let mut state = State::fresh(&limit);
            for micros in times {
                let now = Timestamp::from_micros(micros);
                for cost in [1, limit.quota(), limit.quota() + 1, MAX_UNITS, u64::MAX, 0] {
                    let outcome = state.charge(&limit, cost, now);
                    assert!(outcome.remaining <= limit.quota(), "{limit} at {now:?}");
                    assert_eq!(outcome.limit, limit.quota());
                    state.refund(&limit, cost, &outcome);
                    state.advance(&limit, now);
                    let _ = state.peek(&limit, 1, now);
                }
            }
        }
    }
}

/// At the last instant that can be told, the clock stands still: the quota is spent once.
#[test]
fn the_last_instant_admits_the_quota_once() {
    for limit in limits() {
        let mut state = State::fresh(&limit);
        let quota = limit.quota();
        assert!(
            state
                .charge(&limit, quota, Timestamp::MAX)
                .verdict
                .is_allow()
        );
        for _ in 0..3 {
            let denied = state.charge(&limit, 1, Timestamp::MAX);
            assert!(!denied.verdict.is_allow(), "{limit}");
        }
    }
}

#[test]
fn the_epoch_is_an_instant_like_any_other() {
    for limit in limits() {
        let mut state = State::fresh(&limit);
        let quota = limit.quota();
        let outcome = state.charge(&limit, quota, Timestamp::EPOCH);
        assert!(outcome.verdict.is_allow(), "{limit}");
        assert!(outcome.reset_after > Micros::ZERO, "{limit}");
        assert!(
            !state.charge(&limit, 1, Timestamp::EPOCH).verdict.is_allow(),
            "{limit}"
        );
    }
}

/// Whatever numbers arrive, construction answers; and what it accepts is within its bounds.
#[test]
fn announced_spans_of_extreme_limits_are_right() {
    for limit in limits() {
        assert!(limit.quota_window() > Micros::ZERO, "{limit}");
        assert!(limit.memory() >= limit.quota_window(), "{limit}");
        assert!(
            limit
                .period()
                .as_micros()
                .is_multiple_of(limit.tick().as_micros())
        );
        assert!(!limit.effective_rate().to_string().is_empty());
    }
}

proptest! {
    #![proptest_config(config(2_000))]

    #[test]
    fn construction_answers_any_numbers(
        units in any::<u64>(),
        nanos in any::<u64>(),
        secs in any::<u64>(),
        burst in proptest::option::of(any::<u64>()),
        algorithm in tollgate_testkit::strategy::algorithm(),
        small in any::<bool>(),
    ) {
        let period = if small {
            Duration::from_nanos(nanos)
        } else {
            Duration::new(secs, u32::try_from(nanos % 1_000_000_000).unwrap_or(0))
        };
        let builder = Limit::builder(units, period).algorithm(algorithm);
        let builder = match burst {
            Some(burst) => builder.burst(burst),
            None => builder,
        };
        match builder.build() {
            Ok(limit) => prop_assert!(limit.units() <= MAX_UNITS && limit.quota() <= MAX_UNITS),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
