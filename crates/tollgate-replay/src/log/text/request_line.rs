//! The first line of a request, as logs quote it.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::escape::{part, percent_encoded, present};
use crate::log::Record;

/// Fills in what `GET /a?b=1 HTTP/1.1` says; escapes are undone already.
///
/// * The target may be in any form of RFC 9112, section 3.2: the absolute form tells the host too.
/// * The protocol may be missing (HTTP/0.9, and rubbish), and blanks may stand in the target.
/// * One word is a method, if it can be one (RFC 9110, section 9.1). What begins otherwise, as the
///   greeting of a TLS client, has no method and no path: it is a request of this client all the same.
#[expect(
    clippy::ptr_arg,
    reason = "what is borrowed in it is borrowed in the record, and not copied"
)]
pub(crate) fn fill<'l>(record: &mut Record<'l>, line: &Cow<'l, [u8]>) {
    let end = memchr(b' ', line).unwrap_or(line.len());
    let word = line.get(..end).unwrap_or_default();
    if !is_token(word) {
        return;
    }
    record.method = present(part(line, 0..end));
    let begin = (end + 1).min(line.len());
    let rest = line.get(begin..).unwrap_or_default();
    let target = match memrchr(b' ', rest) {
        Some(at) if is_protocol(&rest[at + 1..]) => begin..begin + at,
        None if is_protocol(rest) => return,
        _ => begin..line.len(),
    };
    fill_target(record, line, target);
}

/// Fills in what a target says that stands at `at` of `text`.
#[expect(
    clippy::ptr_arg,
    reason = "what is borrowed in it is borrowed in the record, and not copied"
)]
pub(crate) fn fill_target<'l>(record: &mut Record<'l>, text: &Cow<'l, [u8]>, at: Range<usize>) {
    let target = text.get(at.clone()).unwrap_or_default();
    if matches!(target, b"" | b"-") {
        return;
    }
    if record.method.as_deref() == Some("CONNECT") {
        record.host = present(part(text, at));
        return;
    }
    let mut begin = at.start;
    if !target.starts_with(b"/")
        && let Some(authority) = authority(target)
    {
        record.host = present(part(
            text,
            at.start + authority.start..at.start + authority.end,
        ));
        begin = at.start + authority.end;
    }
    let target = text.get(begin..at.end).unwrap_or_default();
    let path_end = match memchr(b'?', target) {
        Some(mark) => {
            record.query = Some(percent_encoded(part(text, begin + mark + 1..at.end)));
            begin + mark
        }
        None => at.end,
    };
    record.path = Some(if path_end == begin {
        Cow::Borrowed("/")
    } else {
        percent_encoded(part(text, begin..path_end))
    });
}

/// Where the authority of a target in absolute form stands.
fn authority(target: &[u8]) -> Option<Range<usize>> {
    let scheme = memmem::find(target.get(..16).unwrap_or(target), b"://")?;
    let begin = scheme + 3;
    let known = target
        .get(..scheme)?
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    let rest = target.get(begin..)?;
    let end = rest
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(rest.len());
    (known && scheme > 0).then_some(begin..begin + end)
}

fn is_protocol(word: &[u8]) -> bool {
    word.starts_with(b"HTTP/") || word == b"-"
}

/// Whether it is a token of RFC 9110, section 5.6.2.
fn is_token(word: &[u8]) -> bool {
    let in_tokens = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !word.is_empty() && word.len() <= 64 && word.iter().all(in_tokens)
}

#[cfg(test)]
mod tests {
    use tollgate::{Micros, Timestamp};

    use super::*;
    use crate::log::TimeBasis;

    type Parts<'l> = [Option<&'l str>; 4];

    fn check(line: &str, expected: Parts<'_>) {
        for line in [
            Cow::Borrowed(line.as_bytes()),
            Cow::Owned(line.as_bytes().to_vec()),
        ] {
            let mut record = Record::at(Timestamp::EPOCH, TimeBasis::End, Micros::SECOND);
            fill(&mut record, &line);
            let parts = [
                record.method.as_deref(),
                record.path.as_deref(),
                record.query.as_deref(),
                record.host.as_deref(),
            ];
            assert_eq!(parts, expected, "{line:?}");
        }
    }

    #[test]
    fn a_target_is_split_at_its_first_question_mark() {
        check(
            "GET /a?b=1?c HTTP/1.1",
            [Some("GET"), Some("/a"), Some("b=1?c"), None],
        );
        check(
            "GET /a? HTTP/3.0",
            [Some("GET"), Some("/a"), Some(""), None],
        );
    }

    #[test]
    fn one_word_is_a_method_at_most() {
        // T05, T07
        check("", [None; 4]);
        check("HELP", [Some("HELP"), None, None, None]);
        check("batman", [Some("batman"), None, None, None]);
        check("\u{16}\u{3}\u{1}\u{0} \u{1} /x", [None; 4]);
        check("- - -", [None; 4]);
        check("-", [None; 4]);
    }

    #[test]
    fn every_form_of_target_is_read() {
        // T09
        check(
            "OPTIONS * HTTP/1.1",
            [Some("OPTIONS"), Some("*"), None, None],
        );
        check(
            "CONNECT example.net:443 HTTP/1.1",
            [Some("CONNECT"), None, None, Some("example.net:443")],
        );
        check(
            "GET http://example.net:80/a?b HTTP/1.1",
            [Some("GET"), Some("/a"), Some("b"), Some("example.net:80")],
        );
        check(
            "GET http://example.net HTTP/1.1",
            [Some("GET"), Some("/"), None, Some("example.net")],
        );
        check(
            "GET http://example.net?x HTTP/1.1",
            [Some("GET"), Some("/"), Some("x"), Some("example.net")],
        );
        check(
            "GET /login?to=http://example.net/ HTTP/1.1",
            [
                Some("GET"),
                Some("/login"),
                Some("to=http://example.net/"),
                None,
            ],
        );
    }

    #[test]
    fn blanks_and_a_missing_protocol_are_borne() {
        check("GET /a b HTTP/1.1", [Some("GET"), Some("/a b"), None, None]);
        check("GET /a", [Some("GET"), Some("/a"), None, None]);
        check("GET HTTP/1.1", [Some("GET"), None, None, None]);
        check("GET  HTTP/1.1", [Some("GET"), None, None, None]);
        check("GET ", [Some("GET"), None, None, None]);
    }

    #[test]
    fn paths_are_as_they_were_sent() {
        // T25: normal form is the policies' affair.
        for path in ["/%2e%2e/%%32%65/", "//a///b", "/a;jsessionid=1", "/ü", "/%"] {
            let line = format!("GET {path} HTTP/1.1");
            check(&line, [Some("GET"), Some(path), None, None]);
        }
    }
}
