mod warnings;

use super::*;
use crate::{AttributeMap, AttributeName, When};

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

fn login() -> PolicyBuilder {
    Policy::builder("login")
        .key("client.ip")
        .limit(limit("10/min"))
}

fn refused(builder: PolicyBuilder) -> (PolicyErrorKind, String) {
    let error = builder.build().unwrap_err();
    (error.kind(), error.to_string())
}

fn matches(builder: PolicyBuilder, request: &AttributeMap) -> bool {
    builder.build().unwrap().matches(&Facts::new(request))
}

fn request(values: &[(&str, &str)]) -> AttributeMap {
    values
        .iter()
        .fold(AttributeMap::new(), |map, (name, value)| {
            map.with(name.parse().unwrap(), *value)
        })
}

#[test]
fn refuses_names_that_cannot_stand_everywhere() {
    for name in ["", "a b", "-a", "a{b", "ü", "a:b", "a\n", &"x".repeat(65)] {
        let builder = Policy::builder(name).block();
        assert_eq!(refused(builder).0, PolicyErrorKind::Name, "{name:?}");
    }
    for name in ["a", "api-read", "v1.users_2", &"x".repeat(64)] {
        assert_eq!(Policy::builder(name).block().build().unwrap().name(), name);
    }
}

#[test]
fn refuses_two_limits_that_would_share_a_count() {
    let (kind, text) = refused(login().limit(limit("20/min burst 40")));
    assert_eq!(kind, PolicyErrorKind::SameCount);
    assert!(
        text.contains("policy `login`")
            && text.contains("`10/min`")
            && text.contains("`20/min burst 40`"),
        "{text}"
    );
    assert!(
        login()
            .limit(limit("20/min fixed-window"))
            .limit(limit("100/h"))
            .build()
            .is_ok()
    );
    let tier = [limit("1/s"), limit("2/s")];
    let (kind, text) = refused(login().tier(When::is("user.plan", "pro"), tier));
    assert_eq!(kind, PolicyErrorKind::SameCount);
    assert!(text.contains("tier 1"), "{text}");
}

#[test]
fn refuses_limits_beside_block_and_unlimited() {
    for builder in [
        login().block(),
        login().unlimited(),
        login().unlimited().block(),
        Policy::builder("x").block().limit(limit("1/s")),
    ] {
        assert_eq!(refused(builder).0, PolicyErrorKind::Allowance);
    }
    assert_eq!(
        refused(Policy::builder("x").key("user")).0,
        PolicyErrorKind::Allowance
    );
    let nothing: [Limit; 0] = [];
    assert_eq!(
        refused(login().tier(When::always(), nothing)).0,
        PolicyErrorKind::Allowance
    );
}

#[test]
fn a_policy_that_counts_needs_a_key_or_says_that_all_share() {
    let (kind, text) = refused(Policy::builder("x").limit(limit("1/s")));
    assert_eq!(kind, PolicyErrorKind::Key);
    assert!(text.contains("client.ip"), "{text}");
    assert!(
        Policy::builder("x")
            .limit(limit("1/s"))
            .shared()
            .build()
            .is_ok()
    );
    assert_eq!(refused(login().shared()).0, PolicyErrorKind::Key);
    assert!(Policy::builder("x").block().build().is_ok());
    // Its tier counts.
    let tiered = Policy::builder("x")
        .unlimited()
        .tier(When::is("user.plan", "free"), limit("1/s"));
    assert_eq!(refused(tiered).0, PolicyErrorKind::Key);
    assert_eq!(
        refused(
            Policy::builder("x")
                .limit(limit("1/s"))
                .key("client.adress")
        )
        .0,
        PolicyErrorKind::Key
    );
}

#[test]
fn refuses_costs_out_of_bounds_or_never_admitted() {
    let (kind, text) = refused(login().cost(Cost::Fixed(11)));
    assert_eq!(kind, PolicyErrorKind::Cost);
    assert!(text.contains("`10/min` can never admit"), "{text}");
    assert!(login().cost(Cost::Fixed(10)).build().is_ok());
    let attribute = |name: &str, max, default| {
        login().cost(Cost::Attribute {
            name: name.to_owned(),
            min: default,
            max,
            default,
        })
    };
    assert!(attribute("user.units", 100, 1).build().is_ok());
    for builder in [
        attribute("user.units", u64::MAX, 1),
        attribute("user.units", 5, 6),
        attribute("", 5, 1),
    ] {
        assert_eq!(refused(builder).0, PolicyErrorKind::Cost);
    }
}

#[test]
fn refuses_failures_without_a_status() {
    let count = |statuses| refused(login().count(Count::Failures(statuses))).0;
    assert_eq!(count(Statuses::of([])), PolicyErrorKind::Count);
    assert_eq!(count(Statuses::of([99])), PolicyErrorKind::Count);
    assert_eq!(
        count(Statuses::in_ranges([400..=600])),
        PolicyErrorKind::Count
    );
    #[expect(clippy::reversed_empty_ranges, reason = "this is the mistake")]
    let reversed = Statuses::in_ranges([499..=400]);
    assert_eq!(count(reversed), PolicyErrorKind::Count);
}

#[test]
fn failures_are_the_statuses_of_the_request_being_at_fault() {
    let statuses = Statuses::default();
    assert!(
        [400, 401, 403, 404, 422, 499]
            .iter()
            .all(|status| statuses.contains(*status))
    );
    assert!(
        [200, 302, 399, 500, 503]
            .iter()
            .all(|status| !statuses.contains(*status))
    );
}

#[test]
fn refuses_tests_that_cannot_be_meant() {
    for (attribute, pattern, remedy) in [
        ("client.ip", "192.0.2.7/24", "write `192.0.2.0/24`"),
        ("client.ip", "localhost", "write an address"),
        ("Method", "GET", "write `method`"),
        ("method", "get", "write `GET`"),
        ("method", "GET POST", "such as `GET`"),
        ("path", "/a?b", "leave `?` out"),
        ("route", "/a#b", "leave `#` out"),
        ("method", "*", "leave `method` out"),
        ("path", "auth/**", "write `/auth/**`"),
        ("user", "", "write a value"),
    ] {
        let (kind, text) = refused(login().matches(attribute, pattern));
        assert_eq!(kind, PolicyErrorKind::Condition, "{text}");
        assert!(text.contains(remedy), "{text}");
        assert_eq!(
            refused(login().except(attribute, pattern)).0,
            PolicyErrorKind::Condition
        );
    }
    let nothing: [&str; 0] = [];
    assert_eq!(refused(login().path(nothing)).0, PolicyErrorKind::Condition);
    assert_eq!(
        refused(login().except_when(When::always())).0,
        PolicyErrorKind::Condition
    );
}

#[test]
fn every_test_must_pass() {
    let policy = || {
        login()
            .method(["POST", "PUT"])
            .path("/auth/*")
            .matches("client.ip", ["198.51.100.0/24", "2001:db8::/32"])
    };
    let ask = |method, path, client| {
        matches(
            policy(),
            &request(&[("method", method), ("path", path), ("client.ip", client)]),
        )
    };
    assert!(ask("POST", "/auth/login", "198.51.100.7"));
    assert!(ask("PUT", "/auth/login", "2001:db8:9::1"));
    assert!(ask("PUT", "/auth/login", "::ffff:198.51.100.7"));
    assert!(!ask("GET", "/auth/login", "198.51.100.7"));
    assert!(!ask("post", "/auth/login", "198.51.100.7"));
    assert!(!ask("POST", "/auth", "198.51.100.7"));
    assert!(!ask("POST", "/auth/login", "203.0.113.9"));
    assert!(!matches(
        policy(),
        &request(&[("method", "POST"), ("path", "/auth/login")])
    ));
}

#[test]
fn addresses_match_whole_and_not_by_the_network_they_are_counted_by() {
    let policy = || login().matches("client.ip", "2001:db8::5");
    assert!(matches(policy(), &request(&[("client.ip", "2001:db8::5")])));
    assert!(!matches(
        policy(),
        &request(&[("client.ip", "2001:db8::6")])
    ));
}

#[test]
fn any_exception_excepts() {
    let policy = || {
        login()
            .except("client.ip", "192.0.2.0/24")
            .except("path", "/health")
            .except_when(When::is("method", "GET").and("user.plan", ["pro", "team*"]))
    };
    let ask = |values: &[(&str, &str)]| matches(policy(), &request(values));
    assert!(ask(&[]));
    assert!(ask(&[
        ("client.ip", "198.51.100.7"),
        ("path", "/"),
        ("method", "GET")
    ]));
    assert!(!ask(&[("client.ip", "192.0.2.1"), ("path", "/")]));
    assert!(!ask(&[("path", "/health/")]));
    assert!(!ask(&[("method", "GET"), ("user.plan", "team-2")]));
    assert!(ask(&[("method", "POST"), ("user.plan", "pro")]));
}

#[test]
fn a_tier_of_a_path_applies_only_if_all_of_its_forms_do() {
    let policy = login()
        .tier(When::is("path", "/health"), limit("600/min"))
        .tier(When::is("path", "/files/**"), limit("60/min"))
        .build()
        .unwrap();
    let tier = |path: &str| policy.tier_of(&Facts::new(&request(&[("path", path)])));
    assert_eq!(tier("/health/"), Some(0));
    assert_eq!(tier("/files/a//b"), Some(1));
    assert_eq!(tier("/files/../health"), None);
    assert_eq!(tier("/files/%2e%2e%2fhealth"), None);
    assert_eq!(tier("/files/Report;v=1"), Some(1));
}

#[test]
fn an_exception_is_obtained_by_no_spelling_and_lost_by_none_of_its_own() {
    let policy = || login().except("path", ["/Health", "/public/**"]);
    let excepted = |path: &str| !matches(policy(), &request(&[("path", path)]));
    assert!(excepted("/Health") && excepted("/public/A%2Fb;c"));
    assert!(!excepted("/health"));
    assert!(!excepted("/public/..%2flogin") && !excepted("/public/..;/login"));
    assert!(!excepted("/public\\..\\login") && !excepted("/PUBLIC/x"));
}

#[test]
fn routes_and_their_patterns_are_compared_in_one_form() {
    for route in [
        "/größe",
        "/a%2fb",
        "/a b",
        "/a//b",
        "/a/",
        "/users/{id}",
        "/",
    ] {
        let policy = || login().matches("route", route);
        assert!(matches(policy(), &request(&[("route", route)])), "{route}");
        assert!(!matches(policy(), &request(&[("route", "/other")])));
    }
    let template = request(&[("route", "/x/{y:z?}/a")]);
    assert!(matches(login().matches("route", "/x/*/a"), &template));
}

#[test]
fn hosts_match_in_any_letter_case_and_with_any_port() {
    let policy = || login().matches("host", ["api.example.com", "*.Example.net"]);
    for host in [
        "API.example.com",
        "api.example.com:8443",
        "api.example.com.",
        "a.b.example.net",
    ] {
        assert!(matches(policy(), &request(&[("host", host)])), "{host}");
    }
    for host in ["example.com", "api.example.com.evil", "example.net"] {
        assert!(!matches(policy(), &request(&[("host", host)])), "{host}");
    }
}

#[test]
fn a_cost_that_is_nonsense_costs_the_bound() {
    let cost = Cost::Attribute {
        name: "user.units".to_owned(),
        min: 1,
        max: 8,
        default: 2,
    };
    let policy = login().cost(cost).build().unwrap();
    let cost = |text: &str| policy.cost_of(&Facts::new(&request(&[("user.units", text)])));
    assert_eq!(cost("3"), 3);
    assert_eq!(cost("8"), 8);
    for nonsense in [
        "9",
        "99999999999999999999999999",
        "-1",
        "+1",
        "1.5",
        " 1",
        "",
        "x",
    ] {
        assert_eq!(cost(nonsense), 8, "{nonsense:?}");
    }
    assert_eq!(policy.cost_of(&Facts::new(&AttributeMap::new())), 2);
}

#[test]
fn a_cost_is_at_least_its_lower_bound() {
    let costs = |min, text: &str| {
        let cost = Cost::Attribute {
            name: "user.units".to_owned(),
            min,
            max: 8,
            default: 0,
        };
        let policy = login().cost(cost).build().unwrap();
        policy.cost_of(&Facts::new(&request(&[("user.units", text)])))
    };
    assert_eq!(costs(1, "0"), 1);
    assert_eq!(costs(3, "2"), 3);
    assert_eq!(costs(3, "4"), 4);
    assert_eq!(costs(0, "0"), 0);
}

#[test]
fn a_policy_tells_what_it_was_built_of() {
    let cost = Cost::Attribute {
        name: "user.units".to_owned(),
        min: 1,
        max: 8,
        default: 2,
    };
    let policy = login()
        .method(["GET", "HEAD"])
        .path("/places/**")
        .except("client.ip", "192.0.2.0/24")
        .tier(When::is("user.plan", "pro"), limit("60/min"))
        .cost(cost.clone())
        .build()
        .unwrap();
    assert_eq!(
        policy.when().to_string(),
        "method is GET or HEAD, and path is /places/**"
    );
    let exceptions: Vec<String> = policy.exceptions().map(ToString::to_string).collect();
    assert_eq!(exceptions, ["client.ip is 192.0.2.0/24"]);
    let tiers: Vec<_> = policy.tiers().collect();
    assert_eq!(
        tiers,
        [(&When::is("user.plan", "pro"), &limit("60/min").into())]
    );
    assert_eq!(policy.cost(), cost);
    assert_eq!(policy.tier(0), Some(&limit("60/min").into()));
    assert_eq!(policy.tier(1), None);
    assert_eq!(login().build().unwrap().when().to_string(), "always");
}

#[test]
fn the_parts_of_a_key_print_as_they_are_written() {
    let policy = Policy::builder("x")
        .limit(limit("1/s"))
        .key("user  or client.ip")
        .key("route")
        .build()
        .unwrap();
    let parts: Vec<String> = policy.key().iter().map(ToString::to_string).collect();
    assert_eq!(parts, ["user or client.ip", "route"]);
    let names: Vec<_> = policy.key()[1].alternatives().collect();
    assert_eq!(names, [&AttributeName::Route]);
}
