//! One spelling for each path.

use std::borrow::Cow;

/// Brings a path into normal form, so that no two spellings of one path are limited differently.
/// Borrowed if the path is normal already, except for what is cut off its end.
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
/// They make one what any common router takes for one, so that a policy covers at least what the
/// router serves; a request that the router would refuse may be counted too.
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
#[must_use]
pub fn normalize_path(path: &str) -> Cow<'_, str> {
    let path = path
        .find(['?', '#'])
        .and_then(|end| path.get(..end))
        .unwrap_or(path);
    if path == "*" {
        return Cow::Borrowed(path);
    }
    let trimmed = match path {
        "/" => path,
        _ => path.strip_suffix('/').unwrap_or(path),
    };
    if is_normal(trimmed.as_bytes()) {
        return Cow::Borrowed(trimmed);
    }
    let mut normal = Vec::with_capacity(path.len() + 1);
    for segment in path.as_bytes().split(|byte| *byte == b'/') {
        push_segment(&mut normal, segment);
    }
    if normal.is_empty() {
        normal.push(b'/');
    }
    // Only ASCII was pushed.
    Cow::Owned(String::from_utf8(normal).unwrap_or_default())
}

/// Appends a slash and a segment in normal form, or resolves a dot segment.
fn push_segment(normal: &mut Vec<u8>, segment: &[u8]) {
    let start = normal.len();
    normal.push(b'/');
    let mut rest = segment;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, encoded(after)) {
            (b'%', Some(decoded)) => {
                rest = after.get(2..).unwrap_or_default();
                push_byte(normal, decoded);
            }
            _ => push_byte(normal, byte),
        }
    }
    match normal.get(start..).unwrap_or_default() {
        b"/" | b"/." => normal.truncate(start),
        b"/.." => {
            let parent = normal
                .get(..start)
                .and_then(|before| before.iter().rposition(|byte| *byte == b'/'));
            normal.truncate(parent.unwrap_or(0));
        }
        _ => {}
    }
}

fn push_byte(normal: &mut Vec<u8>, byte: u8) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    if stands_decoded(byte) {
        normal.push(byte);
    } else {
        let [high, low] = [byte >> 4, byte & 15].map(usize::from);
        normal.extend([b'%', DIGITS[high], DIGITS[low]]);
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

/// True if the path is what normalisation makes of it.
fn is_normal(path: &[u8]) -> bool {
    if path == b"/" {
        return true;
    }
    let [b'/', segments @ ..] = path else {
        return false;
    };
    segments
        .split(|byte| *byte == b'/')
        .all(|segment| !matches!(segment, b"" | b"." | b"..") && is_normal_text(segment))
}

fn is_normal_text(segment: &[u8]) -> bool {
    let mut rest = segment;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let digits = after.get(..2).unwrap_or_default();
            let is_kept = encoded(after).is_some_and(|decoded| !stands_decoded(decoded));
            if !is_kept || digits.iter().any(u8::is_ascii_lowercase) {
                return false;
            }
            rest = after.get(2..).unwrap_or_default();
        } else if !stands_decoded(byte) {
            return false;
        }
    }
    true
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
