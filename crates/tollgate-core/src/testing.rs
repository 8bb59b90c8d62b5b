//! What the tests of all algorithms share.

use crate::{AlgorithmState, Limit, Micros, Outcome, Timestamp};

/// A multiple of a minute, of an hour and of ten seconds.
pub(crate) const START: Timestamp = Timestamp::from_secs(1_800_000_000);

pub(crate) fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

/// The start, later by so many microseconds.
pub(crate) fn after(micros: u64) -> Timestamp {
    START.saturating_add(Micros::new(micros))
}

/// Decides a charge step by step, as a store does.
pub(crate) fn take(
    state: &mut impl AlgorithmState,
    limit: &Limit,
    cost: u64,
    now: Timestamp,
) -> Outcome {
    state.advance(limit, now);
    let verdict = state.verdict(limit, cost);
    if verdict.is_allow() {
        state.spend(limit, cost);
    }
    state.outcome(limit, verdict, cost, now)
}
