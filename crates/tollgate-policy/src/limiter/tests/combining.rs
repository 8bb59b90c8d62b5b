//! Several policies, modes and tiers.

use super::*;
use crate::{AttributeName, Mode, When};

#[test]
fn a_request_that_nothing_matches_is_allowed() {
    let (limiter, _) = limiter([by_client("auth", "1/min").path("/auth/**")]);
    let decision = limiter.decide_now(&get("/boards"));
    assert!(decision.is_allowed());
    assert_eq!(decision.reason(), Reason::NoPolicy);
    assert!(decision.decided_by().is_none() && decision.at().is_none());
    assert_eq!(decision.policies().count(), 0);
}

#[test]
fn denies_until_exactly_retry_after() {
    let (limiter, clock) = limiter([by_client("auth", "10/min fixed-window").path("/auth/**")]);
    clock.advance(Micros::from_secs(12));
    for _ in 0..10 {
        assert!(limiter.decide_now(&get("/auth/login")).is_allowed());
    }
    let decision = limiter.decide_now(&get("/auth/register"));
    assert_eq!(decision.reason(), Reason::LimitExceeded);
    assert_eq!(decision.retry_after(), Some(Micros::from_secs(48)));
    assert_eq!(decision.at(), Some(clock.now()));
    assert!(limiter.decide_now(&get("/boards")).is_allowed());
    clock.advance(Micros::new(47_999_999));
    assert!(!limiter.decide_now(&get("/auth/login")).is_allowed());
    clock.advance(Micros::new(1));
    assert!(limiter.decide_now(&get("/auth/login")).is_allowed());
}

// B79
#[test]
fn a_request_that_one_policy_denies_spends_nothing_of_another() {
    let (limiter, _) = limiter([
        by_client("group", "10/min"),
        by_client("route", "3/min").path("/group/route"),
    ]);
    let allowed = (0..5)
        .filter(|_| limiter.decide_now(&get("/group/route")).is_allowed())
        .count();
    assert_eq!(allowed, 3);
    let sibling = limiter.decide_now(&get("/group/sibling"));
    assert_eq!(remaining(&sibling, "group"), [6]);
}

// B63
#[test]
fn a_denial_is_described_by_the_violated_limit_with_the_longest_wait() {
    let (limiter, clock) = limiter([
        by_client("minute", "60/min fixed-window"),
        by_client("hour", "4/h fixed-window"),
        by_client("day", "5/d fixed-window"),
    ]);
    clock.advance(Micros::from_secs(600));
    for _ in 0..4 {
        assert!(limiter.decide_now(&get("/")).is_allowed());
    }
    let denied = limiter.decide_now(&get("/"));
    assert_eq!(denied.retry_after(), Some(Micros::from_secs(3000)));
    assert_eq!(
        deciding(&denied),
        ("hour".to_owned(), "4/h fixed-window".to_owned())
    );
    let (_, outcome) = denied.decided_by().unwrap().deciding().unwrap();
    assert_eq!(
        (outcome.remaining, outcome.reset_after),
        (0, Micros::from_secs(3000))
    );

    clock.advance(Micros::from_secs(3000));
    assert!(limiter.decide_now(&get("/")).is_allowed());
    // Now the day is violated, and after three more the hour is too.
    assert_eq!(deciding(&limiter.decide_now(&get("/"))).0, "day");
    assert_eq!(
        limiter.decide_now(&get("/")).retry_after(),
        Some(Micros::from_secs(86_400 - 3600))
    );
}

// B145
#[test]
fn an_allowance_is_described_by_the_limit_closest_to_exhaustion() {
    let (limiter, _) = limiter([
        by_client("wide", "1000/min"),
        by_client("narrow", "10/min").limit(limit("500/h")),
    ]);
    assert_eq!(
        deciding(&limiter.decide_now(&get("/"))),
        ("narrow".to_owned(), "10/min".to_owned())
    );
}

#[test]
fn a_blocked_request_asks_no_store() {
    let (limiter, _) = limiter([
        by_client("all", "10/min"),
        Policy::builder("banned")
            .matches("client.ip", "203.0.113.0/24")
            .block(),
    ]);
    let banned = limiter.decide_now(&from("203.0.113.9", "/"));
    assert_eq!(banned.reason(), Reason::Blocked);
    assert_eq!((banned.at(), banned.retry_after()), (None, None));
    assert_eq!(banned.decided_by().unwrap().policy().name(), "banned");
    let reasons: Vec<Reason> = banned.policies().map(|policy| policy.reason()).collect();
    assert_eq!(reasons, [Reason::NotChecked, Reason::Blocked]);
    assert!(limiter.decide_now(&get("/")).is_allowed());
}

#[test]
fn an_unlimited_policy_matches_and_counts_nothing() {
    let (limiter, _) = limiter([Policy::builder("free").unlimited()]);
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(
        (decision.reason(), decision.is_allowed(), decision.at()),
        (Reason::Unlimited, true, None)
    );
    assert_eq!(decision.decided_by().unwrap().policy().name(), "free");
}

#[test]
fn a_block_denies_before_a_missing_key_does() {
    let (limiter, _) = limiter([
        Policy::builder("by-user")
            .key("user")
            .limit(limit("10/min")),
        Policy::builder("banned").block(),
    ]);
    assert_eq!(limiter.decide_now(&get("/")).reason(), Reason::Blocked);
}

#[test]
fn a_shadow_policy_counts_and_reports_and_never_denies() {
    let (limiter, clock) = limiter([
        by_client("real", "3/min fixed-window"),
        by_client("trial", "1/min fixed-window").mode(Mode::Shadow),
    ]);
    let mut would = Vec::new();
    for _ in 0..3 {
        let decision = limiter.decide_now(&get("/"));
        assert_eq!(decision.reason(), Reason::Allowed);
        assert_eq!(decision.decided_by().unwrap().policy().name(), "real");
        would.push(decision.policies().nth(1).unwrap().reason());
    }
    assert_eq!(
        would,
        [
            Reason::Allowed,
            Reason::LimitExceeded,
            Reason::LimitExceeded
        ]
    );
    // What the enforced policy denies is not counted by the trial.
    assert!(!limiter.decide_now(&get("/")).is_allowed());
    clock.advance(Micros::from_secs(60));
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(remaining(&decision, "trial"), [0]);
}

#[test]
fn shadow_policies_alone_leave_nothing_enforced() {
    let shadow = |builder: PolicyBuilder| builder.mode(Mode::Shadow);
    let (limiter, _) = limiter([
        shadow(by_client("trial", "1/min")),
        shadow(Policy::builder("blocks").block()),
        shadow(Policy::builder("by-user").key("user").limit(limit("1/min"))),
    ]);
    limiter.decide_now(&get("/"));
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(decision.reason(), Reason::NoPolicy);
    assert!(decision.is_allowed() && decision.decided_by().is_none());
    let reasons: Vec<Reason> = decision.policies().map(|policy| policy.reason()).collect();
    assert_eq!(
        reasons,
        [Reason::LimitExceeded, Reason::Blocked, Reason::MissingKey]
    );
}

#[test]
fn a_policy_that_is_off_does_nothing() {
    let (limiter, _) = limiter([Policy::builder("off").block().mode(Mode::Off)]);
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(decision.reason(), Reason::NoPolicy);
    assert_eq!(decision.policies().count(), 0);
}

#[test]
fn a_tier_replaces_the_limits_and_keeps_what_was_used() {
    let (limiter, _) = limiter([by_client("api", "3/min fixed-window")
        .tier(When::is("user.plan", "pro"), [limit("5/min fixed-window")])
        .tier(When::is("user.plan", "*"), Allowance::Block)
        .tier(When::is("user.plan", "pro"), Allowance::Unlimited)]);
    let plan = |plan: &str| get("/").with(AttributeName::Other("user.plan".into()), plan);
    for _ in 0..3 {
        assert!(limiter.decide_now(&get("/")).is_allowed());
    }
    assert!(!limiter.decide_now(&get("/")).is_allowed());
    let pro = limiter.decide_now(&plan("pro"));
    assert_eq!((pro.is_allowed(), remaining(&pro, "api")), (true, vec![1]));
    assert_eq!(pro.decided_by().unwrap().tier(), Some(0));
    assert_eq!(limiter.decide_now(&plan("other")).reason(), Reason::Blocked);
}

// B125
#[test]
fn a_reload_keeps_what_was_used() {
    let (before, _) = limiter([
        by_client("a", "2/min fixed-window").path("/a"),
        by_client("b", "2/min fixed-window").path("/b"),
    ]);
    for path in ["/a", "/a", "/b", "/b"] {
        assert!(before.decide_now(&get(path)).is_allowed());
    }
    let after = before.with_policies(set([
        by_client("a", "2/min fixed-window").path("/a"),
        by_client("b", "4/min fixed-window").path("/b"),
    ]));
    assert!(!after.decide_now(&get("/a")).is_allowed());
    let decision = after.decide_now(&get("/b"));
    assert_eq!(
        (decision.is_allowed(), remaining(&decision, "b")),
        (true, vec![1])
    );
}

#[test]
fn a_cost_above_the_quota_never_fits() {
    let cost = crate::Cost::Attribute {
        name: "units".to_owned(),
        min: 0,
        max: 100,
        default: 1,
    };
    let (limiter, _) = limiter([by_client("api", "10/min").cost(cost)]);
    let ask = |units: &str| {
        limiter.decide_now(&get("/").with(AttributeName::Other("units".into()), units))
    };
    let never = ask("11");
    assert_eq!(
        (never.reason(), never.retry_after()),
        (Reason::NeverFits, None)
    );
    assert_eq!(remaining(&ask("10"), "api"), [0]);
    let peek = ask("0");
    assert_eq!(
        (peek.is_allowed(), remaining(&peek, "api")),
        (true, vec![0])
    );
}
