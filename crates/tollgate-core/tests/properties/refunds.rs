//! Refunds give back what would be there had the request never come, and never more.

use proptest::prelude::*;
use tollgate_core::{Algorithm, AlgorithmState, Anchor, Limit, Outcome, State, Timestamp};
use tollgate_testkit::strategy::{
    ALGORITHMS, Cost, Movement, config, cost, forward, instant, limit_of,
};

/// A request to be refunded, what comes between, and when the refund comes.
type Story = (Cost, Vec<(Movement, Cost)>, Movement);

fn story() -> impl Strategy<Value = Story> {
    let between = proptest::collection::vec((forward(), cost()), 0..8);
    (cost(), between, forward())
}

/// Algorithms whose past requests do not move the windows of later ones.
fn limit() -> impl Strategy<Value = Limit> {
    let windows_stay =
        |algorithm: &&Algorithm| **algorithm != Algorithm::FixedWindow(Anchor::FirstRequest);
    let algorithms: Vec<_> = ALGORITHMS.iter().filter(windows_stay).copied().collect();
    proptest::sample::select(algorithms).prop_flat_map(limit_of)
}

/// An admission is known by its reset, which no longer tells one from another once it saturates.
fn is_told(admitted: &Outcome) -> bool {
    admitted.reset_at() < Timestamp::MAX
}

fn ask(state: &mut State, limit: &Limit, cost: u64, now: Timestamp) -> Outcome {
    state.charge(limit, cost, now)
}

fn give_back(state: &mut State, limit: &Limit, cost: u64, admitted: &Outcome, now: Timestamp) {
    state.advance(limit, now);
    state.refund(limit, cost, admitted);
}

proptest! {
    #![proptest_config(config(800))]

    /// Two histories: in one a request is admitted and refunded later, in the other it never came.
    /// Whatever both have admitted in between, the first has never more left than the second.
    #[test]
    fn nobody_gains_against_the_history_without_the_request(
        limit in limit(),
        start in instant(),
        before in proptest::collection::vec((forward(), cost()), 0..6),
        story in story(),
    ) {
        let mut with = State::fresh(&limit);
        let mut now = start;
        for (movement, cost) in before {
            now = movement.apply(&limit, now, None);
            ask(&mut with, &limit, cost.units(&limit), now);
        }
        let mut without = with.clone();
        let (cost, between, wait) = story;
        let cost = cost.units(&limit);
        let admitted = ask(&mut with, &limit, cost, now);
        prop_assume!(admitted.verdict.is_allow() && is_told(&admitted));
        for (movement, cost) in between {
            now = movement.apply(&limit, now, Some(&admitted));
            let cost = cost.units(&limit);
            if ask(&mut with, &limit, cost, now).verdict.is_allow() {
                prop_assert!(ask(&mut without, &limit, cost, now).verdict.is_allow());
            }
        }
        now = wait.apply(&limit, now, Some(&admitted));
        let denied_before = with.peek(&limit, 0, now).remaining;
        give_back(&mut with, &limit, cost, &admitted, now);
        let (with, without) = (with.peek(&limit, 0, now), without.peek(&limit, 0, now));
        prop_assert!(with.remaining <= without.remaining, "{with:?} {without:?}, {limit}");
        prop_assert!(with.reset_after >= without.reset_after, "{with:?} {without:?}, {limit}");
        prop_assert!(with.remaining >= denied_before, "a refund takes nothing");
    }

    /// With nobody in between, a refund is exact: as if the request had never come.
    #[test]
    fn an_undisturbed_refund_is_exact(
        limit in limit(),
        start in instant(),
        before in proptest::collection::vec((forward(), cost()), 0..6),
        cost in cost(),
        wait in forward(),
    ) {
        let mut with = State::fresh(&limit);
        let mut now = start;
        for (movement, cost) in before {
            now = movement.apply(&limit, now, None);
            ask(&mut with, &limit, cost.units(&limit), now);
        }
        let without = with.clone();
        let cost = cost.units(&limit);
        let admitted = ask(&mut with, &limit, cost, now);
        prop_assume!(admitted.verdict.is_allow() && is_told(&admitted));
        now = wait.apply(&limit, now, Some(&admitted));
        prop_assume!(now < Timestamp::MAX);
        // Where more than a unit drains in a tick, up to a tick's worth may be kept.
        prop_assume!(
            limit.algorithm() != Algorithm::TokenBucket
                || limit.units() <= limit.period().as_micros() / limit.tick().as_micros()
        );
        give_back(&mut with, &limit, cost, &admitted, now);
        prop_assert_eq!(
            with.peek(&limit, 1, now), without.peek(&limit, 1, now),
            "{} of {}", cost, limit
        );
    }

    /// A refund of what has gone, or was refunded already, frees nobody else's use of a later
    /// window.
    #[test]
    fn a_late_refund_gives_nothing(
        limit in limit(),
        start in 1_000_000_000_u64..4_000_000_000_000_000,
        first in 1..=1_000_u64,
        second in 1..=1_000_u64,
        later in 0..3_000_u64,
    ) {
        let start = Timestamp::from_micros(start);
        let mut state = State::fresh(&limit);
        let cost = Cost::OfQuota(first).units(&limit);
        let admitted = ask(&mut state, &limit, cost, start);
        let gone = Movement::OnByPeriod(later).apply(&limit, admitted.reset_at(), None);
        ask(&mut state, &limit, Cost::OfQuota(second).units(&limit), gone);
        let before = state.peek(&limit, 1, gone);
        give_back(&mut state, &limit, cost, &admitted, gone);
        prop_assert_eq!(state.peek(&limit, 1, gone), before, "{}", limit);
    }

    /// A window that begins at the first request cannot be told to have begun later, but never
    /// admits more than its units.
    #[test]
    fn a_first_request_window_gets_back_its_own_units_only(
        limit in limit_of(Algorithm::FixedWindow(Anchor::FirstRequest)),
        start in instant(),
        story in story(),
    ) {
        let mut state = State::fresh(&limit);
        let mut now = start;
        let (cost, between, wait) = story;
        let cost = cost.units(&limit);
        let admitted = ask(&mut state, &limit, cost, now);
        prop_assume!(admitted.verdict.is_allow() && is_told(&admitted));
        for (movement, cost) in between {
            now = movement.apply(&limit, now, None);
            ask(&mut state, &limit, cost.units(&limit), now);
        }
        now = wait.apply(&limit, now, None);
        let before = state.peek(&limit, 0, now);
        give_back(&mut state, &limit, cost, &admitted, now);
        let after = state.peek(&limit, 0, now);
        let same_window = before.reset_at() == admitted.reset_at();
        let back = if same_window { cost } else { 0 };
        prop_assert_eq!(after.remaining, before.remaining + back, "{}", limit);
    }
}
