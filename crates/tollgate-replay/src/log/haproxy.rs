//! HAProxy's `option httplog`, without what syslog puts before it.
//!
//! ```text
//! client:port [05/Nov/2026:06:25:02.310] frontend backend/server TR/Tw/Tc/Tr/Ta status bytes cookie cookie
//! flags connections queues {request headers} {response headers} "request"
//! ```
//!
//! The time is the begin, in local time without an offset. The route is the backend. Lines that tell
//! of connections, of servers and of the program itself are no requests. HAProxy cuts long lines: one
//! whose request is not closed is rejected.

use std::borrow::Cow;

use super::text::TextState;
use super::text::address::address_and_port;
use super::text::escape::{marked, present};
use super::text::request_line;
use super::text::scan::{is_number, milliseconds, split_at, split_at_last, status, word};
use super::{Line, Peer, Record, Reject, Skipped, TimeBasis};

/// Reads a line of HAProxy's.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    let (client, after) = word(line);
    let Some(inside) = after.strip_prefix(b"[") else {
        return other_message(line);
    };
    let peer = client_and_port(client).ok_or(Reject::OtherForm)?;
    let (time, rest) = split_at(inside, b']');
    let Some(rest) = rest.strip_prefix(b" ") else {
        return Err(if rest.is_empty() {
            Reject::Unfinished
        } else {
            Reject::OtherForm
        });
    };
    let (_frontend, rest) = word(rest);
    let (backend, rest) = word(rest);
    let (timers, rest) = word(rest);
    let moment = state.dates.common(time)?;
    let Some(took) = total(timers) else {
        // `frontend/listener: SSL handshake failure`, or a connection, which has other timers.
        return Ok(Line::Skipped(Skipped::OtherMessage));
    };
    let (status_text, rest) = word(rest);
    let status = status(status_text)?;
    let request = request(rest)?;

    let mut record = Record::at(moment.at, TimeBasis::Start, moment.resolution);
    record.peer = peer;
    record.status = status;
    record.duration = milliseconds(took);
    record.route = present(Cow::Borrowed(split_at(backend, b'/').0));
    // What could not be read is `<BADREQ>`, which is no method either.
    request_line::fill(&mut record, &marked(request, b'#'));
    Ok(Line::Request(record))
}

/// `192.0.2.1:41342`, or `unix:1` for the socket of listener 1.
fn client_and_port(text: &[u8]) -> Option<Peer<'_>> {
    if text.starts_with(b"unix:") {
        return Some(Peer::Unix);
    }
    let (_, port) = split_at_last(text, b':')?;
    let address = is_number(port).then(|| address_and_port(text))?;
    address.map(Peer::Address)
}

/// The last of the five timers of a request; a `+` before it says that the line was written early.
fn total(timers: &[u8]) -> Option<&[u8]> {
    let known = |timer: &[u8]| timer == b"-1" || is_number(timer);
    let [a, b, c, d, total] = super::text::scan::exactly(timers, b"/")?;
    let total = total.strip_prefix(b"+").unwrap_or(total);
    [a, b, c, d, total].into_iter().all(known).then_some(total)
}

/// The request in quotes at the end. Quotes inside it, and inside the headers before it, are escaped.
fn request(text: &[u8]) -> Result<&[u8], Reject> {
    let open = memchr::memchr(b'"', text).ok_or(Reject::TooFewFields)?;
    text[open + 1..]
        .strip_suffix(b"\"")
        .ok_or(Reject::Unfinished)
}

/// Lines about the program and its servers; anything else is of another form.
fn other_message<'l>(line: &[u8]) -> Result<Line<'l>, Reject> {
    const BEGINS: [&[u8]; 13] = [
        b"Proxy ",
        b"Server ",
        b"Backup Server ",
        b"Health check for ",
        b"backend ",
        b"Connect from ",
        b"Stopping ",
        b"Pausing ",
        b"Enabling ",
        b"[NOTICE]",
        b"[WARNING]",
        b"[ALERT]",
        b"<NOTICE>",
    ];
    if BEGINS.iter().any(|begin| line.starts_with(begin)) {
        Ok(Line::Skipped(Skipped::OtherMessage))
    } else {
        Err(Reject::OtherForm)
    }
}

#[cfg(test)]
mod tests;
