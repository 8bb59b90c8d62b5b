//! What every store must do: one function for each behaviour, and random traces.
//!
//! Each function takes the store and the clock that the store reads. It moves the clock as it
//! likes, uses keys of its own, and panics with what differs. Nothing is flushed, so the store may
//! be shared and full of others' keys; but a store that drops keys by a clock of its own must
//! tolerate that the manual clock stands still while the test runs.

mod alone;
mod limits;
mod refunds;
mod time;
mod together;
mod traces;

pub use alone::*;
pub use limits::*;
pub use refunds::*;
pub use time::*;
pub use together::*;
pub use traces::{TraceOptions, random_trace};

use tollgate::{ManualClock, Outcomes, Store};
use tollgate_core::{Charge, Limit, Micros, Outcome, Timestamp};

pub use crate::given::START;
use crate::given::limit;

/// One limit of each kind, all of five units, that take from 10 s to 2 min to be as if never used.
const EACH_ALGORITHM: [&str; 6] = [
    "5/min",
    "1/s burst 5",
    "5/10s fixed-window",
    "5/10s fixed-window anchor first-request",
    "5/min sliding-window",
    "5/min sliding-log",
];

/// Runs every behaviour, and some random traces.
///
/// # Panics
///
/// If the store differs from what is right.
pub async fn run_all<S: Store>(store: &S, clock: &ManualClock) {
    admits_up_to_the_limit_then_denies(store, clock).await;
    spends_as_many_units_as_it_costs(store, clock).await;
    keeps_its_promise_of_retry_after(store, clock).await;
    is_as_if_never_used_after_reset_after(store, clock).await;
    never_admits_a_cost_above_the_quota(store, clock).await;
    writes_nothing_when_it_only_looks(store, clock).await;
    keeps_policies_keys_and_limits_apart(store, clock).await;
    forgets_a_key_that_is_reset(store, clock).await;
    allows_a_request_without_charges(store, clock).await;
    answers_a_probe(store).await;
    keeps_what_was_used_when_units_change(store, clock).await;
    starts_afresh_when_period_or_algorithm_changes(store, clock).await;
    gives_back_a_refunded_charge(store, clock).await;
    gives_back_nothing_that_was_not_spent(store, clock).await;
    gives_back_nothing_once_its_window_has_gone(store, clock).await;
    gives_back_whatever_was_counted_last(store, clock).await;
    gives_back_of_the_present_first(store, clock).await;
    stands_still_while_the_clock_is_up_to_a_period_behind(store, clock).await;
    moves_with_a_clock_that_stepped_back_further(store, clock).await;
    stores_nothing_for_a_denial(store, clock).await;
    answers_at_one_instant(store, clock).await;
    spends_all_charges_or_none(store, clock).await;
    names_the_charge_that_decided(store, clock).await;
    counts_duplicates_one_after_the_other(store, clock).await;
    keeps_shadow_charges_out_of_the_verdict(store, clock).await;
    spends_a_shadow_group_together_or_not_at_all(store, clock).await;
    for seed in 0..8 {
        random_trace(
            store,
            clock,
            &TraceOptions {
                seed,
                ..TraceOptions::default()
            },
        )
        .await;
    }
}

async fn decide<S: Store>(store: &S, charges: &[Charge<'_>]) -> Outcomes {
    let outcomes = store
        .decide(charges)
        .await
        .expect("the store decides while nothing is wrong with it");
    assert_eq!(
        outcomes.as_slice().len(),
        charges.len(),
        "one outcome for each charge"
    );
    outcomes
}

async fn peek<S: Store>(store: &S, charges: &[Charge<'_>]) -> Outcomes {
    store
        .peek(charges)
        .await
        .expect("the store answers while nothing is wrong with it")
}

async fn refund<S: Store>(store: &S, charges: &[Charge<'_>], admitted: &Outcomes) {
    store
        .refund(charges, admitted)
        .await
        .expect("the store refunds while nothing is wrong with it");
}

async fn reset<S: Store>(store: &S, limit: &Limit, policy: &str, key: &str) -> bool {
    store
        .reset(limit, policy, key)
        .await
        .expect("the store resets while nothing is wrong with it")
}

/// Decides one charge of the suite's policy.
async fn ask<S: Store>(store: &S, limit: &Limit, key: &str, cost: u64) -> Outcome {
    only(&decide(store, &[charge(limit, key, cost)]).await)
}

/// Looks at one key of the suite's policy.
async fn look<S: Store>(store: &S, limit: &Limit, key: &str) -> Outcome {
    only(&peek(store, &[charge(limit, key, 0)]).await)
}

fn charge<'a>(limit: &'a Limit, key: &'a str, cost: u64) -> Charge<'a> {
    Charge::new(limit, key, cost).of_policy("conformance")
}

fn only(outcomes: &Outcomes) -> Outcome {
    match outcomes.as_slice() {
        [outcome] => *outcome,
        other => panic!("one charge has one outcome, not {other:?}"),
    }
}

/// Uses up all that a key has.
async fn exhaust<S: Store>(store: &S, limit: &Limit, key: &str) -> Outcome {
    let left = look(store, limit, key).await.remaining;
    let outcome = ask(store, limit, key, left).await;
    assert!(
        outcome.verdict.is_allow(),
        "{limit}: what remains is admitted"
    );
    assert_eq!(
        outcome.remaining, 0,
        "{limit}: nothing remains of what was used up"
    );
    outcome
}

fn after(instant: Timestamp, span: Micros) -> Timestamp {
    instant.saturating_add(span)
}
