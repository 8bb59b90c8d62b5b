//! The forms in which paths are compared.

mod lenient;

use std::borrow::Cow;

pub(crate) use lenient::lenient;
use lenient::lenient_of;

/// Brings a path into normal form, which spellings of one path have in common. Borrowed if the path
/// is normal already, except for what is cut off its end.
///
/// ```
/// use tollgate_policy::normalize_path;
///
/// for evasion in ["/auth/../auth/login", "/%61uth/login", "//auth/./login/", "/auth/login?x=/"] {
///     assert_eq!(normalize_path(evasion), "/auth/login");
/// }
/// assert_eq!(normalize_path("/a%2fb/%E4"), "/a%2Fb/%E4");
/// ```
///
/// # Rules
///
/// 1. What follows `?` or `#` is not part of the path.
/// 2. Printable ASCII is decoded once (RFC 3986, section 6.2.2.2, and the reserved characters that
///    routers decode too), except `%2F`, `%3F`, `%23` and `%25`: an encoded slash does not separate
///    segments. Everything else stays encoded or becomes so, with upper-case digits. A `%` that
///    encodes nothing is `%25`.
/// 3. Slashes that follow each other are one, then `.` and `..` segments are resolved (section
///    5.2.4), and never climb above the root.
/// 4. A slash at the end is cut off. An empty path is `/`. A path that does not begin with a slash
///    gets one, except `*` (the asterisk form of RFC 9112, section 3.2.4).
///
/// Letter case is kept, and so are parameters after `;`.
///
/// # Lenient routers
///
/// Some routers take more paths for one than that. Go's `ServeMux` decodes `%2F` before it splits a
/// path, Windows takes a backslash for a slash, Tomcat and Spring drop what follows a `;` in a segment,
/// and Express ignores letter case. So a path that has any of these is compared in a third form too,
/// the lenient one, in which all of that is done, to the pattern brought into the same form. It is not
/// part of keys: where the router is lenient, do not count by `path`, but by `route`.
///
/// # Routers that keep dots and slashes
///
/// A router that does not do what rule 3 says, as that of axum, takes `/./auth/login` and
/// `//auth/login` for paths of the route `/{lang}/auth/login`, though their normal form is
/// `/auth/login`. So policies compare such a path also as it is served: by rules 1, 2 and 4 only,
/// where at most one slash is cut off the end, and `*` stands for an empty segment too.
///
/// * A policy matches if any form passes its tests of the path.
/// * An exception, and the condition of a tier, hold only if all forms pass.
///
/// So a policy covers at least what any of these routers serves; a request that the router would
/// refuse, or serve elsewhere, may be counted too. Not covered are a router that does half of it,
/// merges slashes and keeps dots for example, where a path has both, and one that decodes twice: bring the request's path into
/// normal form before such a one routes it, or match by `route`.
#[must_use]
pub fn normalize_path(path: &str) -> Cow<'_, str> {
    let path = without_query(path);
    borrow_normal(path).unwrap_or_else(|| Cow::Owned(resolved(path).0))
}

/// A route in the form in which patterns are compared. A template may hold a `?` that begins no
/// query.
pub(crate) fn normalize_route(route: &str) -> Cow<'_, str> {
    borrow_normal(route).unwrap_or_else(|| Cow::Owned(resolved(route).0))
}

/// The forms of a path: most paths have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathForms<'p> {
    /// In normal form.
    pub(crate) normal: Cow<'p, str>,
    /// With its dot segments and empty segments, if it has any: a slash before each segment, so
    /// that the root is empty.
    pub(crate) served: Option<String>,
    /// As lenient routers take it, unless that is the normal form.
    pub(crate) lenient: Option<String>,
}

impl<'p> PathForms<'p> {
    // A call costs a tenth of a decision that matches nothing.
    #[inline]
    pub(crate) fn of(path: &'p str) -> Self {
        let path = without_query(path);
        let lenient = lenient_of(path);
        if let Some(normal) = borrow_normal(path) {
            return Self {
                normal,
                served: None,
                lenient,
            };
        }
        let (normal, is_kept) = resolved(path);
        Self {
            normal: Cow::Owned(normal),
            served: (!is_kept).then(|| served(path)),
            lenient,
        }
    }

    pub(crate) fn into_owned(self) -> PathForms<'static> {
        PathForms {
            normal: Cow::Owned(self.normal.into_owned()),
            served: self.served,
            lenient: self.lenient,
        }
    }
}

fn without_query(path: &str) -> &str {
    let end = path.bytes().position(|byte| matches!(byte, b'?' | b'#'));
    end.and_then(|end| path.get(..end)).unwrap_or(path)
}

/// The normal form, if it is a part of the path.
fn borrow_normal(path: &str) -> Option<Cow<'_, str>> {
    if path == "*" || path == "/" {
        return Some(Cow::Borrowed(path));
    }
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    is_normal(trimmed.as_bytes()).then_some(Cow::Borrowed(trimmed))
}

/// The normal form, and whether every segment stands in it.
fn resolved(path: &str) -> (String, bool) {
    let mut normal = Vec::with_capacity(path.len() + 1);
    let mut is_kept = true;
    for segment in raw_segments(path) {
        let start = normal.len();
        push_segment(&mut normal, segment);
        is_kept &= !resolve_last(&mut normal, start);
    }
    if normal.is_empty() {
        normal.push(b'/');
    }
    (ascii(normal), is_kept)
}

/// The form in which dot segments and empty segments are kept.
fn served(path: &str) -> String {
    let mut served = Vec::with_capacity(path.len() + 1);
    for segment in raw_segments(path) {
        push_segment(&mut served, segment);
    }
    ascii(served)
}

/// Only ASCII is pushed.
fn ascii(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

/// What stands between the slashes, without one at the end; the root has no segments.
fn raw_segments(path: &str) -> impl Iterator<Item = &[u8]> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let inner = path.strip_prefix('/').unwrap_or(path).as_bytes();
    let segments = inner.split(|byte| *byte == b'/');
    segments.skip(usize::from(path.is_empty()))
}

/// Appends a slash and a segment, decoded once.
fn push_segment(form: &mut Vec<u8>, segment: &[u8]) {
    form.push(b'/');
    let mut rest = segment;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, encoded(after)) {
            (b'%', Some(decoded)) => {
                rest = after.get(2..).unwrap_or_default();
                push_byte(form, decoded);
            }
            _ => push_byte(form, byte),
        }
    }
}

/// Resolves the segment that begins at `start`, if it is empty or dots.
fn resolve_last(normal: &mut Vec<u8>, start: usize) -> bool {
    match normal.get(start..).unwrap_or_default() {
        b"/" | b"/." => normal.truncate(start),
        b"/.." => {
            let parent = normal
                .get(..start)
                .and_then(|before| before.iter().rposition(|byte| *byte == b'/'));
            normal.truncate(parent.unwrap_or(0));
        }
        _ => return false,
    }
    true
}

fn push_byte(form: &mut Vec<u8>, byte: u8) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    if stands_decoded(byte) {
        form.push(byte);
    } else {
        let [high, low] = [byte >> 4, byte & 15].map(usize::from);
        form.extend([b'%', DIGITS[high], DIGITS[low]]);
    }
}

/// The byte that two hexadecimal digits at the beginning encode.
fn encoded(text: &[u8]) -> Option<u8> {
    let [high, low, ..] = text else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

const fn stands_decoded(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'/' | b'%' | b'?' | b'#')
}

/// True if the path is what normalisation makes of it, and not the root.
fn is_normal(path: &[u8]) -> bool {
    // The first byte must be a slash, and a segment must follow each.
    let mut rest = path;
    let mut has_slash = false;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        let is_normal = match byte {
            b'/' => {
                let is_dots = matches!(
                    after,
                    [] | [b'/', ..]
                        | [b'.']
                        | [b'.', b'/', ..]
                        | [b'.', b'.']
                        | [b'.', b'.', b'/', ..]
                );
                has_slash = true;
                !is_dots
            }
            b'%' => {
                rest = after.get(2..).unwrap_or_default();
                has_slash && is_normal_encoding(after)
            }
            _ => has_slash && stands_decoded(byte),
        };
        if !is_normal {
            return false;
        }
    }
    has_slash
}

/// True if two upper-case digits follow, and encode what does not stand decoded.
fn is_normal_encoding(digits: &[u8]) -> bool {
    let is_kept = encoded(digits).is_some_and(|decoded| !stands_decoded(decoded));
    is_kept && !digits.iter().take(2).any(u8::is_ascii_lowercase)
}

/// The host in lower case, without a port or a dot at its end.
pub(crate) fn normalize_host(host: &str) -> Cow<'_, str> {
    let host = match host.rsplit_once(':') {
        // In `[2001:db8::1]` the last colon belongs to the address.
        Some((name, port)) if !port.contains(']') => name,
        _ => host,
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(host.to_ascii_lowercase())
    } else {
        Cow::Borrowed(host)
    }
}

#[cfg(test)]
mod tests;
