//! Finding the parts of a line.

use memchr::{memchr, memchr2};

use crate::log::{Reject, Skipped};

/// The line without a carriage return at its end and zeros at its begin, or why there is none.
pub(crate) fn content(line: &[u8]) -> Result<&[u8], Skipped> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match line.first() {
        None => Err(Skipped::Blank),
        Some(0) => {
            let zeros = line.iter().take_while(|byte| **byte == 0).count();
            line.get(zeros..)
                .filter(|rest| !rest.is_empty())
                .ok_or(Skipped::Zeros)
        }
        Some(b' ' | b'\t') if line.trim_ascii().is_empty() => Err(Skipped::Blank),
        Some(_) => Ok(line),
    }
}

/// What stands before the first `separator`, and after it; all and nothing if there is none.
pub(crate) fn split_at(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    match memchr(separator, text) {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, b""),
    }
}

/// What stands before the last `separator`, and after it.
pub(crate) fn split_at_last(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = memchr::memrchr(separator, text)?;
    Some((&text[..at], &text[at + 1..]))
}

/// The first word, and what follows the blank after it.
pub(crate) fn word(text: &[u8]) -> (&[u8], &[u8]) {
    split_at(text, b' ')
}

/// A request in quotes, and the status that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Answered<'l> {
    /// What stands between the quotes, escaped.
    pub(crate) request: &'l [u8],
    pub(crate) status: Option<u16>,
    /// What follows the blank after the status.
    pub(crate) rest: &'l [u8],
}

/// A text in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quoted<'l> {
    /// What stands between the quotes, escaped.
    pub(crate) inner: &'l [u8],
    /// What follows the blank after the closing quote.
    pub(crate) rest: &'l [u8],
}

/// The text in quotes that begins here. Quotes after a backslash do not close it.
///
/// # Errors
///
/// `OtherForm` if no quote stands here, `Unfinished` if it is never closed, and `Quotes` if something
/// else than a blank follows the one that closes it.
pub(crate) fn quoted(text: &[u8]) -> Result<Quoted<'_>, Reject> {
    let inner = text.strip_prefix(b"\"").ok_or(Reject::OtherForm)?;
    let close = closing_quote(inner, 0).ok_or(Reject::Unfinished)?;
    let rest = match &inner[close + 1..] {
        [] => &[],
        [b' ', rest @ ..] => rest,
        _ => return Err(Reject::Quotes),
    };
    Ok(Quoted {
        inner: &inner[..close],
        rest,
    })
}

/// Where the first quote from `from` on stands that no backslash precedes.
pub(crate) fn closing_quote(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr2(b'"', b'\\', text.get(at..)?)?;
        if text.get(at) == Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

/// The parts between `separator`, or `None` unless there are as many as asked for.
pub(crate) fn exactly<'l, const N: usize>(
    text: &'l [u8],
    separator: &[u8],
) -> Option<[&'l [u8]; N]> {
    let mut parts = [&b""[..]; N];
    let mut rest = text;
    let (last, first) = parts.split_last_mut()?;
    for part in first {
        let at = memchr::memmem::find(rest, separator)?;
        *part = &rest[..at];
        rest = &rest[at + separator.len()..];
    }
    if memchr::memmem::find(rest, separator).is_some() {
        return None;
    }
    *last = rest;
    Some(parts)
}

/// Whether it is digits, and at least one.
pub(crate) fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// The number that these digits write; `None` if they are none, or too many.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    if !is_number(text) || text.len() > 18 {
        return None;
    }
    Some(
        text.iter()
            .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0')),
    )
}

/// A status, absent if it is `-`, or a number below 100: nothing was answered then.
///
/// # Errors
///
/// `Status` if it is neither.
pub(crate) fn status(text: &[u8]) -> Result<Option<u16>, Reject> {
    match text {
        [a @ b'1'..=b'9', b @ b'0'..=b'9', c @ b'0'..=b'9'] => Ok(Some(
            u16::from(a - b'0') * 100 + u16::from(b - b'0') * 10 + u16::from(c - b'0'),
        )),
        b"-" | b"-1" => Ok(None),
        text if text.len() <= 3 && number(text).is_some_and(|status| status < 100) => Ok(None),
        _ => Err(Reject::Status),
    }
}

/// The span that a decimal number of seconds writes, `0.042`; at most 9 decimals.
pub(crate) fn seconds(text: &[u8]) -> Option<tollgate::Micros> {
    let (whole, decimals) = split_at(text, b'.');
    let micros = match decimals {
        b"" => 0,
        decimals => crate::log::time::civil::fraction(decimals)?.0,
    };
    let whole = number(whole)?.checked_mul(1_000_000)?;
    Some(tollgate::Micros::new(whole.checked_add(u64::from(micros))?))
}

/// The span that a number of milliseconds writes.
pub(crate) fn milliseconds(text: &[u8]) -> Option<tollgate::Micros> {
    Some(tollgate::Micros::from_millis(number(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tollgate::Micros;

    #[test]
    fn zeros_and_blanks_are_skipped() {
        // T19
        assert_eq!(content(b""), Err(Skipped::Blank));
        assert_eq!(content(b"\r"), Err(Skipped::Blank));
        assert_eq!(content(b"  \t"), Err(Skipped::Blank));
        assert_eq!(content(b"\0\0\0\0"), Err(Skipped::Zeros));
        assert_eq!(content(b"\0\0a b\r"), Ok(&b"a b"[..]));
    }

    #[test]
    fn a_backslash_keeps_a_quote_open() {
        let text = quoted(br#""a \" b\\" c"#).unwrap();
        assert_eq!(text.inner, br#"a \" b\\"#);
        assert_eq!(text.rest, b"c");
        assert_eq!(quoted(br#""a \""#), Err(Reject::Unfinished));
        assert_eq!(quoted(br#""a\"#), Err(Reject::Unfinished));
        assert_eq!(quoted(br#""a"b"#), Err(Reject::Quotes));
        assert_eq!(quoted(b"a"), Err(Reject::OtherForm));
    }

    #[test]
    fn a_status_below_100_is_absent() {
        // T15
        for absent in ["-", "0", "000", "-1", "099"] {
            assert_eq!(status(absent.as_bytes()), Ok(None), "{absent}");
        }
        assert_eq!(status(b"200"), Ok(Some(200)));
        assert_eq!(status(b"999"), Ok(Some(999)));
        for wrong in ["", "2x0", "0200", "1000", "OK", "-2"] {
            assert_eq!(status(wrong.as_bytes()), Err(Reject::Status), "{wrong}");
        }
    }

    #[test]
    fn spans_are_exact_to_the_microsecond() {
        assert_eq!(seconds(b"0.042"), Some(Micros::from_millis(42)));
        assert_eq!(seconds(b"30"), Some(Micros::from_secs(30)));
        assert_eq!(seconds(b"1.000001"), Some(Micros::new(1_000_001)));
        for wrong in ["", "-", "-1", ".5", "1,5", "99999999999999999999"] {
            assert_eq!(seconds(wrong.as_bytes()), None, "{wrong}");
        }
        assert_eq!(milliseconds(b"42"), Some(Micros::from_millis(42)));
    }

    #[test]
    fn parts_are_counted() {
        assert_eq!(exactly(b"a, b, c", b", "), Some([&b"a"[..], b"b", b"c"]));
        assert_eq!(exactly::<2>(b"a, b, c", b", "), None);
        assert_eq!(exactly::<4>(b"a, b, c", b", "), None);
    }
}
