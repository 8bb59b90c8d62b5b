//! A header field as one value.

use std::borrow::Cow;

use http::{HeaderMap, HeaderValue};

/// The lines of a field in order, joined with a comma and a space (RFC 9110, section 5.3). `None` if there is none, or
/// one is not UTF-8: such bytes have no one reading as text.
///
/// `name` may be in any case.
pub(super) fn joined<'h>(headers: &'h HeaderMap, name: &str) -> Option<Cow<'h, str>> {
    let mut lines = headers.get_all(name).iter();
    let first = text(lines.next()?)?;
    let Some(second) = lines.next() else {
        return Some(first.into());
    };
    let mut value = first.to_owned();
    for line in std::iter::once(second).chain(lines) {
        value.push_str(", ");
        value.push_str(text(line)?);
    }
    Some(value.into())
}

fn text(line: &HeaderValue) -> Option<&str> {
    std::str::from_utf8(line.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[&[u8]]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append("x-plan", HeaderValue::from_bytes(line).unwrap());
        }
        headers
    }

    #[test]
    fn joins_lines_in_order() {
        let headers = headers(&[b"a", b"b, c", b"d"]);
        assert_eq!(joined(&headers, "x-plan").as_deref(), Some("a, b, c, d"));
    }

    #[test]
    fn borrows_a_single_line() {
        let headers = headers(&[b"pro"]);
        assert!(matches!(
            joined(&headers, "X-Plan"),
            Some(Cow::Borrowed("pro"))
        ));
    }

    #[test]
    fn is_absent_without_lines_or_with_bytes_that_are_not_text() {
        assert_eq!(joined(&headers(&[]), "x-plan"), None);
        assert_eq!(joined(&headers(&[b"a", b"\xff"]), "x-plan"), None);
        assert_eq!(joined(&headers(&[b"a"]), "not a name"), None);
        let utf8 = headers(&["zürich".as_bytes()]);
        assert_eq!(joined(&utf8, "x-plan").as_deref(), Some("zürich"));
    }
}
