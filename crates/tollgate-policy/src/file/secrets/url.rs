//! What of a URL is secret, by its parts. It need not be a right URL.

use std::ops::Range;

use super::{MASK, default_of, is_variable};
use crate::file::url::is_scheme;
use crate::secret_names::sounds_secret;

/// Where the parts of a URL stand that may be secret.
struct Parts {
    /// After the scheme.
    start: usize,
    /// All before the last `@`.
    user_info: Range<usize>,
    /// All after the first `?` or `#`.
    rest: Range<usize>,
    /// Whether a `?` or `#` stands before an `@`: where the host is, cannot be told.
    is_ambiguous: bool,
    has_slashes: bool,
}

impl Parts {
    fn of(text: &str) -> Self {
        let (start, has_slashes) = scheme_end(text);
        let place = text.get(start..).unwrap_or("");
        let at = place.rfind('@').map_or(start, |at| start + at);
        let mark = place.find(['?', '#']).map(|mark| start + mark);
        Self {
            start,
            user_info: start..at,
            rest: mark.map_or(text.len(), |mark| mark + 1)..text.len(),
            is_ambiguous: mark.is_some_and(|mark| mark < at),
            has_slashes,
        }
    }
}

/// Where what follows the scheme begins, and whether slashes say so. A text without a scheme begins
/// with a user.
fn scheme_end(text: &str) -> (usize, bool) {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    if let Some(at) = text.find("://") {
        let before = text.get(..at).unwrap_or("");
        let outside = before.trim_end_matches(is_letter);
        let has_scheme = outside.is_empty()
            || outside.starts_with("${") && outside.ends_with(":")
            || is_variable(before)
            || before.rsplit_once(":-").is_some_and(|(variable, scheme)| {
                variable.starts_with("${") && scheme.chars().all(is_letter)
            });
        if has_scheme {
            return (at + 3, true);
        }
    }
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(&scheme.to_ascii_lowercase()) => (scheme.len() + 1, false),
        _ => (0, false),
    }
}

/// What must not be shown of a URL: all between its scheme and the last `@`, and all after a `?` or a
/// `#`.
pub(in crate::file) fn in_url(url: &str) -> Vec<Range<usize>> {
    let parts = Parts::of(url);
    let (one, other) = if parts.is_ambiguous {
        (parts.start..url.len(), None)
    } else {
        (parts.user_info, Some(parts.rest))
    };
    let all = std::iter::once(one).chain(other);
    let is_said = |range: &Range<usize>| {
        let part = url.get(range.clone()).unwrap_or("");
        // A variable by itself says nothing secret, and an error may be about it.
        !part
            .split(':')
            .all(|part| part.is_empty() || is_variable(part))
    };
    all.filter(is_said).collect()
}

/// What no message may tell of a URL: passwords and the values of queries. A user is not, as many are
/// ordinary words.
pub(super) fn passwords(url: &str) -> Vec<&str> {
    let parts = Parts::of(url);
    let part = |range: Range<usize>| url.get(range).unwrap_or("");
    let mut found = Vec::new();
    if parts.is_ambiguous {
        let all = part(parts.start..url.len());
        found.push(all);
        let inside = all.split([':', '@', '?', '#', '&', '=', '/']);
        found.extend(inside.skip(1));
    } else {
        let user_info = part(parts.user_info);
        match user_info.split_once(':') {
            Some((_, password)) => found.push(password),
            None if !parts.has_slashes => found.push(user_info),
            None => {}
        }
        let pairs = part(parts.rest).split(['&', '#']);
        found.extend(pairs.map(|pair| pair.split_once('=').map_or(pair, |(_, value)| value)));
    }
    let mut found: Vec<&str> = found
        .into_iter()
        .filter(|secret| !is_variable(secret))
        .map(|secret| default_of(secret).unwrap_or(secret))
        .collect();
    found.retain(|secret| !secret.is_empty());
    found
}

/// True if a user or a password stands in a URL: before an `@`, in a parameter that is named for one,
/// or after a `#`.
pub(in crate::file) fn has_password(url: &str) -> bool {
    let parts = Parts::of(url);
    if parts.is_ambiguous || !parts.user_info.is_empty() {
        return true;
    }
    let rest = url.get(parts.rest).unwrap_or("");
    let place = url.get(parts.start..).unwrap_or("");
    let is_fragment = place
        .trim_start_matches(|c| !matches!(c, '?' | '#'))
        .starts_with('#');
    let (query, fragment) = match rest.split_once('#') {
        _ if is_fragment => ("", rest),
        Some(both) => both,
        None => (rest, ""),
    };
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    !fragment.is_empty() || pairs.any(|(name, value)| !value.is_empty() && sounds_secret(name))
}

/// A URL without its secrets.
pub(in crate::file) fn masked_url(url: &str) -> String {
    super::covered(url, &in_url(url), MASK)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_users_passwords_queries_and_fragments() {
        for (url, shown) in [
            ("redis://h:1/2", "redis://h:1/2"),
            ("redis://:pw@h:1", "redis://***@h:1"),
            ("redis://u:p/w@x@h", "redis://***@h"),
            ("redis://:hunt\"er2@h", "redis://***@h"),
            ("redis://:hunt'er2@h", "redis://***@h"),
            ("redis://:hunt`er2@h", "redis://***@h"),
            ("redis://:hun ter\n2@h", "redis://***@h"),
            ("redis://h/0#hunter2", "redis://h/0#***"),
            ("redis://h/0?password=hunter2", "redis://h/0?***"),
            ("redis://h/0?a=b#hunter2", "redis://h/0?***"),
            ("redis://h/0?password=hunt@er2", "redis://***"),
            ("redis://:a?b@h?c", "redis://***"),
            ("redis:hunter2@host", "redis:***@host"),
            ("redis:/user:hunter2@host", "redis:***@host"),
            ("user:hunter2@host", "***@host"),
            ("user:hunter2://x@host", "***@host"),
            ("redis+unix:///s?db=1&pass=pw", "redis+unix:///s?***"),
            ("redis://${U}:${P}@h", "redis://${U}:${P}@h"),
            ("redis://u:${P}@h", "redis://***@h"),
            ("${X:-redis://:pw@h}", "${X:-redis://***@h}"),
            ("${X}://:pw@h", "${X}://***@h"),
            ("redis://:p\u{e9}@h", "redis://***@h"),
            ("memory:", "memory:"),
        ] {
            assert_eq!(masked_url(url), shown);
        }
    }

    #[test]
    fn knows_which_urls_hold_a_password() {
        for url in [
            "redis://:hunt\"er2@h",
            "redis://h/0#hunter2",
            "redis://h/0?password=hunter2",
            "redis+unix:///s?db=1&pass=pw",
            "redis-sentinel://h/m?sentinel_password=pw",
            "redis:hunter2@host",
            "redis://:a?b@h",
        ] {
            assert!(has_password(url), "{url}");
        }
        for url in [
            "redis://h:6379/abc?foo=bar",
            "redis+unix:///s?db=1",
            "redis://h/0?pass=",
            "redis://h#",
            "memory:",
        ] {
            assert!(!has_password(url), "{url}");
        }
    }

    #[test]
    fn messages_hide_passwords_and_not_users() {
        for (url, hidden) in [
            (
                "redis://default:pw@h/0?db=1&pass=pw2",
                &["pw", "1", "pw2"][..],
            ),
            ("redis://user@h", &[]),
            ("redis://user:${P}@h?${Q}", &[]),
            ("redis://user:${P:-abc}@h", &["abc"]),
            ("redis:hunter2@h", &["hunter2"]),
            ("user:hunter2@h", &["hunter2"]),
            ("redis://h/0#hunter2", &["hunter2"]),
        ] {
            assert_eq!(passwords(url), hidden, "{url}");
        }
    }
}
