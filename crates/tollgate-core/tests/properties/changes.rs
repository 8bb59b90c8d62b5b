//! Limits that change while keys are in use (R10).

use proptest::prelude::*;
use tollgate_core::{Algorithm, Limit, State};
use tollgate_testkit::strategy::{config, exchangeable_limits, forward, instant, trace};

fn used(limit: &Limit, state: &State, now: tollgate_core::Timestamp) -> u64 {
    limit.quota() - state.peek(limit, 0, now).remaining
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn remaining_is_the_new_quota_less_what_was_used(
        limits in exchangeable_limits(),
        start in instant(),
        trace in trace(forward()),
    ) {
        let (old, new) = limits;
        let mut state = State::fresh(&old);
        let mut now = start;
        let mut last = None;
        for (movement, cost) in trace {
            now = movement.apply(&old, now, last.as_ref());
            last = Some(state.charge(&old, cost.units(&old), now));
        }
        let used = used(&old, &state, now);
        let remaining = state.peek(&new, 0, now).remaining;
        let expected = new.quota().saturating_sub(used);
        // Another tick looks at another instant within it: the weight or the level of another
        // moment, at most a tick away.
        if old.tick() == new.tick() {
            prop_assert_eq!(remaining, expected, "{} to {}", old, new);
        } else {
            let slack = u128::from(old.units().max(new.units()))
                * u128::from(old.tick().max(new.tick()).as_micros());
            let slack = slack.div_ceil(u128::from(new.period().as_micros())) + 1;
            prop_assert!(
                u128::from(remaining.abs_diff(expected)) <= slack,
                "{remaining} is far from {expected}, {old} to {new}"
            );
            if new.algorithm() == Algorithm::TokenBucket {
                prop_assert!(
                    remaining <= expected || old.tick() > new.tick(),
                    "a coarser tick gives nothing: {remaining} above {expected}, {old} to {new}"
                );
            }
        }
    }

    #[test]
    fn changing_a_limit_and_back_frees_nothing_that_fits(
        limits in exchangeable_limits(),
        start in instant(),
        trace in trace(forward()),
    ) {
        let (old, new) = limits;
        let mut state = State::fresh(&old);
        let mut now = start;
        let mut last = None;
        for (movement, cost) in trace {
            now = movement.apply(&old, now, last.as_ref());
            last = Some(state.charge(&old, cost.units(&old), now));
        }
        let before = used(&old, &state, now);
        // A lowered burst forgets what is above it, so that nobody waits for more than a refill.
        let kept = if old.algorithm() == Algorithm::TokenBucket {
            before.min(new.quota())
        } else {
            before
        };
        // The part of a coarse tick that has gone drains at once when the tick becomes finer.
        let drained = if old.tick() > new.tick() {
            let drained = u128::from(new.units()) * u128::from(old.tick().as_micros());
            let drained = drained.div_ceil(u128::from(new.period().as_micros()));
            u64::try_from(drained).unwrap_or(u64::MAX)
        } else {
            0
        };
        let kept = kept.saturating_sub(drained);
        state.charge(&new, 0, now);
        prop_assert!(used(&old, &state, now) >= kept, "{old} to {new} and back");
    }

    #[test]
    fn nobody_owes_more_than_two_refills_of_the_new_limit(
        limits in exchangeable_limits(),
        start in 3_200_000_000_000_000..4_000_000_000_000_000_u64,
        trace in trace(forward()),
    ) {
        let (old, new) = limits;
        let mut state = State::fresh(&old);
        let mut now = tollgate_core::Timestamp::from_micros(start);
        for (movement, cost) in trace {
            now = movement.apply(&old, now, None);
            state.charge(&old, cost.units(&old), now);
        }
        let wait = state.peek(&new, new.quota(), now).retry_after.unwrap_or_default();
        let longest = 2 * new.memory().as_micros().max(new.period().as_micros());
        prop_assert!(wait.as_micros() <= longest, "{wait:?}, {old} to {new}");
    }
}
