//! What an outcome says about the future is true.

use proptest::prelude::*;
use tollgate_core::{Limit, Micros, Outcome, State, Timestamp, Verdict};
use tollgate_testkit::strategy::{
    Cost, Movement, back_and_forth, config, forward, instant, limit, trace,
};

const MICROSECOND: Micros = Micros::new(1);

/// The state after a trace, and the instant of its last request.
fn play(limit: &Limit, start: Timestamp, trace: &[(Movement, Cost)]) -> (State, Timestamp) {
    let mut state = State::fresh(limit);
    let mut now = start;
    let mut last: Option<Outcome> = None;
    for (movement, cost) in trace {
        now = movement.apply(limit, now, last.as_ref());
        last = Some(state.charge(limit, cost.units(limit), now));
    }
    (state, now)
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn admits_exactly_after_retry_after_and_not_a_microsecond_sooner(
        limit in limit(),
        start in instant(),
        trace in trace(back_and_forth()),
        cost in 1..=1_000_u64,
    ) {
        let (mut state, now) = play(&limit, start, &trace);
        let cost = Cost::OfQuota(cost).units(&limit);
        let outcome = state.charge(&limit, cost, now);
        let Some(wait) = outcome.retry_after else {
            prop_assert_eq!(outcome.verdict, Verdict::Allow);
            return Ok(());
        };
        prop_assert!(wait > Micros::ZERO || now == Timestamp::MAX);
        // The clock stands still at the end of time, and so do promises.
        let promised = now.saturating_add(wait);
        prop_assume!(promised < Timestamp::MAX);
        let early = promised.saturating_sub(MICROSECOND);
        prop_assert_eq!(state.peek(&limit, cost, early).retry_after, Some(MICROSECOND));
        // Asking early, and being denied, does not put it off.
        let denied = state.charge(&limit, cost, early);
        prop_assert_eq!(denied.verdict, Verdict::Deny);
        prop_assert_eq!(state.charge(&limit, cost, promised).verdict, Verdict::Allow);
    }

    #[test]
    fn is_as_if_never_used_exactly_after_reset_after(
        limit in limit(),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        let (state, now) = play(&limit, start, &trace);
        let outcome = state.peek(&limit, 0, now);
        let fresh_at = outcome.reset_at();
        prop_assume!(fresh_at < Timestamp::MAX);
        // As if never used: every cost up to the quota gets the answer of a fresh state, now and
        // when the clock steps back afterwards.
        for cost in [0, 1, limit.quota(), limit.quota() + 1] {
            for back in [Micros::ZERO, MICROSECOND, limit.period(), Micros::new(limit.period().as_micros() * 3)] {
                let mut used = state.clone();
                used.charge(&limit, 0, fresh_at);
                let then = fresh_at.saturating_sub(back);
                prop_assert_eq!(
                    used.charge(&limit, cost, then),
                    State::fresh(&limit).charge(&limit, cost, then),
                    "{} of {}, {:?} before", cost, limit, back
                );
            }
        }
        if outcome.reset_after > Micros::ZERO {
            let nearly = state.peek(&limit, 0, fresh_at.saturating_sub(MICROSECOND));
            prop_assert_eq!(nearly.reset_after, MICROSECOND);
        }
    }

    #[test]
    fn remaining_is_what_an_immediate_request_gets(
        limit in limit(),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        let (state, now) = play(&limit, start, &trace);
        let remaining = state.peek(&limit, 0, now).remaining;
        prop_assert!(remaining <= limit.quota());
        let mut taken = state.clone();
        let outcome = taken.charge(&limit, remaining, now);
        prop_assert_eq!(outcome.verdict, Verdict::Allow);
        prop_assert_eq!(outcome.remaining, 0);
        let verdict = state.clone().charge(&limit, remaining + 1, now).verdict;
        let expected = if remaining == limit.quota() { Verdict::Never } else { Verdict::Deny };
        prop_assert_eq!(verdict, expected);
    }

    #[test]
    fn a_denial_or_a_peek_changes_nothing_that_follows(
        limit in limit(),
        start in instant(),
        before in trace(forward()),
        denied in 1..=1_200_u64,
        after in trace(forward()),
    ) {
        let (mut asked, now) = play(&limit, start, &before);
        let mut left_alone = asked.clone();
        let cost = Cost::OfQuota(denied).units(&limit);
        if asked.peek(&limit, cost, now).verdict.is_allow() {
            asked.charge(&limit, 0, now);
        } else {
            asked.charge(&limit, cost, now);
        }
        let (mut now, mut last) = (now, None);
        for (movement, cost) in after {
            now = movement.apply(&limit, now, last.as_ref());
            let cost = cost.units(&limit);
            let outcome = asked.charge(&limit, cost, now);
            prop_assert_eq!(outcome, left_alone.charge(&limit, cost, now));
            last = Some(outcome);
        }
    }

    #[test]
    fn never_is_for_costs_above_the_quota_and_only_for_those(
        limit in limit(),
        start in instant(),
        trace in trace(back_and_forth()),
        above in 1..=u64::MAX / 2,
    ) {
        let (mut state, now) = play(&limit, start, &trace);
        let before = state.peek(&limit, 0, now);
        for cost in [limit.quota() + 1, limit.quota() + above, u64::MAX] {
            let outcome = state.charge(&limit, cost, now);
            prop_assert_eq!(outcome.verdict, Verdict::Never);
            prop_assert_eq!(outcome.retry_after, None);
            prop_assert_eq!(outcome.remaining, before.remaining);
            prop_assert_eq!(outcome.reset_after, before.reset_after);
        }
        prop_assert_ne!(state.charge(&limit, limit.quota(), now).verdict, Verdict::Never);
    }

    #[test]
    fn a_cost_of_zero_is_admitted_and_spends_nothing(
        limit in limit(),
        start in instant(),
        trace in trace(back_and_forth()),
    ) {
        let (mut state, now) = play(&limit, start, &trace);
        let peeked = state.peek(&limit, 0, now);
        prop_assert_eq!(peeked.verdict, Verdict::Allow);
        prop_assert_eq!(state.charge(&limit, 0, now), peeked);
        prop_assert_eq!(state.charge(&limit, 0, now), peeked);
    }
}
