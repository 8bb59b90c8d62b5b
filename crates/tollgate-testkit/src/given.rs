//! What tests begin with.

use tollgate::{Limit, Micros, Timestamp};

/// The instant at which tests begin: a multiple of a minute, of an hour and of ten seconds.
pub const START: Timestamp = Timestamp::from_secs(1_800_000_000);

/// What makes a limit such as `5/min` one of each algorithm, if it is added to it.
pub const EACH_ALGORITHM: [&str; 5] = [
    "",
    " fixed-window",
    " fixed-window anchor first-request",
    " sliding-window",
    " sliding-log",
];

/// The limit of a text.
#[must_use]
pub fn limit(text: &str) -> Limit {
    match text.parse() {
        Ok(limit) => limit,
        Err(error) => panic!("{error}"),
    }
}

/// The start, later by so many milliseconds.
#[must_use]
pub const fn at_millis(millis: u64) -> Timestamp {
    START.saturating_add(Micros::from_millis(millis))
}
