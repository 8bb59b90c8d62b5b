//! Never more than the stated bound, in any span between two admissions.

use proptest::prelude::*;
use tollgate_core::{Algorithm, Anchor, Limit, State, Timestamp};
use tollgate_testkit::strategy::{Cost, Movement, config, forward, instant, limit_of, trace};

/// When, and how many units.
type Admissions = Vec<(u64, u64)>;

fn admissions(limit: &Limit, start: Timestamp, trace: &[(Movement, Cost)]) -> Admissions {
    let mut state = State::fresh(limit);
    let mut now = start;
    let mut last = None;
    let mut admitted = Vec::new();
    for (movement, cost) in trace {
        now = movement.apply(limit, now, last.as_ref());
        let outcome = state.charge(limit, cost.units(limit), now);
        if outcome.verdict.is_allow() {
            admitted.push((now.as_micros(), cost.units(limit)));
            // Whatever is left, too: a bound is only tested by those who ask for all they can get.
            if outcome.remaining > 0 && outcome.remaining.is_multiple_of(3) {
                let rest = state.charge(limit, outcome.remaining, now);
                assert!(rest.verdict.is_allow(), "{limit}: what remains is admitted");
                admitted.push((now.as_micros(), outcome.remaining));
            }
        }
        last = Some(outcome);
    }
    admitted
}

/// Every span that begins and ends with an admission: its ends, and the units in it.
fn spans(admitted: &Admissions) -> impl Iterator<Item = (u64, u64, u128)> + '_ {
    admitted.iter().enumerate().flat_map(|(index, (first, _))| {
        let mut units = 0;
        admitted.iter().skip(index).map(move |(last, cost)| {
            units += u128::from(*cost);
            (*first, *last, units)
        })
    })
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn token_bucket_admits_at_most_the_burst_and_the_rate(
        limit in limit_of(Algorithm::TokenBucket),
        start in instant(),
        trace in trace(forward()),
    ) {
        let tick = limit.tick().as_micros();
        let period = u128::from(limit.period().as_micros());
        for (first, last, units) in spans(&admissions(&limit, start, &trace)) {
            // Refills come in whole ticks, so a span is as long as the ticks that begin in it.
            let span = u128::from((last / tick - first / tick) * tick);
            let bound = u128::from(limit.quota()) * period + u128::from(limit.units()) * span;
            prop_assert!(units * period <= bound, "{units} from {first} to {last} under {limit}");
        }
    }

    #[test]
    fn fixed_window_admits_at_most_its_units_in_each_window(
        limit in limit_of(Algorithm::FixedWindow(Anchor::Epoch)),
        start in instant(),
        trace in trace(forward()),
    ) {
        let period = limit.period().as_micros();
        for (first, last, units) in spans(&admissions(&limit, start, &trace)) {
            let windows = u128::from(last / period - first / period + 1);
            prop_assert!(
                units <= windows * u128::from(limit.units()),
                "{units} from {first} to {last} under {limit}"
            );
        }
    }

    #[test]
    fn first_request_window_admits_at_most_twice_its_units_in_a_period(
        limit in limit_of(Algorithm::FixedWindow(Anchor::FirstRequest)),
        start in instant(),
        trace in trace(forward()),
    ) {
        let period = limit.period().as_micros();
        for (first, last, units) in spans(&admissions(&limit, start, &trace)) {
            let windows = u128::from((last - first).div_ceil(period) + 1);
            prop_assert!(
                units <= windows * u128::from(limit.units()),
                "{units} from {first} to {last} under {limit}"
            );
        }
    }

    #[test]
    fn sliding_window_admits_at_most_its_units_in_each_window(
        limit in limit_of(Algorithm::SlidingWindow),
        start in instant(),
        trace in trace(forward()),
    ) {
        let period = limit.period().as_micros();
        for (first, last, units) in spans(&admissions(&limit, start, &trace)) {
            let windows = u128::from(last / period - first / period + 1);
            prop_assert!(
                units <= windows * u128::from(limit.units()),
                "{units} from {first} to {last} under {limit}"
            );
        }
    }

    #[test]
    fn sliding_log_admits_at_most_its_units_in_any_period(
        limit in limit_of(Algorithm::SlidingLog),
        start in instant(),
        trace in trace(forward()),
    ) {
        let period = limit.period().as_micros();
        for (first, last, units) in spans(&admissions(&limit, start, &trace)) {
            let periods = u128::from((last - first) / period + 1);
            prop_assert!(
                units <= periods * u128::from(limit.units()),
                "{units} from {first} to {last} under {limit}"
            );
        }
    }
}
