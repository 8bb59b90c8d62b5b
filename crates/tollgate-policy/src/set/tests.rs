use proptest::prelude::*;

use super::*;
use crate::{AttributeMap, AttributeName, Mode, PolicyBuilder};

fn policy(name: &str) -> PolicyBuilder {
    Policy::builder(name)
        .key("client.ip")
        .limit("10/min".parse().unwrap())
}

fn matching(set: &PolicySet, request: &AttributeMap) -> Vec<String> {
    let facts = Facts::new(request);
    set.matching(&facts)
        .map(|(position, policy)| {
            assert_eq!(set.policies()[usize::from(position)].name(), policy.name());
            policy.name().to_owned()
        })
        .collect()
}

fn get(path: &str) -> AttributeMap {
    AttributeMap::new()
        .with(AttributeName::Method, "GET")
        .with(AttributeName::Path, path)
}

#[test]
fn finds_a_policy_whose_pattern_is_not_in_the_form_of_lenient_routers() {
    let set = PolicySet::new([
        policy("api").path("/API/v1/**").build().unwrap(),
        policy("file").path("/files/a%2Fb").build().unwrap(),
    ])
    .unwrap();
    for path in ["/API/v1/x", "/api/v1/x", "/Api;x/V1"] {
        assert_eq!(matching(&set, &get(path)), ["api"], "{path}");
    }
    // A router that decodes slashes takes one for the other.
    for path in ["/files/a%2fb", "/files/a\\b", "/FILES/A%2FB", "/files/a/b"] {
        assert_eq!(matching(&set, &get(path)), ["file"], "{path}");
    }
    assert!(matching(&set, &get("/files/a/c")).is_empty());
}

#[test]
fn finds_every_policy_of_a_path_in_order() {
    let set = PolicySet::new([
        policy("deep").path("/api/v1/users/*").build().unwrap(),
        policy("all").build().unwrap(),
        policy("api").path(["/api/**", "/auth/**"]).build().unwrap(),
        policy("login").path("/auth/login").build().unwrap(),
        policy("any-login").path("/**/login").build().unwrap(),
        policy("off").mode(Mode::Off).build().unwrap(),
        policy("post")
            .method(["POST"])
            .path("/api/**")
            .build()
            .unwrap(),
        policy("twice")
            .path(["/**", "/*", "/api/**", "/api/*"])
            .build()
            .unwrap(),
    ])
    .unwrap();
    assert_eq!(
        matching(&set, &get("/api/v1/users/7")),
        ["deep", "all", "api", "twice"]
    );
    assert_eq!(
        matching(&set, &get("/auth/login")),
        ["all", "api", "login", "any-login", "twice"]
    );
    assert_eq!(
        matching(&set, &get("/x/../auth/%6cogin/")),
        ["all", "api", "login", "any-login", "twice"]
    );
    for lenient in [
        "/auth%2flogin",
        "/auth\\login",
        "/auth;x/login",
        "/Auth/LOGIN",
        "/x/..;/auth/login;y",
    ] {
        assert_eq!(
            matching(&set, &get(lenient)),
            ["all", "api", "login", "any-login", "twice"],
            "{lenient}"
        );
    }
    assert_eq!(matching(&set, &get("/")), ["all", "twice"]);
    assert_eq!(matching(&set, &AttributeMap::new()), ["all"]);
}

#[test]
fn no_path_evades_a_policy_of_a_router_that_keeps_dots_and_slashes() {
    let set = PolicySet::new([
        policy("api").path("/api/**").build().unwrap(),
        policy("language").path("/*/auth/login").build().unwrap(),
        policy("user").path("/users/*/login").build().unwrap(),
        policy("secret").path("/secret").build().unwrap(),
        policy("all")
            .path("/**")
            .except("path", "/health")
            .build()
            .unwrap(),
    ])
    .unwrap();
    for (path, names) in [
        ("/de/auth/login", &["language", "all"][..]),
        ("/./auth/login", &["language", "all"]),
        ("/../auth/login", &["language", "all"]),
        ("/%2e/auth/login", &["language", "all"]),
        ("//auth/login", &["language", "all"]),
        ("/users//login", &["user", "all"]),
        ("/users/../login", &["user", "all"]),
        ("/users/%2E%2e/login/", &["user", "all"]),
        ("/api/../x", &["api", "all"]),
        ("/api/a/../../secret", &["api", "secret", "all"]),
        ("/x/../api/a", &["api", "all"]),
        ("/api/./a", &["api", "all"]),
        ("/health", &[]),
        ("/files/../health", &["all"]),
        ("//health", &["all"]),
        ("/health/.", &["all"]),
    ] {
        assert_eq!(matching(&set, &get(path)), names, "{path}");
    }
}

#[test]
fn refuses_two_policies_of_one_name() {
    let policies = ["a", "b", "a"].map(|name| policy(name).build().unwrap());
    let error = PolicySet::new(policies).unwrap_err();
    assert_eq!(error.kind(), PolicyErrorKind::DuplicateName);
    assert_eq!(error.policy(), "a");
}

#[test]
fn refuses_more_policies_than_positions() {
    let policies = (0..=MAX_POLICIES).map(|number| policy(&format!("p{number}")).build().unwrap());
    let error = PolicySet::new(policies).unwrap_err();
    assert_eq!(error.kind(), PolicyErrorKind::TooMany);
}

#[test]
fn finds_policies_by_what_tells_them_apart() {
    // A thousand policies of one path: what tells them apart is the tenant.
    let policies = (0..1_000).map(|number| {
        let policy = policy(&format!("p{number}")).path("/api/**").method("GET");
        policy
            .matches("tenant", format!("t{number}"))
            .build()
            .unwrap()
    });
    let set = PolicySet::new(policies).unwrap();
    let request = get("/api/x").with(AttributeName::Other("tenant".into()), "t7");
    assert_eq!(set.index.candidates(&Facts::new(&request)).as_slice(), [7]);
    assert_eq!(matching(&set, &request), ["p7"]);
    assert_eq!(matching(&set, &get("/api/x")), [""; 0]);
}

/// What a policy of a random set tests.
type Tests = (Vec<String>, Vec<String>, Vec<String>);

proptest! {
    #[test]
    fn finds_what_trying_each_policy_finds(
        tests in prop::collection::vec((
            prop::collection::vec(r"(/(a|b|\*|\*\*|a\*)){1,4}", 0..3),
            prop::collection::vec("(GET|POST|PUT)", 0..3),
            prop::collection::vec(r"(x|y|z|x\*)", 0..3),
        ), 1..12),
        path in r"(/(a|b|ab|\.\.|\.||%61)){0,5}/?",
        tenant in "(x|y|xy)?",
    ) {
        let policies: Vec<Policy> = tests.iter().enumerate().map(|(number, tests): (_, &Tests)| {
            let mut builder = policy(&format!("p{number}"));
            for (attribute, patterns) in [("path", &tests.0), ("method", &tests.1), ("tenant", &tests.2)] {
                if !patterns.is_empty() {
                    builder = builder.matches(attribute, patterns.clone());
                }
            }
            builder.build().unwrap()
        }).collect();
        let mut request = get(&path);
        if !tenant.is_empty() {
            request = request.with(AttributeName::Other("tenant".into()), tenant);
        }
        let facts = Facts::new(&request);
        let expected: Vec<String> = policies.iter().filter(|policy| policy.matches(&facts)).map(|policy| policy.name().to_owned()).collect();
        for policy in &policies {
            prop_assert_eq!(policy.mismatch(&request).is_none(), policy.matches(&facts));
        }
        prop_assert_eq!(matching(&PolicySet::new(policies).unwrap(), &request), expected);
    }
}
