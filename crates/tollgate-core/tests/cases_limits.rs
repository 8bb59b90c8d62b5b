//! Limits, large, wrong and changed: faults that other limiters had.

use tollgate_core::{
    AlgorithmState, Limit, LimitErrorKind, Micros, State, Timestamp, Verdict, sliding_log,
};
use tollgate_testkit::given::{EACH_ALGORITHM, START, at_millis, limit};

fn admitted(state: &mut State, limit: &Limit, count: usize, now: Timestamp) -> usize {
    (0..count)
        .filter(|_| state.charge(limit, 1, now).verdict.is_allow())
        .count()
}

// B81
#[test]
fn denied_requests_do_not_count_against_a_raised_limit() {
    for suffix in EACH_ALGORITHM {
        let (ten, twenty) = (
            limit(&format!("10/h{suffix}")),
            limit(&format!("20/h{suffix}")),
        );
        let mut state = State::fresh(&ten);
        assert_eq!(admitted(&mut state, &ten, 50, START), 10, "{ten}");
        assert_eq!(admitted(&mut state, &twenty, 11, START), 10, "{twenty}");
    }
}

// B87
#[test]
fn taking_and_returning_leaves_the_bucket_as_it_was() {
    // Returned at once, a moment later, and after the unit has refilled by itself.
    for returned_after in [0, 1, 37, 100] {
        let limit = limit("10/s");
        let mut state = State::fresh(&limit);
        for round in 0..50 {
            let taken_at = at_millis(round * 100);
            let taken = state.charge(&limit, 1, taken_at);
            assert_eq!(taken.verdict, Verdict::Allow);
            let returned_at = taken_at.saturating_add(Micros::from_millis(returned_after));
            state.advance(&limit, returned_at);
            state.refund(&limit, 1, &taken);
            let seen = state.peek(&limit, 1, returned_at);
            assert_eq!(
                seen.remaining, 10,
                "round {round}, after {returned_after} ms"
            );
        }
    }
}

// B103, B121
#[test]
fn a_limit_of_zero_is_refused() {
    use std::time::Duration;
    let zero = Limit::builder(0, Duration::from_secs(60)).build();
    assert_eq!(zero.unwrap_err().kind(), LimitErrorKind::Units);
    let zero = Limit::builder(10, Duration::ZERO).build();
    assert_eq!(zero.unwrap_err().kind(), LimitErrorKind::Period);
    let zero = Limit::builder(10, Duration::from_secs(60)).burst(0).build();
    assert_eq!(zero.unwrap_err().kind(), LimitErrorKind::Burst);
}

// B113
#[test]
fn a_sliding_log_takes_memory_for_what_was_admitted_only() {
    let limit = limit("1000000/min sliding-log");
    let mut bytes = 0;
    for _ in 0..1_000 {
        let mut state = State::fresh(&limit);
        state.charge(&limit, 1, START);
        if let State::SlidingLog(log) = &state {
            bytes += log.heap_bytes();
        }
    }
    assert!(bytes > 0 && bytes < 1 << 20, "{bytes} bytes");
}

// B113
#[test]
fn a_sliding_log_gives_memory_back() {
    let limit = limit("1000/s sliding-log");
    let mut log = sliding_log::State::default();
    for micros in 0..1_000 {
        let now = START.saturating_add(Micros::new(micros));
        log.advance(&limit, now);
        log.spend(&limit, 1);
    }
    assert!(log.heap_bytes() >= 1_000 * sliding_log::State::ENTRY_BYTES);
    log.advance(&limit, at_millis(5_000));
    assert!(log.is_empty());
    log.spend(&limit, 1);
    assert!(
        log.heap_bytes() <= 16 * sliding_log::State::ENTRY_BYTES,
        "{}",
        log.heap_bytes()
    );
}

// B123
#[test]
fn limits_beyond_32_bits_are_counted_exactly() {
    for suffix in EACH_ALGORITHM {
        let limit = limit(&format!("5000000000/d{suffix}"));
        let mut state = State::fresh(&limit);
        let outcome = state.charge(&limit, 4_999_999_999, START);
        assert_eq!(outcome.remaining, 1, "{limit}");
        assert!(state.charge(&limit, 1, START).verdict.is_allow(), "{limit}");
        assert_eq!(
            state.charge(&limit, 1, START).verdict,
            Verdict::Deny,
            "{limit}"
        );
    }
}

// B125
#[test]
fn a_changed_limit_neither_refills_nor_frees() {
    for suffix in EACH_ALGORITHM {
        let old = limit(&format!("10/h{suffix}"));
        let mut state = State::fresh(&old);
        assert_eq!(admitted(&mut state, &old, 11, START), 10, "{old}");
        for (units, left) in [(10, 0), (12, 2), (5, 0)] {
            let new = limit(&format!("{units}/h{suffix}"));
            let mut changed = state.clone();
            assert_eq!(admitted(&mut changed, &new, 20, START), left, "{new}");
        }
    }
}

// B127
#[test]
fn a_lowered_limit_goes_on_admitting() {
    for suffix in EACH_ALGORITHM {
        let (old, new) = (
            limit(&format!("5/5ms{suffix}")),
            limit(&format!("2/5ms{suffix}")),
        );
        let mut state = State::fresh(&old);
        assert_eq!(admitted(&mut state, &old, 6, START), 5, "{old}");
        // Every other period, so that a sliding window has nothing before it.
        for period in [3, 5, 7, 9] {
            let now = at_millis(period * 5);
            assert_eq!(
                admitted(&mut state, &new, 6, now),
                2,
                "{new}, period {period}"
            );
        }
    }
}

// B141
#[test]
fn a_cost_above_the_burst_is_never_and_leaves_all_there_is() {
    let limit = limit("1/60s burst 5");
    let mut state = State::fresh(&limit);
    let outcome = state.charge(&limit, 10, START);
    assert_eq!(outcome.verdict, Verdict::Never);
    assert_eq!(outcome.retry_after, None);
    assert_eq!(outcome.remaining, 5);
    assert_eq!(outcome.reset_after, Micros::ZERO);
    let looked = state.charge(&limit, 0, START);
    assert_eq!((looked.verdict, looked.remaining), (Verdict::Allow, 5));
}

/// Stores outlive programs: what a count is found by must not change.
#[test]
fn limits_share_a_count_by_algorithm_and_period_for_ever() {
    let ids = [
        ("10/min", 60_000),
        ("10/min fixed-window", (1 << 40) + 60_000),
        (
            "10/min fixed-window anchor first-request",
            (2 << 40) + 60_000,
        ),
        ("10/min sliding-window", (3 << 40) + 60_000),
        ("10/min sliding-log", (4 << 40) + 60_000),
        ("7/60s burst 3", 60_000),
        ("10/ms", 1),
        ("10/366d", 31_622_400_000),
    ];
    for (text, id) in ids {
        assert_eq!(limit(text).id().as_u64(), id, "{text}");
    }
}
