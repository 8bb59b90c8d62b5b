//! What tiers share and what they count by themselves.

use super::*;
use crate::When;

const TICK: Micros = Micros::new(100_000);

/// Sends `GET` and `POST` in turn for so many ticks, and counts those of each that are admitted.
fn alternate(policy: PolicyBuilder, ticks: u64) -> (u64, u64) {
    let (limiter, clock) = limiter([policy]);
    let admitted = |method: &str| {
        let request = request(&[("method", method)]).with_client_ip([198, 51, 100, 7].into());
        u64::from(limiter.decide_now(&request).is_allowed())
    };
    let (mut gets, mut posts) = (0, 0);
    for _ in 0..ticks {
        for _ in 0..4 {
            posts += admitted("POST");
            gets += admitted("GET");
        }
        clock.advance(TICK);
    }
    (gets, posts)
}

#[test]
fn alternating_with_a_smaller_bucket_refills_no_larger_one() {
    let policy = || by_client("api", "20/h");
    let tier = |text: &str| policy().tier(When::is("method", "GET"), limit(text));
    // 300 ticks are 30 seconds, in which the policy refills nothing whole.
    let (gets, posts) = alternate(tier("36000/h burst 2"), 300);
    assert_eq!(posts, 20);
    assert!(gets <= 2 + 30 * 10, "{gets}");
}

#[test]
fn alternating_with_a_larger_bucket_refills_no_smaller_one() {
    let policy = by_client("api", "36000/h burst 2");
    let (gets, posts) = alternate(policy.tier(When::is("method", "GET"), limit("20/h")), 300);
    assert_eq!(gets, 20);
    assert!(posts <= 2 + 30 * 10, "{posts}");
}

#[test]
fn each_tier_has_a_bucket_of_its_own() {
    let policy = by_client("api", "5/h")
        .tier(When::is("method", "GET"), limit("20/h burst 8"))
        .tier(When::is("method", "POST"), limit("36000/h burst 1"));
    let (gets, posts) = alternate(policy, 10);
    assert_eq!(gets, 8);
    assert!(posts <= 1 + 10, "{posts}");
}

#[test]
fn windows_and_logs_of_tiers_share_a_count() {
    for algorithm in ["fixed-window", "sliding-window", "sliding-log"] {
        let text = |units: u64| limit(&format!("{units}/h {algorithm}"));
        let policy =
            by_client("api", &format!("20/h {algorithm}")).tier(When::is("method", "GET"), text(2));
        let (gets, posts) = alternate(policy, 300);
        assert_eq!((gets, posts), (1, 19), "{algorithm}");
    }
}

#[test]
fn what_a_tiers_bucket_has_spent_is_given_back_to_it() {
    let policy = by_client("login", "5/h")
        .tier(When::is("method", "GET"), limit("3/h"))
        .count(crate::Count::Failures(crate::Statuses::of([401])));
    let (limiter, _) = limiter([policy]);
    for status in [200, 401, 200, 401, 401] {
        let decision = limiter.decide_now(&get("/"));
        assert!(decision.is_allowed());
        limiter.settle_now(&decision, status);
    }
    assert!(!limiter.decide_now(&get("/")).is_allowed());
}
