//! Which conditions cover others, as far as that is easily told: where it is not, they do not.

use super::{PathGlob, When};
use crate::{AttributeName, IpNetwork, normalize_path};

/// The most pairs of patterns that are compared: what takes longer is not told.
const MAX_PAIRS: usize = 10_000;

impl When {
    /// True if every request that meets `inner` surely meets this.
    pub(crate) fn covers(&self, inner: &Self) -> bool {
        let size = |when: &Self| -> usize {
            let patterns = when.tests().map(|(_, patterns)| 1 + patterns.len());
            patterns.sum()
        };
        if size(self).saturating_mul(size(inner)) > MAX_PAIRS {
            return false;
        }
        self.tests().all(|(name, wide)| {
            let Ok(attribute) = name.parse::<AttributeName>() else {
                return false;
            };
            let mut same = inner.tests().filter(|(inner, _)| *inner == name);
            same.any(|(_, narrow)| {
                let is_covered = |inner: &String| {
                    let mut wide = wide.iter();
                    wide.any(|outer| pattern_covers(&attribute, outer, inner))
                };
                !narrow.is_empty() && narrow.iter().all(is_covered)
            })
        })
    }

    /// True if requests that meet this can have few values of an attribute only, which are listed.
    pub(crate) fn lists(&self, attribute: &AttributeName) -> bool {
        let mut tests = self.tests();
        tests.any(|(name, patterns)| {
            name.parse::<AttributeName>().as_ref() == Ok(attribute)
                && patterns.iter().all(|pattern| !pattern.contains('*'))
        })
    }
}

/// True if every value that fits `inner` fits `outer`.
pub(crate) fn pattern_covers(attribute: &AttributeName, outer: &str, inner: &str) -> bool {
    match attribute {
        AttributeName::ClientIp => match networks(outer, inner) {
            Some((outer, inner)) => {
                outer.prefix() <= inner.prefix() && outer.contains(inner.address())
            }
            None => false,
        },
        AttributeName::Method => outer == inner,
        AttributeName::Path | AttributeName::Route => path_covers(outer, inner),
        _ => match outer.split_once('*') {
            None => outer == inner,
            Some((before, "")) => inner.starts_with(before),
            Some(("", after)) if !after.contains('*') => inner.ends_with(after),
            Some(_) => outer == inner,
        },
    }
}

fn path_covers(outer: &str, inner: &str) -> bool {
    let (outer, inner) = (normalize_path(outer), normalize_path(inner));
    if outer == inner || outer == "/**" {
        return true;
    }
    if let Some(base) = outer.strip_suffix("/**")
        && !base.contains('*')
    {
        let below = inner.strip_prefix(base);
        return below.is_some_and(|below| below.is_empty() || below.starts_with('/'));
    }
    !inner.contains('*') && PathGlob::compile(&outer).is_ok_and(|glob| glob.matches(&inner))
}

pub(crate) fn networks(left: &str, right: &str) -> Option<(IpNetwork, IpNetwork)> {
    left.parse().ok().zip(right.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cover_what_is_below_them() {
        for (outer, inner) in [
            ("/auth/**", "/auth"),
            ("/auth/**", "/auth/login"),
            ("/auth/**", "/auth/*/x/**"),
            ("**", "/x"),
            ("/a/*", "/a/b"),
        ] {
            assert!(path_covers(outer, inner), "{outer} {inner}");
        }
        for (outer, inner) in [
            ("/auth/**", "/authors"),
            ("/auth", "/auth/**"),
            ("/a/*", "/a/*/b"),
            ("/a/*", "/a/**"),
        ] {
            assert!(!path_covers(outer, inner), "{outer} {inner}");
        }
    }

    #[test]
    fn values_cover_what_is_in_them() {
        let covers = |attribute: &str, outer, inner| {
            pattern_covers(&attribute.parse().unwrap(), outer, inner)
        };
        for (attribute, outer, inner) in [
            ("client.ip", "192.0.2.0/24", "192.0.2.0/28"),
            ("client.ip", "192.0.2.0/24", "192.0.2.1"),
            ("host", "*.example.com", "api.example.com"),
            ("user.plan", "pro*", "pro-max"),
            ("method", "GET", "GET"),
        ] {
            assert!(covers(attribute, outer, inner), "{outer} {inner}");
            assert!(
                outer == inner || !covers(attribute, inner, outer),
                "{outer} {inner}"
            );
        }
        assert!(!covers("client.ip", "192.0.2.0/24", "2001:db8::/32"));
        assert!(!covers("user.plan", "a*b", "axb"));
    }

    #[test]
    fn conditions_cover_those_that_test_more() {
        let all = When::always();
        let api = When::is("path", "/api/**");
        let post = When::is("method", "POST").and("path", "/api/users");
        assert!(all.covers(&post) && api.covers(&post) && api.covers(&api));
        assert!(!post.covers(&api) && !api.covers(&all));
    }

    #[test]
    fn lists_what_has_no_stars() {
        let when = When::is("header.x-plan", ["a", "b"]).and("path", ["/a", "/b/*"]);
        let lists = |name: &str| when.lists(&name.parse().unwrap());
        assert!(lists("header.x-plan"));
        assert!(!lists("path") && !lists("method"));
    }
}
