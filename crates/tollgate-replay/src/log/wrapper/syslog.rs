//! The prefix of syslog.

use super::cri::after_time;
use crate::log::text::address::address;
use crate::log::text::scan::word;

/// The message of a line, if it is one of syslog:
///
/// * RFC 3164: `<190>Nov  5 06:25:02 host nginx[123]: message`, in files mostly without the number,
///   sometimes with a time of RFC 3339, and with or without the host;
/// * RFC 5424: `<190>1 2026-11-05T06:25:02.003Z host nginx 123 - [id name="value"] message`.
pub(super) fn read(line: &[u8]) -> Option<&[u8]> {
    let message = match after_priority(line) {
        Some(rest) => match rest.strip_prefix(b"1 ") {
            Some(rest) => newer(rest)?,
            None => older(rest)?,
        },
        None => older(line)?,
    };
    let message = message.trim_ascii_start();
    // The mark of UTF-8 (RFC 5424, section 6.4).
    let message = message.strip_prefix(b"\xef\xbb\xbf").unwrap_or(message);
    // What marks a message that is JSON.
    let json = message.strip_prefix(b"@cee:").map(<[u8]>::trim_ascii_start);
    Some(json.unwrap_or(message))
}

/// What follows `<190>`.
fn after_priority(line: &[u8]) -> Option<&[u8]> {
    let inside = line.strip_prefix(b"<")?;
    let digits = inside
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let rest = inside.get(digits..)?.strip_prefix(b">")?;
    (1..=3).contains(&digits).then_some(rest)
}

fn older(line: &[u8]) -> Option<&[u8]> {
    let date = after_date(line);
    let rest = date.or_else(|| after_time(line))?;
    let mut after = rest;
    // The host, perhaps, and what relays add to it.
    for _ in 0..4 {
        let (word, following) = word(after);
        if let Some(message) = after_tag(word, following) {
            return Some(message);
        }
        after = following;
    }
    // Nothing else begins with such a date. What follows it without a program's name is the host, or
    // already the message.
    let (first, after_first) = word(rest);
    let is_message = address(first).is_some();
    let message = if is_message { rest } else { after_first };
    date.map(|_| message)
}

/// The message, if the word before it is the name of a program: `nginx:`, `haproxy[123]:`.
fn after_tag<'l>(word: &[u8], after: &'l [u8]) -> Option<&'l [u8]> {
    let tag = word.strip_suffix(b":")?;
    let first = tag.first()?;
    let in_names = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./[]()@".contains(byte);
    (first.is_ascii_alphabetic() && tag.iter().all(in_names)).then_some(after)
}

/// What follows `Nov  5 06:25:02 `, perhaps with a year.
fn after_date(line: &[u8]) -> Option<&[u8]> {
    let [a, b, c, b' ', d1, d2, b' ', rest @ ..] = line else {
        return None;
    };
    let is_month = [a, b, c].into_iter().all(u8::is_ascii_alphabetic);
    let is_day = matches!(d1, b' ' | b'0'..=b'3') && d2.is_ascii_digit();
    let rest = match rest {
        [y1, y2, y3, y4, b' ', after @ ..]
            if [y1, y2, y3, y4].into_iter().all(u8::is_ascii_digit) =>
        {
            after
        }
        rest => rest,
    };
    let [h1, h2, b':', m1, m2, b':', s1, s2, b' ', rest @ ..] = rest else {
        return None;
    };
    let is_time = [h1, h2, m1, m2, s1, s2].into_iter().all(u8::is_ascii_digit);
    (is_month && is_day && is_time).then_some(rest)
}

/// What follows the header of RFC 5424, section 6, behind its version.
fn newer(line: &[u8]) -> Option<&[u8]> {
    let mut rest = line;
    // Time, host, program, process, message.
    for _ in 0..5 {
        let (field, after) = word(rest);
        if field.is_empty() {
            return None;
        }
        rest = after;
    }
    if let Some(after) = rest.strip_prefix(b"-") {
        return Some(after);
    }
    while rest.first() == Some(&b'[') {
        rest = after_element(rest)?;
    }
    Some(rest)
}

/// What follows an element of structured data: a `]` within quotes does not close it.
fn after_element(text: &[u8]) -> Option<&[u8]> {
    let mut in_quotes = false;
    let mut escaped = false;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_quotes => escaped = true,
            b'"' => in_quotes = !in_quotes,
            b']' if !in_quotes => return text.get(at + 1..),
            _ => {}
        }
    }
    None
}
