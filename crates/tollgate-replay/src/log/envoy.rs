//! Envoy's default format of text, and Istio's.
//!
//! ```text
//! [start] "method path protocol" status flags received sent took upstream "list" "agent" "id" "host" "upstream"
//! ```
//!
//! Istio has `details termination "failure"` after the flags (older ones only `"failure"`), and adds
//! `cluster local local peer name route` at the end: only it tells the peer and the route.
//!
//! * The time is the begin, in UTC.
//! * Envoy escapes nothing. The texts at the end are split where a quote, a blank and a quote follow
//!   each other; a line in which a client wrote these is rejected.

use std::borrow::Cow;

use memchr::memmem;

use super::text::TextState;
use super::text::address::address_and_port;
use super::text::escape::present;
use super::text::message::is_message;
use super::text::request_line;
use super::text::scan::{Answered, exactly, is_number, milliseconds, quoted, status, word};
use super::{Line, Peer, Record, Reject, Skipped, TimeBasis};

/// Reads a line of Envoy's text.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    let Some((time, rest)) = time(line) else {
        return if is_message(line) {
            Ok(Line::Skipped(Skipped::OtherMessage))
        } else {
            Err(Reject::OtherForm)
        };
    };
    let moment = state.dates.iso(time)?;
    let Answered {
        request,
        status,
        rest,
    } = answered(rest)?;
    if request == b"- - -" && status.is_none() {
        // A connection that carried no HTTP.
        return Ok(Line::Skipped(Skipped::OtherMessage));
    }
    let mut record = Record::at(moment.at, TimeBasis::Start, moment.resolution);
    record.status = status;
    request_line::fill(&mut record, &Cow::Borrowed(request));
    let (_flags, rest) = word(rest);
    let numbers_begin = after_details(rest)?;
    let in_mesh = numbers_begin.len() < rest.len();
    let (took, rest) = numbers(numbers_begin)?;
    record.duration = milliseconds(took);
    let more = fill_texts(&mut record, rest)?;
    if in_mesh {
        fill_mesh(&mut record, more)?;
    }
    Ok(Line::Request(record))
}

/// The time in brackets at the begin, if it could be of ISO 8601, and what follows the quote that
/// opens the request.
fn time(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = line.strip_prefix(b"[")?;
    let close = memmem::find(inside.get(..48).unwrap_or(inside), b"] \"")?;
    let dashed = inside.get(4) == Some(&b'-') && inside.get(7) == Some(&b'-');
    dashed.then(|| (&inside[..close], &inside[close + 3..]))
}

/// The request ends at the first quote that a status follows.
fn answered(text: &[u8]) -> Result<Answered<'_>, Reject> {
    let mut reject = Reject::Unfinished;
    for close in memmem::find_iter(text, b"\" ") {
        let (digits, rest) = word(&text[close + 2..]);
        match status(digits) {
            Ok(status) => {
                return Ok(Answered {
                    request: &text[..close],
                    status,
                    rest,
                });
            }
            Err(error) => reject = error,
        }
    }
    Err(reject)
}

/// Passes over what Istio writes between the flags and the numbers.
fn after_details(text: &[u8]) -> Result<&[u8], Reject> {
    if is_number(word(text).0) {
        return Ok(text);
    }
    let mut rest = text;
    for _ in 0..3 {
        if rest.starts_with(b"\"") {
            return Ok(quoted(rest)?.rest);
        }
        rest = word(rest).1;
    }
    Err(Reject::TooFewFields)
}

/// Passes over the numbers before the texts, of which the third is the time that the request took.
fn numbers(text: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
    let (received, rest) = word(text);
    let (sent, rest) = word(rest);
    let (took, rest) = word(rest);
    let (upstream, rest) = word(rest);
    if upstream.is_empty() {
        return Err(Reject::TooFewFields);
    }
    let known = |text: &[u8]| text == b"-" || is_number(text);
    if ![received, sent, took, upstream].into_iter().all(known) {
        return Err(Reject::OtherForm);
    }
    Ok((took, rest))
}

/// Fills in the texts at the end, and gives what follows them.
fn fill_texts<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<&'l [u8], Reject> {
    let inner = text.strip_prefix(b"\"").ok_or(Reject::TooFewFields)?;
    let last = memchr::memrchr(b'"', inner).ok_or(Reject::Unfinished)?;
    let [list, agent, _id, host, _upstream] = texts(&inner[..last])?;
    record.forwarded_for = present(Cow::Borrowed(list));
    record.user_agent = present(Cow::Borrowed(agent));
    record.host = present(Cow::Borrowed(host));
    match &inner[last + 1..] {
        b"" => Ok(b""),
        [b' ', more @ ..] => Ok(more),
        _ => Err(Reject::Unfinished),
    }
}

fn texts(inner: &[u8]) -> Result<[&[u8]; 5], Reject> {
    const BETWEEN: &[u8] = b"\" \"";
    exactly(inner, BETWEEN).ok_or_else(|| match memmem::find_iter(inner, BETWEEN).count() {
        0..4 => Reject::TooFewFields,
        _ => Reject::Quotes,
    })
}

/// Fills in `cluster local local peer name route`; the first Istios wrote no route.
fn fill_mesh<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    let (peer, route) = if let Some([_, _, _, peer, _, route]) = exactly(text, b" ") {
        (peer, route)
    } else if let Some([_, _, _, peer, _]) = exactly(text, b" ") {
        (peer, &b"-"[..])
    } else {
        return Err(Reject::TooFewFields);
    };
    record.route = present(Cow::Borrowed(route));
    if peer != b"-" {
        record.peer = Peer::Address(address_and_port(peer).ok_or(Reject::Client)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
