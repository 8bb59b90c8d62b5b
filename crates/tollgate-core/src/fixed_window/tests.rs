use super::State;
use crate::state::AlgorithmState;
use crate::testing::{START, limit, take};
use crate::{Micros, Timestamp, Verdict};

fn after(millis: u64) -> Timestamp {
    START.saturating_add(Micros::from_millis(millis))
}

#[test]
fn windows_start_at_multiples_of_the_period() {
    let limit = limit("1/10s fixed-window");
    let mut state = State::default();
    for (millis, verdict) in [
        (9_999, Verdict::Allow),
        (10_000, Verdict::Allow),
        (19_999, Verdict::Deny),
        (20_000, Verdict::Allow),
    ] {
        assert_eq!(
            take(&mut state, &limit, 1, after(millis)).verdict,
            verdict,
            "{millis} ms"
        );
    }
}

#[test]
fn a_window_of_its_own_starts_at_the_first_admission_after_the_last() {
    let limit = limit("1/10s fixed-window anchor first-request");
    let mut state = State::default();
    for (millis, verdict) in [
        (9_999, Verdict::Allow),
        (19_998, Verdict::Deny),
        (19_999, Verdict::Allow),
        (35_000, Verdict::Allow),
        (44_999, Verdict::Deny),
    ] {
        assert_eq!(
            take(&mut state, &limit, 1, after(millis)).verdict,
            verdict,
            "{millis} ms"
        );
    }
}

#[test]
fn a_request_that_never_fits_opens_no_window() {
    let limit = limit("1/10s fixed-window anchor first-request");
    let mut state = State::default();
    assert_eq!(take(&mut state, &limit, 2, START).verdict, Verdict::Never);
    assert_eq!(
        take(&mut state, &limit, 1, after(5_000)).verdict,
        Verdict::Allow
    );
    assert_eq!(state.fresh_at(&limit), after(15_000));
}

#[test]
fn the_window_stands_still_for_a_period_and_then_moves_with_its_usage() {
    let limit = limit("1/10s fixed-window");
    let mut state = State::default();
    take(&mut state, &limit, 1, after(20_000));
    assert_eq!(
        take(&mut state, &limit, 1, after(10_000)).verdict,
        Verdict::Deny
    );
    assert_eq!(state.fresh_at(&limit), after(30_000));
    assert_eq!(
        take(&mut state, &limit, 1, after(9_999)).verdict,
        Verdict::Deny
    );
    assert_eq!(state.fresh_at(&limit), after(10_000));
}
