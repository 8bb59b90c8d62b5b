use proptest::prelude::*;

use super::*;

#[test]
fn borrows_what_is_normal() {
    for path in [
        "/",
        "/auth/login",
        "/a%2Fb",
        "/%E4%20x",
        "/a;jsessionid=1",
        "/A/b.c/...",
        "*",
        "/a*b",
        "/@me/$x",
    ] {
        assert!(
            matches!(normalize_path(path), Cow::Borrowed(normal) if normal == path),
            "{path}"
        );
    }
    assert!(matches!(
        normalize_path("/auth/?next=/"),
        Cow::Borrowed("/auth")
    ));
}

#[test]
fn one_path_has_one_spelling() {
    for (path, normal) in [
        ("/auth/../auth/login", "/auth/login"),
        ("/auth/%2e%2E/auth/login", "/auth/login"),
        ("/%61uth/login", "/auth/login"),
        ("/./auth/.//login/.", "/auth/login"),
        ("/auth/login/", "/auth/login"),
        ("/auth/login//", "/auth/login"),
        ("/auth/login?user=x", "/auth/login"),
        ("/auth/login#top", "/auth/login"),
        ("/users/%40me", "/users/@me"),
        ("/a//../b", "/b"),
        ("/..", "/"),
        ("/../../a", "/a"),
        ("/a/b/..", "/a"),
        ("//", "/"),
        ("", "/"),
        ("?", "/"),
        ("auth", "/auth"),
        ("auth/login", "/auth/login"),
        ("/a%2fb", "/a%2Fb"),
        ("/a%2F..%2Fb", "/a%2F..%2Fb"),
        ("/%c3%BC", "/%C3%BC"),
        ("/a b\u{7f}", "/a%20b%7F"),
        ("/%00", "/%00"),
    ] {
        assert_eq!(normalize_path(path), normal, "{path}");
    }
}

#[test]
fn a_path_with_dots_or_empty_segments_is_kept_as_it_is_served() {
    for (path, normal, served) in [
        ("/./auth/login", "/auth/login", "/./auth/login"),
        ("/%2e/auth/login?x", "/auth/login", "/./auth/login"),
        ("/../auth/%6cogin/", "/auth/login", "/../auth/login"),
        ("//auth/login", "/auth/login", "//auth/login"),
        ("/users//login", "/users/login", "/users//login"),
        ("/api/a/../../x", "/x", "/api/a/../../x"),
        ("/a//", "/a", "/a/"),
        ("/a/.", "/a", "/a/."),
        ("./a", "/a", "/./a"),
        ("//", "/", "/"),
        ("/..", "/", "/.."),
    ] {
        let forms = PathForms::of(path);
        assert_eq!(
            (&*forms.normal, forms.served.as_deref()),
            (normal, Some(served)),
            "{path}"
        );
    }
    for path in [
        "",
        "/",
        "*",
        "/a/",
        "a",
        "/%61",
        "/...",
        "/a%2F..%2Fb",
        "/a?//",
        "/%zz",
    ] {
        assert_eq!(PathForms::of(path).served, None, "{path}");
    }
}

#[test]
fn a_route_may_hold_what_begins_a_query() {
    for (route, normal) in [
        ("/users/{id}", "/users/{id}"),
        ("/{*rest}", "/{*rest}"),
        ("/größe/", "/gr%C3%B6%C3%9Fe"),
        ("/{x:a?}/y", "/{x:a%3F}/y"),
        ("/", "/"),
    ] {
        assert_eq!(normalize_route(route), normal, "{route}");
    }
}

// T25
#[test]
fn decodes_once_and_survives_malformed_encoding() {
    for (path, normal) in [
        ("/%2e%2e/%%32%65/", "/%252e"),
        ("//a///b", "/a/b"),
        ("/a;jsessionid=1", "/a;jsessionid=1"),
        ("/ü", "/%C3%BC"),
        ("/%2561uth", "/%2561uth"),
        ("/%252e%252e/a", "/%252e%252e/a"),
        ("/%", "/%25"),
        ("/%4", "/%254"),
        ("/%zz", "/%25zz"),
        ("/%+1", "/%25+1"),
        ("/%é", "/%25%C3%A9"),
    ] {
        assert_eq!(normalize_path(path), normal, "{path}");
    }
}

#[test]
fn hosts_have_one_spelling() {
    for (host, normal) in [
        ("Example.COM:443", "example.com"),
        ("example.com.", "example.com"),
        ("example.com", "example.com"),
        ("[2001:DB8::1]:80", "[2001:db8::1]"),
        ("[2001:db8::1]", "[2001:db8::1]"),
        ("", ""),
    ] {
        assert_eq!(normalize_host(host), normal);
    }
}

proptest! {
    #[test]
    fn a_normal_path_stays_as_it_is(path in r"(/|\.|%|2|e|E|5|F|a|\?|;|ü| |%2e|%2F|%61|\PC){0,16}") {
        let normal = normalize_path(&path);
        prop_assert_eq!(normalize_path(&normal), &*normal);
        prop_assert!(is_normal(normal.as_bytes()) || normal == "*" || normal == "/");
        prop_assert!(normal.bytes().all(|byte| byte.is_ascii_graphic()));
        prop_assert!(normal.len() <= path.len() * 3 + 1);
        let forms = PathForms::of(&path);
        prop_assert_eq!(&*forms.normal, &*normal);
        if let Some(served) = forms.served {
            prop_assert!(normal != *served || served == "/", "the empty segment of `//`");
            prop_assert_eq!(normalize_path(&served), &*normal);
        }
    }

    #[test]
    fn spelling_a_byte_by_its_digits_changes_nothing(segments in prop::collection::vec("[a-z._~@!-]{1,6}", 0..4), at: prop::sample::Index, is_upper: bool) {
        let path = format!("/{}", segments.join("/"));
        let at = at.index(path.len());
        let byte = path.as_bytes()[at];
        prop_assume!(byte != b'/');
        let digits = if is_upper { format!("%{byte:02X}") } else { format!("%{byte:02x}") };
        let spelt = format!("{}{digits}{}", &path[..at], &path[at + 1..]);
        prop_assert_eq!(normalize_path(&spelt), normalize_path(&path));
    }
}
