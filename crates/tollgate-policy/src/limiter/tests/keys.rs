//! By what requests are counted, and those that lack it.

use super::*;
use crate::{AttributeName, ClientIdentity, MissingKey};

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

#[test]
fn a_hash_secret_changes_the_keys_that_hold_hashes() {
    let policies = || {
        let secret = Policy::builder("secret").key("header.x-api-key");
        [secret.limit(limit("9/min")), by_client("plain", "9/min")]
    };
    let keys = |set| {
        let limiter = PolicyLimiter::new(set, MemoryStore::default());
        let request = get("/").with(AttributeName::Header("x-api-key".into()), "a");
        let decision = limiter.decide_now(&request);
        let keys = decision
            .policies()
            .map(|policy| policy.key().unwrap().to_owned());
        keys.collect::<Vec<String>>()
    };
    let [open, secret, same] = [
        keys(set(policies())),
        keys(set(policies()).with_hash_secret(b"pepper")),
        keys(set(policies()).with_hash_secret(b"pepper")),
    ];
    assert_ne!(open[0], secret[0]);
    assert_eq!(open[1], secret[1]);
    assert_eq!(secret, same);
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
