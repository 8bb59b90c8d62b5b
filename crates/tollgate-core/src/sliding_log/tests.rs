use super::State;
use crate::state::AlgorithmState;
use crate::testing::{START, limit, take};
use crate::{Micros, Timestamp, Verdict};

fn after(secs: u64) -> Timestamp {
    START.saturating_add(Micros::from_secs(secs))
}

#[test]
fn every_admission_leaves_by_itself() {
    let limit = limit("6/10s sliding-log");
    let mut state = State::default();
    for second in [0, 1, 2] {
        take(&mut state, &limit, 2, after(second));
    }
    let denied = take(&mut state, &limit, 3, after(9));
    assert_eq!(denied.verdict, Verdict::Deny);
    // Two admissions must leave to make room for three units.
    assert_eq!(denied.retry_after, Some(Micros::from_secs(2)));
    assert_eq!(
        take(&mut state, &limit, 2, after(10)).verdict,
        Verdict::Allow
    );
}

#[test]
fn admissions_of_one_instant_share_an_entry() {
    let limit = limit("1000/10s sliding-log");
    let mut state = State::default();
    for _ in 0..1_000 {
        take(&mut state, &limit, 1, START);
    }
    assert_eq!(state.entries.len(), 1);
    assert_eq!(take(&mut state, &limit, 1, START).verdict, Verdict::Deny);
}

#[test]
fn a_refund_takes_out_the_admission_itself() {
    let limit = limit("3/10s sliding-log");
    let mut state = State::default();
    take(&mut state, &limit, 1, START);
    let middle = take(&mut state, &limit, 1, after(3));
    take(&mut state, &limit, 1, after(6));
    state.refund(&limit, 1, &middle);
    assert_eq!(
        take(&mut state, &limit, 1, after(7)).verdict,
        Verdict::Allow
    );
    // The room of the first admission, not of the refunded one, comes next.
    let denied = take(&mut state, &limit, 1, after(8));
    assert_eq!(denied.retry_after, Some(Micros::from_secs(2)));
    state.refund(&limit, 1, &middle);
    assert_eq!(state.remaining(&limit), 0, "a second refund finds nothing");
}

#[test]
fn entries_keep_their_distances_through_a_large_step_back() {
    let limit = limit("2/10s sliding-log");
    let mut state = State::default();
    take(&mut state, &limit, 1, after(100));
    take(&mut state, &limit, 1, after(104));
    let denied = take(&mut state, &limit, 1, after(50));
    assert_eq!(denied.retry_after, Some(Micros::from_secs(6)));
    assert_eq!(denied.reset_after, Micros::from_secs(10));
}
