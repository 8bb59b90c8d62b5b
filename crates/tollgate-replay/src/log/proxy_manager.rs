//! nginx-proxy-manager, which writes two formats of its own.
//!
//! ```text
//! [05/Nov/2026:06:25:02 +0000] cache upstream status - method scheme host "target" [Client address]
//! [Length n] [Gzip x] [Sent-to server] "agent" "referer"
//! ```
//!
//! That is of its proxies; its own hosts lack `cache upstream` and `[Sent-to …]`. The time is the end.

use std::borrow::Cow;

use memchr::memmem;

use super::text::TextState;
use super::text::address::peer;
use super::text::escape::{backslashes, present};
use super::text::message::is_message;
use super::text::request_line;
use super::text::scan::{quoted, split_at_last, status};
use super::{Line, Record, Reject, Skipped, TimeBasis};

/// Reads a line of nginx-proxy-manager.
pub(crate) fn read<'l>(line: &'l [u8], state: &mut TextState) -> Result<Line<'l>, Reject> {
    if is_message(line) {
        return Ok(Line::Skipped(Skipped::OtherMessage));
    }
    let inside = line.strip_prefix(b"[").ok_or(Reject::OtherForm)?;
    let (time, rest) = brackets(inside)?;
    let before_target = memchr::memchr(b'"', rest).ok_or(Reject::OtherForm)?;
    let (words, target) = rest.split_at(before_target);
    let words = Words::split(words).ok_or(Reject::OtherForm)?;
    let target = quoted(target)?;
    let client = target
        .rest
        .strip_prefix(b"[Client ")
        .ok_or(Reject::TooFewFields)?;
    let moment = state.dates.common(time)?;
    let (client, rest) = brackets(client)?;

    let mut record = Record::at(moment.at, TimeBasis::End, moment.resolution);
    record.status = status(words.status)?;
    record.peer = peer(client).ok_or(Reject::Client)?;
    record.method = present(Cow::Borrowed(words.method));
    record.host = present(Cow::Borrowed(words.host));
    let path = backslashes(target.inner);
    let length = path.len();
    request_line::fill_target(&mut record, &path, 0..length);
    fill_texts(&mut record, rest)?;
    Ok(Line::Request(record))
}

/// What stands before the bracket that closes, and after it and a blank.
fn brackets(text: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
    let close = memmem::find(text, b"] ").ok_or(Reject::Unfinished)?;
    Ok((&text[..close], &text[close + 2..]))
}

struct Words<'l> {
    status: &'l [u8],
    method: &'l [u8],
    host: &'l [u8],
}

impl<'l> Words<'l> {
    /// Splits `… status - method scheme host `. From the right: there may be several servers behind.
    fn split(text: &'l [u8]) -> Option<Self> {
        let (rest, host) = split_at_last(text.strip_suffix(b" ")?, b' ')?;
        let (rest, scheme) = split_at_last(rest, b' ')?;
        let (rest, method) = split_at_last(rest, b' ')?;
        let rest = rest.strip_suffix(b" -")?;
        let status = split_at_last(rest, b' ').map_or(rest, |(_, status)| status);
        matches!(scheme, b"http" | b"https").then_some(Self {
            status,
            method,
            host,
        })
    }
}

fn fill_texts<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    let open = memchr::memchr(b'"', text).ok_or(Reject::TooFewFields)?;
    let agent = quoted(&text[open..])?;
    if agent.rest.is_empty() {
        return Err(Reject::TooFewFields);
    }
    let referer = quoted(agent.rest)?;
    record.user_agent = present(backslashes(agent.inner));
    record.referer = present(backslashes(referer.inner));
    Ok(())
}

#[cfg(test)]
mod tests;
