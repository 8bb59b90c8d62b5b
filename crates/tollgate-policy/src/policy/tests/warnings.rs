//! What is legal and unwise, and is said when a policy is built.

use super::*;
use crate::PolicySet;

#[test]
fn warns_of_keys_and_tiers_that_clients_choose() {
    let keyed = |parts: &[&str]| {
        let builder = Policy::builder("x").limit(limit("1/s"));
        let builder = parts
            .iter()
            .fold(builder, |builder, part| builder.key(part));
        builder
            .build()
            .unwrap()
            .warnings()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    for parts in [
        &["header.x-api-key"][..],
        &["path"],
        &["header.x-user or client.ip"],
        &["user or header.x-user"],
        &["path", "method"],
        // Every part is in the key, so that one is enough.
        &["client.ip", "path"],
        &["header.x-tenant", "user"],
        &["client.ip", "query.page"],
    ] {
        let warnings = keyed(parts);
        assert!(
            warnings.len() == 1 && warnings[0].contains("policy `x`"),
            "{parts:?}: {warnings:?}"
        );
    }
    for parts in [
        &["client.ip"][..],
        &["client.ip", "route"],
        &["route"],
        &["user or client.ip"],
    ] {
        assert!(keyed(parts).is_empty(), "{parts:?}");
    }
    let tiered = login()
        .tier(When::is("header.x-plan", "pro"), limit("1/s"))
        .build()
        .unwrap();
    assert_eq!(tiered.warnings().len(), 1);
    let tiered = login()
        .tier(When::is("user.plan", "pro"), limit("1/s"))
        .build()
        .unwrap();
    assert!(tiered.warnings().is_empty());
}

#[test]
fn what_match_lists_is_not_chosen_freely() {
    let keyed = |builder: PolicyBuilder| {
        let builder = builder.key("client.ip").key("method");
        warnings(builder.limit(limit("1/s"))).len()
    };
    assert_eq!(keyed(Policy::builder("x")), 1);
    assert_eq!(keyed(Policy::builder("x").method(["GET", "POST"])), 0);
}

#[test]
fn advises_what_holds_a_client_that_chooses_its_key() {
    let builder = Policy::builder("x").key("header.x-a").limit(limit("1/s"));
    let said = warnings(builder).concat();
    assert!(said.contains("in a policy of its own beside it"), "{said}");
    assert!(!said.contains("another part of the key"), "{said}");
}

#[test]
fn a_key_that_clients_choose_needs_no_warning_beside_a_policy_that_holds_them() {
    let builder = |name: &str| Policy::builder(name).limit(limit("1/s"));
    let by_header = || {
        builder("x")
            .path("/api/users")
            .key("client.ip")
            .key("header.x-a")
    };
    let warns = |beside: PolicyBuilder| {
        let policies = [by_header(), beside].map(|one| one.build().unwrap());
        !PolicySet::new(policies).unwrap().warnings().is_empty()
    };
    let by_client = || builder("y").key("user or client.ip");
    for holder in [
        by_client(),
        by_client().path("/api/**"),
        by_client().path(["/api/users", "/b"]),
    ] {
        assert!(!warns(holder));
    }
    for other in [
        by_client().path("/api/users/7"),
        by_client().method("GET"),
        by_client().mode(Mode::Shadow),
        by_client().mode(Mode::Off),
        by_client().missing_key(MissingKey::Skip),
        by_client().cost(Cost::Fixed(0)),
        by_client().count(Count::Failures(Statuses::default())),
        by_client().except("user.plan", "pro"),
        by_client().tier(When::is("user.plan", "pro"), Allowance::Unlimited),
        builder("y").shared(),
    ] {
        assert!(warns(other));
    }
}

#[test]
fn warns_of_costs_that_a_limit_never_admits() {
    let costing = |max| {
        let cost = Cost::Attribute {
            name: "search.cost".to_owned(),
            min: 1,
            max,
            default: 1,
        };
        warnings(
            login()
                .cost(cost)
                .tier(When::is("user.plan", "pro"), limit("5/s")),
        )
    };
    assert!(costing(5).is_empty());
    let said = costing(6);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].contains("`5/s` never admits more than 5"),
        "{said:?}"
    );
}

fn warnings(builder: PolicyBuilder) -> Vec<String> {
    let warnings = builder.build().unwrap().warnings();
    warnings.iter().map(ToString::to_string).collect()
}

#[test]
fn warns_of_failures_in_a_token_bucket() {
    let counting = |limits: &str| {
        let policy = Policy::builder("x").key("client.ip").limit(limit(limits));
        policy.count(Count::Failures(Statuses::of([401])))
    };
    let warned = warnings(counting("10/min"));
    assert_eq!(warned.len(), 1);
    for part in ["policy `x`", "`10/min`", "twice", "`fixed-window`"] {
        assert!(warned[0].contains(part), "{part}: {warned:?}");
    }
    for text in ["fixed-window", "sliding-window", "sliding-log"] {
        let text = format!("10/min {text}");
        assert!(warnings(counting(&text)).is_empty(), "{text}");
        let tiered = counting(&text).tier(When::is("user.plan", "pro"), limit("60/min"));
        assert_eq!(warnings(tiered).len(), 1);
    }
    assert!(warnings(login().count(Count::All)).is_empty());
}

// B113
#[test]
fn warns_of_a_log_that_takes_more_than_a_mebibyte_for_one_key() {
    let policy = |text: &str| Policy::builder("x").key("client.ip").limit(limit(text));
    assert!(warnings(policy("32768/min sliding-log")).is_empty());
    assert!(warnings(policy("1000000/min sliding-window")).is_empty());
    let warned = warnings(policy("32769/min sliding-log"));
    assert_eq!(warned.len(), 1);
    for part in [
        "policy `x`",
        "`32769/min sliding-log`",
        "1048608 bytes",
        "`sliding-window`",
    ] {
        assert!(warned[0].contains(part), "{part}: {warned:?}");
    }
    let tiered = policy("10/min").tier(
        When::is("user.plan", "pro"),
        limit("1000000000000/d sliding-log"),
    );
    assert!(warnings(tiered)[0].contains("32000000000000 bytes"));
}

#[test]
fn warns_of_a_share_that_is_less_than_one_request() {
    let warned = |policy: PolicyBuilder, share: &str| {
        let choice = OnStoreFailure::Local(share.parse().unwrap());
        let warnings = policy.on_store_failure(choice).build().unwrap().warnings();
        warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(warned(login(), "1/10"), [""; 0]);
    let warnings = warned(login(), "1/11");
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].contains("policy `login` keeps to 1/11 of `10/min`"),
        "{warnings:?}"
    );
    // Of a tier, of a burst with enough units and the other way round, and of a cost.
    let tier = login().tier(When::is("user.plan", "free"), limit("2/min"));
    assert_eq!(warned(tier, "1/4").len(), 1);
    for (limits, cost) in [
        ("9/s burst 3", 1),
        ("3/d burst 9", 1),
        ("10/h fixed-window", 3),
    ] {
        let policy = Policy::builder("x").shared().limit(limit(limits));
        let policy = policy.cost(Cost::Fixed(cost));
        assert_eq!(warned(policy, "1/4").len(), 1, "{limits}");
    }
    let choice = OnStoreFailure::Deny;
    assert!(
        login()
            .on_store_failure(choice)
            .build()
            .unwrap()
            .warnings()
            .is_empty()
    );
}
