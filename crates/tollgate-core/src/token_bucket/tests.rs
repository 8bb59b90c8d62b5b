use super::State;
use crate::state::AlgorithmState;
use crate::testing::{START, after, limit, take};
use crate::{Limit, Micros, Timestamp, Verdict};

fn remaining(mut state: State, limit: &Limit, now: Timestamp) -> u64 {
    state.advance(limit, now);
    state.remaining(limit)
}

#[test]
fn seven_a_minute_drains_exactly_seven_tokens_in_every_minute() {
    let limit = limit("7/min");
    let mut state = State::default();
    assert_eq!(take(&mut state, &limit, 7, START).verdict, Verdict::Allow);
    for minute in 1..=1_000 {
        let full = after(minute * 60_000_000);
        let nearly = full.saturating_sub(Micros::new(1));
        assert_eq!(take(&mut state, &limit, 7, nearly).verdict, Verdict::Deny);
        assert_eq!(take(&mut state, &limit, 7, full).verdict, Verdict::Allow);
    }
}

#[test]
fn looking_at_every_instant_loses_nothing() {
    let limit = limit("7/ms burst 3");
    let mut state = State::default();
    take(&mut state, &limit, 3, START);
    let mut looked_at = state;
    for micros in 0..400 {
        looked_at.advance(&limit, after(micros));
    }
    state.advance(&limit, after(399));
    assert_eq!(looked_at, state);
}

#[test]
fn a_coarse_tick_drains_whole_ticks_only() {
    let limit = limit("1000000000000/s");
    let tick = limit.tick();
    assert_eq!(tick, Micros::new(1_000));
    let mut state = State::default();
    take(&mut state, &limit, 1_000_000_000_000, START);
    assert_eq!(remaining(state, &limit, after(999)), 0);
    assert_eq!(remaining(state, &limit, after(1_000)), 1_000_000_000);
}

#[test]
fn a_tick_that_has_begun_does_not_drain_again_when_it_becomes_coarser() {
    let (fine, coarse) = (limit("1000/s"), limit("1000000000000/s"));
    assert!(fine.tick() < coarse.tick());
    let mut state = State::default();
    take(&mut state, &fine, 1_000, after(900));
    state.advance(&coarse, after(900));
    let left = coarse.quota() - 1_000;
    assert_eq!(
        remaining(state, &coarse, after(1_000)),
        left,
        "0.1 ms is no tick"
    );
    assert_eq!(remaining(state, &coarse, after(2_000)), coarse.quota());
}

#[test]
fn a_lowered_burst_leaves_nothing_but_no_debt() {
    let (large, small) = (limit("10/s burst 100"), limit("10/s"));
    let mut state = State::default();
    take(&mut state, &large, 100, START);
    assert_eq!(remaining(state, &small, START), 0);
    assert_eq!(remaining(state, &small, after(1_000_000)), 10);
}
