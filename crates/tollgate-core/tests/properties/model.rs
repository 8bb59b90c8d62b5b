//! The algorithms agree with the naive models in every number.

use proptest::prelude::*;
use tollgate_core::{Algorithm, Anchor, Limit, State, Timestamp};
use tollgate_testkit::model::Model;
use tollgate_testkit::strategy::{
    Cost, Movement, back_and_forth, config, exchangeable_limits, instant, limit_of, trace,
};

type Trace = Vec<(Movement, Cost)>;

fn agrees(limit: &Limit, start: Timestamp, trace: &Trace) -> Result<(), TestCaseError> {
    let mut state = State::fresh(limit);
    let mut model = Model::new(limit);
    let mut now = start;
    let mut last = None;
    for (step, (movement, cost)) in trace.iter().enumerate() {
        now = movement.apply(limit, now, last.as_ref());
        let cost = cost.units(limit);
        prop_assert_eq!(
            state.peek(limit, cost, now),
            model.peek(cost, now),
            "peek {} of {}, step {}",
            cost,
            limit,
            step
        );
        let outcome = state.charge(limit, cost, now);
        prop_assert_eq!(
            outcome,
            model.charge(cost, now),
            "charge {} of {}, step {}",
            cost,
            limit,
            step
        );
        last = Some(outcome);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn token_bucket_agrees_with_a_rational_level(
        limit in limit_of(Algorithm::TokenBucket),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        agrees(&limit, start, &trace)?;
    }

    #[test]
    fn fixed_window_agrees_with_a_map_of_windows(
        limit in prop_oneof![
            limit_of(Algorithm::FixedWindow(Anchor::Epoch)),
            limit_of(Algorithm::FixedWindow(Anchor::FirstRequest)),
        ],
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        agrees(&limit, start, &trace)?;
    }

    #[test]
    fn sliding_window_agrees_with_a_rational_weight(
        limit in limit_of(Algorithm::SlidingWindow),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        agrees(&limit, start, &trace)?;
    }

    #[test]
    fn sliding_log_agrees_with_a_list_of_admissions(
        limit in limit_of(Algorithm::SlidingLog),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        agrees(&limit, start, &trace)?;
    }

    #[test]
    fn changed_limits_agree_with_the_model(
        limits in exchangeable_limits(),
        start in instant(),
        trace in proptest::collection::vec((any::<bool>(), trace(back_and_forth())), 1..4),
    ) {
        let mut state = State::fresh(&limits.0);
        let mut model = Model::new(&limits.0);
        let mut now = start;
        let mut last = None;
        for (first, part) in &trace {
            let limit = if *first { &limits.0 } else { &limits.1 };
            model.change_limit(limit);
            for (step, (movement, cost)) in part.iter().take(8).enumerate() {
                now = movement.apply(limit, now, last.as_ref());
                let cost = cost.units(limit);
                let outcome = state.charge(limit, cost, now);
                prop_assert_eq!(
                    outcome,
                    model.charge(cost, now),
                    "charge {} of {}, step {}", cost, limit, step
                );
                last = Some(outcome);
            }
        }
    }
}
