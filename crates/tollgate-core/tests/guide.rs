//! The tables of `docs/algorithms.md` are what the algorithms do.

use tollgate_core::{Limit, State, Timestamp};
use tollgate_testkit::given::{at_millis, limit};

const GUIDE: &str = include_str!("../../../docs/algorithms.md");

const ALGORITHMS: [&str; 5] = [
    "token-bucket",
    "fixed-window",
    "fixed-window anchor first-request",
    "sliding-window",
    "sliding-log",
];

fn limits() -> [Limit; 5] {
    ALGORITHMS.map(|algorithm| limit(&format!("10/min {algorithm}")))
}

/// How many of `count` requests at an instant are admitted.
fn admitted(state: &mut State, limit: &Limit, count: u64, now: Timestamp) -> u64 {
    let requests = 0..count;
    let verdicts = requests.map(|_| state.charge(limit, 1, now).verdict);
    verdicts.map(|verdict| u64::from(verdict.is_allow())).sum()
}

/// A row for each algorithm: its name, then the cells.
#[track_caller]
fn assert_is_in_the_guide(cells: impl Fn(&Limit) -> Vec<String>) {
    let rows = limits()
        .iter()
        .zip(ALGORITHMS)
        .map(|(limit, name)| format!("| `{name}` | {} |\n", cells(limit).join(" | ")))
        .collect::<String>();
    assert!(
        GUIDE.contains(&rows),
        "docs/algorithms.md does not say:\n{rows}"
    );
}

#[test]
fn tells_what_a_client_gets_who_asks_every_second() {
    assert_is_in_the_guide(|limit| {
        let mut state = State::fresh(limit);
        let mut get = |second: u64| admitted(&mut state, limit, 1, at_millis(second * 1_000));
        // From 30 seconds into a minute, in spans of 15 seconds.
        let spans = (30..150).step_by(15);
        let mut cells: Vec<u64> = spans
            .map(|span| (span..span + 15).map(&mut get).sum())
            .collect();
        cells.push(cells.iter().sum());
        cells.iter().map(u64::to_string).collect()
    });
}

#[test]
fn tells_what_bursts_get() {
    assert_is_in_the_guide(|limit| {
        let mut state = State::fresh(limit);
        [59_500, 60_500, 75_000, 90_000, 120_000]
            .map(|millis| admitted(&mut state, limit, 10, at_millis(millis)).to_string())
            .to_vec()
    });
}

#[test]
fn tells_how_long_to_wait() {
    assert_is_in_the_guide(|limit| {
        let mut state = State::fresh(limit);
        assert_eq!(admitted(&mut state, limit, 10, at_millis(50_000)), 10);
        let outcome = state.charge(limit, 1, at_millis(50_000));
        let one = outcome.retry_after.unwrap().as_micros();
        let all = state
            .peek(limit, 10, at_millis(50_000))
            .retry_after
            .unwrap();
        let fresh = outcome.reset_after.as_micros();
        [one, all.as_micros(), fresh].map(seconds).to_vec()
    });
}

fn seconds(micros: u64) -> String {
    assert_eq!(micros % 1_000_000, 0, "the tables show whole seconds");
    format!("{} s", micros / 1_000_000)
}
