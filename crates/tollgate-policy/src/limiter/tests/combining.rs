//! Several policies, modes, tiers and keys.

use super::*;
use crate::{AttributeName, ClientIdentity, MissingKey, Mode, When};

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

#[test]
fn no_spelling_of_a_path_is_counted_apart() {
    let (limiter, _) = limiter([by_client("auth", "5/min").path("/auth/**")]);
    for path in [
        "/auth/login",
        "/%61uth/login",
        "/x/../auth/login",
        "//auth/login",
        "/auth/login/",
    ] {
        assert!(limiter.decide_now(&get(path)).is_allowed());
    }
    assert!(!limiter.decide_now(&get("/./auth/login")).is_allowed());
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

// B109
#[test]
fn a_missing_key_denies_and_spends_nothing_anywhere() {
    let (limiter, _) = limiter([
        Policy::builder("shared").shared().limit(limit("10/min")),
        Policy::builder("by-user")
            .key("user")
            .limit(limit("10/min")),
    ]);
    let denied = limiter.decide_now(&get("/"));
    assert_eq!(denied.reason(), Reason::MissingKey);
    assert_eq!((denied.is_allowed(), denied.retry_after()), (false, None));
    let decided = denied.decided_by().unwrap();
    assert_eq!(decided.missing_key().unwrap().to_string(), "user");
    let allowed = limiter.decide_now(&get("/").with(AttributeName::Other("user".into()), "bob"));
    assert_eq!(remaining(&allowed, "shared"), [9]);
}

#[test]
fn a_missing_key_may_pass_the_policy_over_visibly() {
    let (limiter, _) = limiter([
        by_client("all", "10/min"),
        Policy::builder("by-user")
            .key("user")
            .limit(limit("10/min"))
            .missing_key(MissingKey::Skip),
    ]);
    let decision = limiter.decide_now(&get("/"));
    assert_eq!(decision.reason(), Reason::Allowed);
    let skipped = decision.policies().nth(1).unwrap();
    assert_eq!(skipped.reason(), Reason::MissingKeySkipped);
    assert!(skipped.missing_key().is_some() && skipped.key().is_none());
    let only = limiter.with_policies(set([Policy::builder("by-user")
        .key("user")
        .limit(limit("1/s"))
        .missing_key(MissingKey::Skip)]));
    assert_eq!(
        only.decide_now(&get("/")).reason(),
        Reason::MissingKeySkipped
    );
}

// B55
#[test]
fn no_address_is_a_missing_key_and_no_shared_one() {
    let (limiter, _) = limiter([by_client("all", "1/min")]);
    let nobody = request(&[("path", "/")]);
    for _ in 0..2 {
        assert_eq!(limiter.decide_now(&nobody).reason(), Reason::MissingKey);
    }
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

// B43
#[test]
fn one_ipv6_network_is_one_client() {
    let (limiter, _) = limiter([by_client("all", "5/min")]);
    let allowed = (1..=12).filter(|host| {
        limiter
            .decide_now(&from(&format!("2001:db8:0:1::{host}"), "/"))
            .is_allowed()
    });
    assert_eq!(allowed.count(), 5);
    assert!(
        limiter
            .decide_now(&from("2001:db8:0:2::1", "/"))
            .is_allowed()
    );
}

// B47
#[test]
fn what_a_client_writes_in_the_header_changes_no_key() {
    let identity = ClientIdentity::builder()
        .trusted_proxy("10.0.0.0/8")
        .build()
        .unwrap();
    let (limiter, _) = limiter([by_client("all", "10/min")]);
    let key = |header: &'static str| {
        let client = identity.resolve(Some([10, 0, 0, 5].into()), [header.as_bytes()]);
        let decision = limiter.decide_now(&AttributeMap::new().with_client(client.unwrap()));
        decision.decided_by().unwrap().key().unwrap().to_owned()
    };
    assert_eq!(
        key("203.0.113.9, 198.51.100.7"),
        key("203.0.113.10, 198.51.100.7")
    );
}

// B49
#[test]
fn values_of_the_header_that_is_the_key_are_counted_apart() {
    let (limiter, _) = limiter([Policy::builder("api")
        .key("header.x-api-key")
        .limit(limit("1/min"))]);
    let ask = |key: &str| {
        limiter
            .decide_now(&request(&[("header.x-api-key", key)]))
            .is_allowed()
    };
    assert!(ask("a") && ask("b"));
    assert!(!ask("a") && !ask("b"));
}

// B51
#[test]
fn one_route_is_one_budget_whatever_its_parameters() {
    let (limiter, _) = limiter([by_client("recover", "10/min")
        .matches("route", "/recover/{code}")
        .key("route")]);
    let allowed = (0..30).filter(|code| {
        let request =
            get(&format!("/recover/{code}")).with(AttributeName::Route, "/recover/{code}");
        limiter.decide_now(&request).is_allowed()
    });
    assert_eq!(allowed.count(), 10);
}

#[test]
fn a_user_is_counted_across_addresses_and_others_by_address() {
    let (limiter, _) = limiter([Policy::builder("api")
        .key("user or client.ip")
        .limit(limit("1/min"))]);
    let bob = |client| from(client, "/").with(AttributeName::Other("user".into()), "198.51.100.7");
    assert!(limiter.decide_now(&bob("203.0.113.1")).is_allowed());
    assert!(!limiter.decide_now(&bob("203.0.113.2")).is_allowed());
    assert!(limiter.decide_now(&from("198.51.100.7", "/")).is_allowed());
}

#[test]
fn a_cost_above_the_quota_never_fits() {
    let cost = crate::Cost::Attribute {
        name: "units".to_owned(),
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
