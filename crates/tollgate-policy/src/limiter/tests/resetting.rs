//! Counts that are forgotten.

use std::error::Error;

use super::local::away;
use super::*;
use crate::{MissingKey, Mode, ResetErrorKind, When};

fn forgotten<T, E: std::fmt::Debug>(future: impl Future<Output = Result<T, E>>) -> T {
    ready(future).unwrap()
}

#[test]
fn a_requests_counts_are_forgotten_and_no_other() {
    let (limiter, _) = limiter([
        by_client("api", "1/min fixed-window").limit(limit("9/h sliding-log")),
        by_client("trial", "5/min").mode(Mode::Shadow),
        by_client("other", "5/min").path("/other"),
        Policy::builder("by-user")
            .key("user")
            .missing_key(MissingKey::Skip)
            .limit(limit("5/min")),
    ]);
    for client in ["198.51.100.7", "192.0.2.1"] {
        limiter.decide_now(&from(client, "/"));
    }
    limiter
        .with_policies(set([by_client("other", "5/min")]))
        .decide_now(&get("/other"));
    assert_eq!(forgotten(limiter.reset(&get("/"))), 3);
    assert_eq!(forgotten(limiter.reset(&get("/"))), 0, "nothing is left");
    assert!(limiter.decide_now(&get("/")).is_allowed());
    assert!(!limiter.decide_now(&from("192.0.2.1", "/")).is_allowed());
    assert_eq!(forgotten(limiter.reset(&get("/other"))), 4);
}

#[test]
fn a_policys_counts_are_forgotten_by_the_key_alone() {
    let (limiter, _) = limiter([
        by_client("auth", "1/min fixed-window").path("/auth/**"),
        by_client("api", "1/min fixed-window"),
    ]);
    let login = get("/auth/login");
    limiter.decide_now(&login);
    let key = AttributeMap::new().with_client_ip("198.51.100.7".parse().unwrap());
    assert_eq!(forgotten(limiter.reset_policy("auth", &key)), 1);
    let decision = limiter.decide_now(&login);
    assert_eq!(deciding(&decision).0, "api", "this one was not forgotten");
    assert_eq!(remaining(&decision, "auth"), [1]);
}

#[test]
fn what_was_counted_by_any_tier_is_forgotten() {
    let (limiter, _) = limiter([by_client("api", "2/min")
        .limit(limit("9/h fixed-window"))
        .tier(
            When::is("user.plan", "pro"),
            vec![limit("5/min"), limit("99/h fixed-window")],
        )
        .tier(When::is("user.plan", "free"), Allowance::Unlimited)]);
    let of_plan = |plan| get("/").with("user.plan".parse().unwrap(), plan);
    limiter.decide_now(&get("/"));
    limiter.decide_now(&of_plan("pro"));
    // Two buckets, and a window that the tiers share; whoever is asked about.
    assert_eq!(forgotten(limiter.reset(&of_plan("free"))), 3);
    limiter.decide_now(&of_plan("pro"));
    assert_eq!(forgotten(limiter.reset_policy("api", &get("/"))), 2);
    assert_eq!(limiter.store().keys(), 0);
}

#[test]
fn secrets_are_given_as_requests_have_them() {
    let (limiter, _) = limiter([Policy::builder("token")
        .key("header.authorization")
        .limit(limit("1/min"))]);
    let request = request(&[("header.authorization", "Bearer 1")]);
    limiter.decide_now(&request);
    assert_eq!(forgotten(limiter.reset_policy("token", &request)), 1);
}

#[test]
fn what_cannot_be_forgotten_is_named() {
    let (limiter, _) = limiter([Policy::builder("api")
        .key("client.ip")
        .key("user or header.x-user")
        .limit(limit("1/min"))]);
    let error = ready(limiter.reset_policy("apo", &get("/"))).unwrap_err();
    assert_eq!(error.kind(), ResetErrorKind::UnknownPolicy);
    assert_eq!(error.to_string(), "there is no policy \"apo\"");
    let error = ready(limiter.reset_policy("api", &get("/"))).unwrap_err();
    assert_eq!(error.kind(), ResetErrorKind::MissingKey);
    assert_eq!(
        error.to_string(),
        "the key of policy \"api\" needs user or header.x-user, which was not given"
    );
    let (limiter, _) = away([by_client("api", "1/min")]);
    let error = ready(limiter.reset_policy("api", &get("/"))).unwrap_err();
    assert_eq!(error.kind(), ResetErrorKind::Store);
    assert_eq!(error.source().unwrap().to_string(), "no answer in time");
}

#[test]
fn a_policy_that_is_off_can_be_reset_by_its_name() {
    let (limiter, _) = limiter([by_client("api", "1/min")]);
    limiter.decide_now(&get("/"));
    let off = limiter.with_policies(set([by_client("api", "1/min").mode(Mode::Off)]));
    assert_eq!(forgotten(off.reset(&get("/"))), 0);
    assert_eq!(forgotten(off.reset_policy("api", &get("/"))), 1);
}
