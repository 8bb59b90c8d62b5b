//! Time and refilling: faults that other limiters had.

use tollgate_core::{Limit, Micros, Outcome, State, Timestamp, Verdict};
use tollgate_testkit::given::{EACH_ALGORITHM, START, at_millis, limit};

fn at(secs: u64) -> Timestamp {
    at_millis(secs * 1_000)
}

fn seconds(secs: u64) -> Option<Micros> {
    Some(Micros::from_secs(secs))
}

/// As many requests of cost 1 as are admitted, of `count`.
fn admitted(state: &mut State, limit: &Limit, count: usize, now: Timestamp) -> usize {
    (0..count)
        .filter(|_| state.charge(limit, 1, now).verdict.is_allow())
        .count()
}

// B01
#[test]
fn idling_never_stores_more_than_the_burst() {
    let limit = limit("5/s burst 5");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 6, at(0)), 5);
    assert_eq!(admitted(&mut state, &limit, 7, at(2)), 5);
    assert_eq!(admitted(&mut state, &limit, 7, at(1_000_000)), 5);
}

// B03
#[test]
fn an_exhausted_burst_waits_for_one_token_not_for_all() {
    let limit = limit("1/s burst 10");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 10, at(0)), 10);
    assert_eq!(state.charge(&limit, 1, at(0)).retry_after, seconds(1));
    assert!(state.charge(&limit, 1, at(1)).verdict.is_allow());
}

// B05
#[test]
fn asking_before_and_after_the_last_update_makes_no_tokens() {
    for suffix in EACH_ALGORITHM {
        let limit = limit(&format!("5/5s{suffix}"));
        let mut state = State::fresh(&limit);
        assert_eq!(admitted(&mut state, &limit, 5, at(10)), 5);
        for _ in 0..100 {
            for now in [at(9), at(10)] {
                assert_eq!(
                    state.charge(&limit, 1, now).verdict,
                    Verdict::Deny,
                    "{limit}"
                );
            }
        }
    }
}

// B07
#[test]
fn refills_within_a_second() {
    let limit = limit("10/s");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 11, at_millis(50)), 10);
    assert_eq!(state.peek(&limit, 1, at_millis(550)).remaining, 5);
    assert_eq!(state.peek(&limit, 1, at_millis(1_000)).remaining, 9);
}

// B09
#[test]
fn decides_alike_wherever_the_clock_begins() {
    let offsets = [0, 1, 999_999, 1_000_000, 1_000_000, 2_500_000, 2_999_999];
    for text in [
        "2/s",
        "3/s burst 4",
        "2/s fixed-window anchor first-request",
        "2/s sliding-log",
    ] {
        let limit = limit(text);
        let verdicts = |origin: Timestamp| -> Vec<(Verdict, u64)> {
            let mut state = State::fresh(&limit);
            offsets
                .into_iter()
                .map(|offset| origin.saturating_add(Micros::new(offset)))
                .flat_map(|now| [now, now])
                .map(|now| state.charge(&limit, 1, now))
                .map(|outcome| (outcome.verdict, outcome.remaining))
                .collect()
        };
        let expected = verdicts(START);
        for origin in [
            Timestamp::EPOCH,
            Timestamp::from_micros(1),
            Timestamp::MAX.saturating_sub(Micros::from_secs(3)),
        ] {
            assert_eq!(verdicts(origin), expected, "{text} from {origin:?}");
        }
    }
}

// B09
#[test]
fn a_clock_at_the_end_of_time_stands_still() {
    for suffix in EACH_ALGORITHM {
        let limit = limit(&format!("2/s{suffix}"));
        let mut state = State::fresh(&limit);
        let nearly = Timestamp::MAX.saturating_sub(Micros::from_secs(3));
        assert_eq!(admitted(&mut state, &limit, 3, nearly), 2, "{limit}");
        let end = nearly.saturating_add(Micros::from_secs(3_600));
        assert_eq!(end, Timestamp::MAX);
        assert_eq!(admitted(&mut state, &limit, 3, end), 2, "{limit}");
        assert_eq!(admitted(&mut state, &limit, 3, end), 0, "{limit}");
    }
}

// B11
#[test]
fn a_period_too_long_to_be_kept_is_refused() {
    let error = "10/1000000000s".parse::<Limit>().unwrap_err().to_string();
    assert!(error.starts_with("period is "), "{error}");
    assert!(error.contains("from 1 ms to 366 d"), "{error}");
}

// B13
#[test]
fn a_clock_that_steps_back_an_hour_makes_nobody_wait_an_hour() {
    let limit = limit("1/s");
    let mut state = State::fresh(&limit);
    assert!(state.charge(&limit, 1, at(3_600)).verdict.is_allow());
    let outcome = state.charge(&limit, 1, at(0));
    assert_eq!(outcome.verdict, Verdict::Deny, "nothing is given back");
    assert!(outcome.retry_after <= seconds(1), "{outcome:?}");
}

// B15
#[test]
fn denials_neither_move_nor_restart_a_window() {
    let limit = limit("3/60s fixed-window anchor first-request");
    let mut state = State::fresh(&limit);
    for second in [0, 10, 20] {
        assert!(state.charge(&limit, 1, at(second)).verdict.is_allow());
    }
    for (second, wait) in [(30, 30), (40, 20), (50, 10)] {
        let outcome = state.charge(&limit, 1, at(second));
        assert_eq!(outcome.retry_after, seconds(wait), "at {second} s");
    }
    assert!(state.charge(&limit, 1, at(60)).verdict.is_allow());
}

// B17
#[test]
fn an_eager_client_is_not_locked_out() {
    for suffix in ["", " fixed-window anchor first-request", " sliding-log"] {
        let limit = limit(&format!("1/h{suffix}"));
        let mut state = State::fresh(&limit);
        assert!(state.charge(&limit, 1, at(0)).verdict.is_allow());
        let denied = state.charge(&limit, 1, at(59 * 60));
        assert_eq!(denied.retry_after, seconds(60), "{limit}");
        assert!(
            state.charge(&limit, 1, at(3_601)).verdict.is_allow(),
            "{limit}"
        );
    }
}

// B17, B75
#[test]
fn a_client_below_the_limit_is_never_denied() {
    for suffix in EACH_ALGORITHM {
        let limit = limit(&format!("100/min{suffix}"));
        let mut state = State::fresh(&limit);
        for second in (0..86_400).step_by(30) {
            let outcome = state.charge(&limit, 1, at(second));
            assert_eq!(outcome.verdict, Verdict::Allow, "{limit} at {second} s");
        }
        let limit = "3000/s".to_owned() + suffix;
        let limit: Limit = limit.parse().unwrap();
        let mut state = State::fresh(&limit);
        for request in 0..30_000 {
            let outcome = state.charge(&limit, 1, at_millis(request * 2));
            assert_eq!(
                outcome.verdict,
                Verdict::Allow,
                "{limit}, request {request}"
            );
        }
    }
}

// B19
#[test]
fn a_sliding_window_tells_when_the_weight_has_faded_enough() {
    let limit = limit("60/60s sliding-window");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 61, at(0)), 60);
    assert_eq!(admitted(&mut state, &limit, 13, at(60 + 12)), 12);
    let denied = state.charge(&limit, 1, at(60 + 12));
    assert_eq!(denied.retry_after, seconds(1));
    assert!(state.charge(&limit, 1, at(60 + 13)).verdict.is_allow());
}

// B21
#[test]
fn a_steady_drip_refills_between_requests() {
    let limit = limit("10/30s");
    let mut state = State::fresh(&limit);
    let remaining: Vec<u64> = (0..11)
        .map(|second| state.charge(&limit, 1, at(second)).remaining)
        .collect();
    assert_eq!(remaining, [9, 8, 7, 7, 6, 5, 5, 4, 3, 3, 2]);
}

// B23
#[test]
fn remaining_never_exceeds_the_limit_and_reset_counts_every_hit() {
    let limit = limit("5/50s");
    let mut state = State::fresh(&limit);
    state.charge(&limit, 1, at(0));
    assert_eq!(state.charge(&limit, 0, at(3_600)).remaining, 5);
    let outcome = state.charge(&limit, 5, at(3_600));
    assert_eq!(outcome.remaining, 0);
    assert_eq!(Some(outcome.reset_after), seconds(50));
}

// B25
#[test]
fn an_aligned_window_admits_twice_across_an_edge_and_says_so() {
    let fixed = limit("5/60s fixed-window");
    let mut state = State::fresh(&fixed);
    assert_eq!(admitted(&mut state, &fixed, 6, at_millis(59_500)), 5);
    assert_eq!(admitted(&mut state, &fixed, 6, at_millis(60_500)), 5);
    let explained = fixed.effective_rate().to_string();
    assert!(
        explained.contains("windows start at multiples of the period"),
        "{explained}"
    );
    assert!(explained.contains("across an edge up to 10"), "{explained}");

    let log = limit("5/60s sliding-log");
    let mut state = State::fresh(&log);
    assert_eq!(admitted(&mut state, &log, 6, at_millis(59_500)), 5);
    assert_eq!(admitted(&mut state, &log, 6, at_millis(60_500)), 0);
}

// B29
#[test]
fn an_entry_one_period_old_has_left_before_the_count() {
    let limit = limit("1/s sliding-log");
    for (millis, verdict) in [
        (999, Verdict::Deny),
        (1_000, Verdict::Allow),
        (1_001, Verdict::Allow),
    ] {
        let mut state = State::fresh(&limit);
        assert!(state.charge(&limit, 1, at(0)).verdict.is_allow());
        assert_eq!(
            state.charge(&limit, 1, at_millis(millis)).verdict,
            verdict,
            "{millis} ms"
        );
    }
}

// B31
#[test]
fn waits_count_the_part_of_the_interval_that_has_gone() {
    let limit = limit("5/300s");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 5, at(0)), 5);
    assert_eq!(state.charge(&limit, 1, at(59)).retry_after, seconds(1));
}

// B31
#[test]
fn a_full_bucket_keeps_no_fraction() {
    let limit = limit("5/300s");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 5, at(0)), 5);
    let full_and_a_half = at(300 + 30);
    assert_eq!(admitted(&mut state, &limit, 5, full_and_a_half), 5);
    assert_eq!(
        state.charge(&limit, 1, full_and_a_half).retry_after,
        seconds(60)
    );
}

// B33
#[test]
fn a_sliding_window_of_one_weighs_the_previous_hit_exactly() {
    let limit = limit("1/10s sliding-window");
    let mut state = State::fresh(&limit);
    let mut ask = |millis| -> Outcome { state.charge(&limit, 1, at_millis(millis)) };
    assert_eq!(ask(0).verdict, Verdict::Allow);
    let denied = ask(9_900);
    assert_eq!(denied.retry_after, Some(Micros::from_millis(10_100)));
    assert_eq!(ask(10_100).verdict, Verdict::Deny);
    assert_eq!(ask(19_999).verdict, Verdict::Deny);
    assert_eq!(ask(20_100).verdict, Verdict::Allow);
}

// B59
#[test]
fn waits_in_whole_seconds_are_rounded_up() {
    let limit = limit("10/s");
    let mut state = State::fresh(&limit);
    assert_eq!(admitted(&mut state, &limit, 10, at(0)), 10);
    let wait = state.charge(&limit, 1, at(0)).retry_after.unwrap();
    assert_eq!(wait, Micros::from_millis(100));
    assert_eq!(wait.as_secs_ceil(), 1);
    assert_eq!(Micros::new(1_000_400).as_secs_ceil(), 2);
    assert_eq!(Micros::from_secs(1).as_secs_ceil(), 1);
}

// B67
#[test]
fn reset_is_told_as_a_span_and_as_an_instant() {
    let limit = limit("1/min");
    let mut state = State::fresh(&limit);
    state.charge(&limit, 1, at(0));
    let denied = state.charge(&limit, 1, at_millis(500));
    assert_eq!(denied.reset_after, Micros::from_millis(59_500));
    assert_eq!(denied.reset_after.as_secs_ceil(), 60);
    assert_eq!(denied.reset_at(), Timestamp::from_secs(1_800_000_060));
}

// B129, without threads: a late reader of the clock commits after an earlier one.
#[test]
fn a_late_reading_of_the_clock_rewinds_nothing() {
    for suffix in EACH_ALGORITHM {
        let limit = limit(&format!("100/s{suffix}"));
        let mut state = State::fresh(&limit);
        let mut count = 0;
        for millis in 1..=10_000_u64 {
            for now in [at_millis(millis), at_millis(millis - 1)] {
                count += admitted(&mut state, &limit, 3, now);
            }
        }
        assert!(count <= 100 + 1_000, "{count} of {limit}");
        assert!(count >= 900, "{count} of {limit}");
    }
}
