//! Requests that say how many units they take.

use super::*;
use crate::Cost;

#[test]
fn each_policy_charges_its_own_cost_so_many_times() {
    let (limiter, _) = limiter([
        by_client("plain", "20/min fixed-window"),
        by_client("double", "20/min fixed-window").cost(Cost::Fixed(2)),
        by_client("looking", "20/min fixed-window").cost(Cost::Fixed(0)),
    ]);
    let request = get("/");
    let decision = limiter.decide_question_now(&Question::new(&request).cost(5));
    assert_eq!(remaining(&decision, "plain"), [15]);
    assert_eq!(remaining(&decision, "double"), [10]);
    assert_eq!(remaining(&decision, "looking"), [20]);
    let costs: Vec<u64> = decision.policies().map(|policy| policy.cost()).collect();
    assert_eq!(costs, [5, 10, 0]);

    // Too much for one is too much for all.
    let decision = limiter.decide_question_now(&Question::new(&request).cost(6));
    assert_eq!(deciding(&decision).0, "double");
    assert_eq!(decision.reason(), Reason::LimitExceeded);
    assert_eq!(remaining(&decision, "plain"), [15]);
}

#[test]
fn without_a_cost_a_question_is_the_request() {
    let (asked, _) = limiter([by_client("api", "5/min")]);
    let (decided, _) = limiter([by_client("api", "5/min")]);
    let request = get("/");
    for _ in 0..7 {
        let ours = ready(asked.decide_question(&Question::new(&request)));
        assert_eq!(
            format!("{ours:?}"),
            format!("{:?}", decided.decide_now(&request))
        );
    }
}

#[test]
fn a_cost_of_none_only_looks() {
    let (limiter, _) = limiter([by_client("api", "1/min")]);
    let request = get("/");
    let look = Question::new(&request).cost(0);
    for _ in 0..3 {
        let decision = limiter.decide_question_at_once(&look).unwrap();
        assert!(decision.is_allowed());
        assert_eq!(remaining(&decision, "api"), [1]);
    }
    assert_eq!(limiter.store().keys(), 0, "nothing is written");
    limiter.decide_now(&request);
    let decision = limiter.decide_question_now(&look);
    assert_eq!(remaining(&decision, "api"), [0]);
}

#[test]
fn a_product_beyond_all_bounds_never_fits() {
    let largest = "1000000000000/min";
    let (limiter, _) = limiter([by_client("api", largest).cost(Cost::Fixed(1_000_000))]);
    let request = get("/");
    for cost in [1_000_001, 1 << 52, u64::MAX] {
        let decision = limiter.decide_question_now(&Question::new(&request).cost(cost));
        assert_eq!(decision.reason(), Reason::NeverFits, "{cost}");
        assert_eq!(decision.retry_after(), None);
        let policy = decision.decided_by().unwrap();
        assert_eq!(policy.cost(), tollgate::MAX_UNITS + 1);
    }
    let decision = limiter.decide_question_now(&Question::new(&request).cost(1_000_000));
    assert!(decision.is_allowed(), "what fits exactly");
}
