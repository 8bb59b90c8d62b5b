use proptest::prelude::*;

use super::*;

fn path(pattern: &str, path: &str) -> bool {
    PathGlob::compile(pattern)
        .unwrap()
        .matches(&normalize_path(path))
}

fn served(pattern: &str, path: &str) -> bool {
    PathGlob::compile(pattern).unwrap().matches_served(path)
}

fn text(pattern: &str, value: &str) -> bool {
    TextGlob::compile(pattern).unwrap().matches(value)
}

#[test]
fn two_stars_stand_for_any_segments() {
    for below in ["/auth", "/auth/", "/auth/login", "/auth/a/b/c"] {
        assert!(path("/auth/**", below), "{below}");
    }
    for beside in ["/", "/authx", "/authx/login", "/x/auth", "/Auth/login", "*"] {
        assert!(!path("/auth/**", beside), "{beside}");
    }
    assert!(path("/a/**/z", "/a/z"));
    assert!(path("/a/**/z", "/a/b/z/c/z"));
    assert!(!path("/a/**/z", "/a/b/z/c"));
    assert!(path("/**", "/") && path("/**", "/a/b") && path("**", "/a/b"));
    assert!(path("/**/b/**/c", "/a/b/b/x/c"));
}

#[test]
fn patterns_for_every_path_match_the_asterisk_form() {
    for pattern in ["/**", "**", "*", "/*"] {
        assert!(path(pattern, "*"), "{pattern}");
    }
    assert!(!path("/", "*") && !path("/a/**", "*"));
}

#[test]
fn one_star_stays_within_a_segment() {
    assert!(path("/users/*", "/users/7"));
    assert!(path("/users/*", "/users/a%2Fb"));
    assert!(!path("/users/*", "/users"));
    assert!(!path("/users/*", "/users/7/posts"));
    assert!(path("/users/*/posts", "/users/7/posts"));
    assert!(path("/files/*.tar.*", "/files/a.tar.tar.gz"));
    assert!(!path("/files/*.tar", "/files/a.tar.gz"));
}

#[test]
fn no_spelling_evades_a_path() {
    for evasion in [
        "/auth/../auth/login",
        "/%61uth/login",
        "//auth//login/",
        "/auth/%6Cogin?x",
        "/x/..//auth/login",
    ] {
        assert!(path("/auth/login", evasion), "{evasion}");
    }
    assert!(path("/über/**", "/%c3%bcber/x"));
}

#[test]
fn a_star_stands_for_an_empty_segment_of_a_path_as_it_is_served() {
    assert!(served("/*/auth/login", "//auth/login"));
    assert!(served("/*/auth/login", "/../auth/login"));
    assert!(served("/users/*/login", "/users//login"));
    assert!(served("/*", "/") && served("/users/*", "/users/"));
    assert!(served("/api/**", "/api/../x") && served("/api/**", "/api//"));
    assert!(!served("/*", "") && !served("/*", "//"));
    assert!(!served("/auth/login", "//auth/login"));
    assert!(served("/", "") && !served("/", "/"));
}

#[test]
fn a_star_stands_for_any_characters_of_a_text() {
    assert!(text("pro", "pro") && !text("pro", "pro2") && !text("pro", "Pro"));
    assert!(text("pro*", "pro") && text("pro*", "pro/max") && !text("pro*", "xpro"));
    assert!(text("*bot*", "a bot/2") && text("*", "x") && text("**", "x"));
    assert!(text("a*b*c", "abcbc") && !text("a*b*c", "abcb"));
    assert!(text("ü*", "über"));
}

#[test]
fn refuses_patterns_that_cannot_be_meant() {
    for pattern in ["auth", "", "/auth**", "/**x/y"] {
        assert!(PathGlob::compile(pattern).is_err(), "{pattern}");
    }
    assert!(TextGlob::compile("").is_err());
    assert!(TextGlob::compile(&"x".repeat(MAX_PATTERN + 1)).is_err());
}

#[test]
fn many_stars_take_no_exponential_time() {
    let pattern = "a*".repeat(300) + "b";
    assert!(!text(&pattern, &"a".repeat(3000)));
    let pattern = "/**/a".repeat(200) + "/b";
    assert!(!path(&pattern, &"/a".repeat(2000)));
}

/// The rule written down: try every way.
fn naive(pattern: &[u8], value: &[u8]) -> bool {
    match pattern {
        [] => value.is_empty(),
        [b'*', rest @ ..] => (0..=value.len()).any(|taken| naive(rest, &value[taken..])),
        [byte, rest @ ..] => value.first() == Some(byte) && naive(rest, &value[1..]),
    }
}

fn naive_path(pattern: &[&str], path: &[&str]) -> bool {
    match pattern {
        [] => path.is_empty(),
        ["**", rest @ ..] => (0..=path.len()).any(|taken| naive_path(rest, &path[taken..])),
        [glob, rest @ ..] => path.split_first().is_some_and(|(segment, below)| {
            naive(glob.as_bytes(), segment.as_bytes()) && naive_path(rest, below)
        }),
    }
}

proptest! {
    #[test]
    fn texts_match_as_if_every_way_were_tried(pattern in "[ab*]{1,8}", value in "[ab]{0,10}") {
        prop_assert_eq!(text(&pattern, &value), naive(pattern.as_bytes(), value.as_bytes()));
    }

    #[test]
    fn paths_match_as_if_every_way_were_tried(
        pattern in prop::collection::vec(prop_oneof![Just("**"), Just("*"), Just("a"), Just("b"), Just("a*")], 0..6),
        value in prop::collection::vec(prop_oneof![Just("a"), Just("b"), Just("ab")], 0..7),
    ) {
        let glob = format!("/{}", pattern.join("/"));
        let value_path = format!("/{}", value.join("/"));
        prop_assert_eq!(path(&glob, &value_path), naive_path(&pattern, &value));
    }

    #[test]
    fn paths_as_they_are_served_match_as_if_every_way_were_tried(
        pattern in prop::collection::vec(prop_oneof![Just("**"), Just("*"), Just("a"), Just("a*")], 1..6),
        value in prop::collection::vec(prop_oneof![Just("a"), Just(""), Just(".."), Just("ab")], 0..7),
    ) {
        let glob = format!("/{}", pattern.join("/"));
        let value_path: String = value.iter().map(|segment| format!("/{segment}")).collect();
        prop_assert_eq!(served(&glob, &value_path), naive_path(&pattern, &value));
    }
}
