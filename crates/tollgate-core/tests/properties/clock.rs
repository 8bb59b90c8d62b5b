//! Clocks that step back (R5).

use proptest::prelude::*;
use tollgate_core::{Limit, Micros, State, Timestamp};
use tollgate_testkit::strategy::{
    Cost, Movement, back_and_forth, config, cost, forward, limit, trace,
};

/// An instant with a century on both sides.
fn our_time() -> impl Strategy<Value = Timestamp> {
    (3_200_000_000_000_000..4_000_000_000_000_000_u64).prop_map(Timestamp::from_micros)
}

fn play(limit: &Limit, start: Timestamp, trace: &[(Movement, Cost)]) -> (State, Timestamp) {
    let mut state = State::fresh(limit);
    let mut now = start;
    for (movement, cost) in trace {
        now = movement.apply(limit, now, None);
        state.charge(limit, cost.units(limit), now);
    }
    (state, now)
}

proptest! {
    #![proptest_config(config(400))]

    /// In particular nobody waits for an instant of the clock before it stepped back.
    #[test]
    fn nobody_waits_longer_than_two_periods_or_two_refills(
        limit in limit(),
        start in our_time(),
        trace in trace(back_and_forth()),
    ) {
        let (state, now) = play(&limit, start, &trace);
        let longest = 2 * limit.memory().as_micros().max(limit.period().as_micros());
        let outcome = state.peek(&limit, limit.quota(), now);
        for wait in [outcome.retry_after.unwrap_or_default(), outcome.reset_after] {
            prop_assert!(wait.as_micros() <= longest, "{wait:?} for {limit}");
        }
    }

    /// A step back finds no more units than were there, whether the key stands still or moves.
    #[test]
    fn a_step_back_gives_nothing(
        limit in limit(),
        start in our_time(),
        trace in trace(back_and_forth()),
        step in 1..5_000_u64,
    ) {
        let (mut state, now) = play(&limit, start, &trace);
        let before = state.peek(&limit, 0, now).remaining;
        let back = Movement::BackByPeriod(step).apply(&limit, now, None);
        let after = state.charge(&limit, 0, back).remaining;
        prop_assert!(after <= before, "{after} after a step, {before} before, for {limit}");
    }

    /// However often the clock steps back by up to a period and comes again, the key gets no more
    /// than had the clock stood still.
    #[test]
    fn stepping_back_and_forth_within_a_period_gives_nothing(
        limit in limit(),
        start in our_time(),
        trace in trace(forward()),
        step in 1..=1_000_u64,
        costs in proptest::collection::vec(cost(), 1..20),
    ) {
        let (mut swaying, now) = play(&limit, start, &trace);
        // What was spent holds the state at this instant; an unused one would follow the clock.
        prop_assume!(swaying.charge(&limit, 1, now).verdict.is_allow());
        let mut standing = swaying.clone();
        let back = Movement::BackByPeriod(step).apply(&limit, now, None);
        let (mut swayed, mut stood) = (0_u128, 0_u128);
        for cost in costs {
            let cost = cost.units(&limit);
            for instant in [now, back] {
                if swaying.charge(&limit, cost, instant).verdict.is_allow() {
                    swayed += u128::from(cost);
                }
                if standing.charge(&limit, cost, now).verdict.is_allow() {
                    stood += u128::from(cost);
                }
            }
            let rest = swaying.peek(&limit, 0, now).remaining;
            let stood_rest = standing.peek(&limit, 0, now).remaining;
            prop_assert!(
                swayed + u128::from(rest) <= stood + u128::from(stood_rest),
                "{swayed} + {rest} against {stood} + {stood_rest}, {limit}"
            );
        }
    }

    /// The promise made by a clock that is behind holds on that clock.
    #[test]
    fn catches_up_as_promised(
        limit in limit(),
        start in our_time(),
        trace in trace(back_and_forth()),
        step in 1..5_000_u64,
    ) {
        let (mut state, now) = play(&limit, start, &trace);
        let back = Movement::BackByPeriod(step).apply(&limit, now, None);
        let quota = limit.quota();
        let outcome = state.charge(&limit, quota, back);
        if let Some(wait) = outcome.retry_after {
            let promised = back.saturating_add(wait);
            let early = promised.saturating_sub(Micros::new(1));
            prop_assert!(!state.charge(&limit, quota, early).verdict.is_allow());
            prop_assert!(state.charge(&limit, quota, promised).verdict.is_allow());
        }
    }
}
