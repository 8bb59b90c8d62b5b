//! States survive being stored as bits.

use proptest::prelude::*;
use tollgate_core::{
    Algorithm, AlgorithmState, Limit, State, Timestamp, fixed_window, sliding_window, token_bucket,
};
use tollgate_testkit::strategy::{back_and_forth, config, exchangeable_limits, instant, trace};

/// The state as a store that keeps bits has it; a log is kept as it is.
fn stored(state: &State) -> State {
    match state {
        State::TokenBucket(state) => {
            assert!(state.to_bits() >> 110 == 0, "wider than it says");
            State::TokenBucket(token_bucket::State::from_bits(state.to_bits()))
        }
        State::FixedWindow(state) => {
            assert!(state.to_bits() >> 93 == 0, "wider than it says");
            State::FixedWindow(fixed_window::State::from_bits(state.to_bits()))
        }
        State::SlidingWindow(state) => {
            assert!(state.to_bits() >> 124 == 0, "wider than it says");
            State::SlidingWindow(sliding_window::State::from_bits(state.to_bits()))
        }
        other => other.clone(),
    }
}

fn touch(state: &mut State, limit: &Limit, now: Timestamp) {
    state.advance(limit, now);
    let _ = state.outcome(limit, state.verdict(limit, 1), 1, now);
    if state.verdict(limit, 1).is_allow() {
        state.spend(limit, 1);
    }
    let outcome = state.outcome(limit, state.verdict(limit, 1), 1, now);
    state.refund(limit, 1, &outcome);
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn every_reachable_state_reads_back_as_itself(
        limits in exchangeable_limits(),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        let mut kept = State::fresh(&limits.0);
        let mut packed = kept.clone();
        let mut now = start;
        let mut last = None;
        for (step, (movement, cost)) in trace.into_iter().enumerate() {
            let limit = if step % 5 < 3 { &limits.0 } else { &limits.1 };
            now = movement.apply(limit, now, last.as_ref());
            let cost = cost.units(limit);
            packed = stored(&packed);
            let outcome = kept.charge(limit, cost, now);
            prop_assert_eq!(outcome, packed.charge(limit, cost, now), "{}", limit);
            if step % 7 == 6 && outcome.verdict.is_allow() {
                kept.refund(limit, cost, &outcome);
                packed = stored(&packed);
                packed.advance(limit, now);
                packed.refund(limit, cost, &outcome);
            }
            last = Some(outcome);
        }
    }

    /// A store is read by whatever program is there: bits that no program of ours wrote must not
    /// stop it.
    #[test]
    fn no_bits_cause_a_panic(
        bits in any::<u128>(),
        limits in exchangeable_limits(),
        start in instant(),
    ) {
        let mut state = match limits.0.algorithm() {
            Algorithm::TokenBucket => State::TokenBucket(token_bucket::State::from_bits(bits)),
            Algorithm::SlidingWindow => {
                State::SlidingWindow(sliding_window::State::from_bits(bits))
            }
            _ => State::FixedWindow(fixed_window::State::from_bits(bits)),
        };
        prop_assume!(limits.0.algorithm() != Algorithm::SlidingLog);
        for limit in [&limits.0, &limits.1] {
            touch(&mut state, limit, start);
        }
    }
}
