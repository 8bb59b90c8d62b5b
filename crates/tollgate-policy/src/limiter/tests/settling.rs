//! Counting failures only.

use super::*;
use crate::{Cost, Count, MissingKey, Mode, Statuses};

fn failures(name: &str, limit: &str) -> PolicyBuilder {
    by_client(name, limit).count(Count::Failures(Statuses::of([401, 403])))
}

#[test]
fn a_success_is_refunded_and_a_failure_is_not() {
    let (limiter, _) = limiter([failures("login", "3/min fixed-window")]);
    for (status, left) in [(200, 2), (401, 2), (403, 1), (200, 0), (500, 0), (401, 0)] {
        let decision = limiter.decide_now(&get("/"));
        assert!(decision.is_allowed() && decision.needs_settling());
        assert_eq!(remaining(&decision, "login"), [left]);
        limiter.settle_now(&decision, status);
    }
    assert!(!limiter.decide_now(&get("/")).is_allowed());
}

#[test]
fn parallel_guesses_cannot_slip_through_together() {
    let (limiter, _) = limiter([failures("login", "3/min fixed-window")]);
    let guesses: Vec<Decision> = (0..10).map(|_| limiter.decide_now(&get("/"))).collect();
    assert_eq!(guesses.iter().filter(|guess| guess.is_allowed()).count(), 3);
    for guess in &guesses {
        assert_eq!(guess.needs_settling(), guess.is_allowed());
        limiter.settle_now(guess, if guess.is_allowed() { 401 } else { 429 });
    }
    assert!(!limiter.decide_now(&get("/")).is_allowed());
}

#[test]
fn only_the_policies_that_count_failures_are_refunded() {
    let (limiter, _) = limiter([
        by_client("all", "9/min fixed-window"),
        failures("login", "9/min fixed-window").limit(limit("9/h fixed-window")),
        by_client("more", "9/min fixed-window"),
        failures("trial", "9/min fixed-window").mode(Mode::Shadow),
    ]);
    let decision = limiter.decide_now(&get("/"));
    ready(limiter.settle(&decision, 200)).unwrap();
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(remaining(&decision, "all"), [7]);
    assert_eq!(remaining(&decision, "login"), [8, 8]);
    assert_eq!(remaining(&decision, "more"), [7]);
    assert_eq!(remaining(&decision, "trial"), [8]);
}

#[test]
fn what_was_not_spent_is_not_refunded() {
    let (limiter, _) = limiter([
        failures("login", "5/min fixed-window").path("/login"),
        by_client("all", "2/min fixed-window"),
        failures("trial", "1/min fixed-window").mode(Mode::Shadow),
    ]);
    let first = limiter.decide_now(&get("/login"));
    limiter.settle_now(&first, 401);
    // The trial would deny, so it has spent nothing.
    let elsewhere = limiter.with_policies(set([
        failures("trial", "1/min fixed-window").mode(Mode::Shadow)
    ]));
    assert!(!elsewhere.decide_now(&get("/")).needs_settling());
    let second = limiter.decide_now(&get("/login"));
    limiter.settle_now(&second, 401);
    // Both admit it, but the other policy denies.
    let denied = limiter.decide_now(&get("/login"));
    assert!(!denied.is_allowed() && !denied.needs_settling());
    limiter.settle_now(&denied, 200);

    let later = limiter.with_policies(set([
        failures("login", "5/min fixed-window"),
        failures("trial", "1/min fixed-window"),
    ]));
    let decision = later.decide_now(&get("/login"));
    assert_eq!(remaining(&decision, "login"), [3]);
    assert_eq!(remaining(&decision, "trial"), [0]);
}

#[test]
fn a_denial_by_another_policy_leaves_nothing_to_refund() {
    let (limiter, _) = limiter([
        failures("login", "5/min fixed-window"),
        by_client("all", "2/min fixed-window").path("/login"),
    ]);
    for _ in 0..2 {
        limiter.settle_now(&limiter.decide_now(&get("/login")), 401);
    }
    let denied = limiter.decide_now(&get("/login"));
    assert!(!denied.is_allowed());
    limiter.settle_now(&denied, 200);
    assert_eq!(remaining(&limiter.decide_now(&get("/")), "login"), [2]);
}

#[test]
fn what_costs_nothing_needs_no_settling() {
    let (limiter, _) = limiter([
        failures("peek", "3/min").cost(Cost::Fixed(0)),
        failures("by-user", "3/min")
            .key("user")
            .missing_key(MissingKey::Skip),
    ]);
    let decision = limiter.decide_now(&get("/"));
    assert!(decision.is_allowed() && !decision.needs_settling());
}

#[test]
fn a_decision_is_settled_by_the_policies_it_was_made_with() {
    let (before, _) = limiter([failures("login", "3/min fixed-window")]);
    let decision = before.decide_now(&get("/"));
    let after = before.with_policies(set([by_client("other", "3/min")]));
    after.settle_now(&decision, 200);
    assert_eq!(remaining(&before.decide_now(&get("/")), "login"), [2]);
}

#[test]
fn other_decisions_need_no_settling() {
    let (limiter, _) = limiter([by_client("all", "3/min fixed-window")]);
    let decision = limiter.decide_now(&get("/"));
    assert!(!decision.needs_settling());
    limiter.settle_now(&decision, 200);
    assert_eq!(remaining(&limiter.decide_now(&get("/")), "all"), [1]);
}
