//! Paths without what differs from request to request.

/// The longest segment that is taken for a name.
const LONGEST_NAME: usize = 40;
/// How many hexadecimal digits are no word.
const HEX: usize = 8;

/// The segments of a path in normal form, with `*` in place of those that are no names: numbers,
/// dates, UUIDs, hexadecimal digits, tokens.
pub(super) fn segments(path: &str) -> impl Iterator<Item = &str> {
    let inner = path.strip_prefix('/').unwrap_or(path);
    let segments = inner.split('/').filter(|segment| !segment.is_empty());
    segments.map(|segment| if is_name(segment) { segment } else { "*" })
}

/// True if a segment is probably the same for many requests.
fn is_name(segment: &str) -> bool {
    let digits = segment.bytes().filter(u8::is_ascii_digit).count();
    let letters = segment.bytes().filter(u8::is_ascii_alphabetic).count();
    let is_hex = segment
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let is_strange = segment
        .bytes()
        .any(|byte| matches!(byte, b'%' | b'*' | b'@' | b'=' | b',' | b';' | b'"' | b'\\'));
    // `v1`, `oauth2` and `base64` are names, `2026-11-05`, `item-123` and `app.3f2a91.js` are not.
    let is_numbered = digits >= 3 || (digits > 0 && letters == 0);
    let is_hash = is_hex && digits > 0 && segment.len() >= HEX;
    !segment.is_empty()
        && segment.len() <= LONGEST_NAME
        && letters > 0
        && !is_strange
        && !is_numbered
        && !is_hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_request_to_request_is_a_star() {
        for (path, shape) in [
            ("/", ""),
            ("/boards", "boards"),
            ("/boards/17", "boards/*"),
            ("/boards/17/cards/4/labels", "boards/*/cards/*/labels"),
            ("/api/v1/oauth2/base64", "api/v1/oauth2/base64"),
            ("/u/0b5c6c49-5c0c-4188-8aaf-00000000abcd", "u/*"),
            ("/c/deadbee5", "c/*"),
            ("/c/decade", "c/decade"),
            ("/log/2026-11-05", "log/*"),
            ("/log/1.2", "log/*"),
            ("/p/item-123", "p/*"),
            ("/static/app.3f2a91.js", "static/*"),
            ("/static/app.js", "static/app.js"),
            ("/m/ann@example.net", "m/*"),
            ("/caf%C3%A9", "*"),
            ("/a*b", "*"),
            (".well-known/x", ".well-known/x"),
        ] {
            let found: Vec<&str> = segments(path).collect();
            assert_eq!(found.join("/"), shape, "{path}");
        }
        let long = format!("/{}", "x".repeat(41));
        assert_eq!(segments(&long).collect::<Vec<_>>(), ["*"]);
    }
}
