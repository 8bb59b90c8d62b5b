use super::State;
use crate::Verdict;
use crate::state::AlgorithmState;
use crate::testing::{START, after, limit, take};

#[test]
fn the_weight_is_compared_exactly_and_never_rounded() {
    // 3 × (10 s − e) / 10 s + 1 ≤ 3 from e = 3 333 333.3… µs on.
    let limit = limit("3/10s sliding-window");
    let mut state = State::default();
    assert_eq!(take(&mut state, &limit, 3, START).verdict, Verdict::Allow);
    for (micros, verdict) in [(13_333_333, Verdict::Deny), (13_333_334, Verdict::Allow)] {
        assert_eq!(
            take(&mut state, &limit, 1, after(micros)).verdict,
            verdict,
            "{micros} µs"
        );
    }
}

#[test]
fn an_instant_after_the_edge_the_previous_window_counts_nearly_in_full() {
    let limit = limit("1000/10s sliding-window");
    let mut state = State::default();
    take(&mut state, &limit, 1_000, after(9_999_999));
    assert_eq!(
        take(&mut state, &limit, 1, after(10_000_001)).verdict,
        Verdict::Deny
    );
    assert_eq!(
        take(&mut state, &limit, 1, after(10_010_000)).verdict,
        Verdict::Allow
    );
}

#[test]
fn a_lowered_limit_waits_for_what_is_above_it_to_fade() {
    let (large, small) = (
        limit("100/10s sliding-window"),
        limit("10/10s sliding-window"),
    );
    let mut state = State::default();
    take(&mut state, &large, 100, START);
    assert_eq!(take(&mut state, &small, 1, after(1)).verdict, Verdict::Deny);
    // 100 × (10 s − e) / 10 s ≤ 9 from e = 9.1 s on, in the next window.
    assert_eq!(state.admits_at(&small, 1), after(19_100_000));
}

#[test]
fn nothing_fades_through_a_large_step_back() {
    let limit = limit("10/10s sliding-window");
    let mut state = State::default();
    take(&mut state, &limit, 10, after(90_000_000));
    state.advance(&limit, after(100_000_000));
    assert_eq!(state.remaining(&limit), 0);
    // Late in a window, where the previous one would hardly count.
    state.advance(&limit, after(9_900_000));
    assert_eq!(state.remaining(&limit), 0);
    state.advance(&limit, after(15_000_000));
    assert_eq!(state.remaining(&limit), 5);
}

#[test]
fn an_unused_state_follows_the_clock_back() {
    let limit = limit("10/10s sliding-window");
    let mut state = State::default();
    state.advance(&limit, after(10_000_000));
    take(&mut state, &limit, 1, after(9_000_000));
    assert_eq!(state.fresh_at(&limit), after(20_000_000));
}
