//! Caddy's JSON.
//!
//! * `ts` is the end of the request, as a number of seconds, milliseconds or nanoseconds, which its
//!   size tells, or as a date. A date without offset is in UTC, as Caddy writes it unless it is told
//!   otherwise, or in the time zone that was given.
//! * `duration` with a fraction is seconds. Without one it is nanoseconds or milliseconds, and what
//!   is too long for milliseconds shows the rest of the file to be nanoseconds. It may be text.
//! * The peer is `remote_ip`, or once `remote_addr`; `client_ip` is whom Caddy took for the client.
//! * Only the loggers that begin with `http.log.access` tell of requests.

use std::borrow::Cow;

use tollgate::Micros;

use super::scan::{Kind, Value};
use super::value::{address, fill_target, instant, number, status, text};
use super::{JsonState, headers};
use crate::log::time::number::{Unit, go_duration};
use crate::log::time::text::Moment;
use crate::log::{Line, Peer, Record, Reject, Skipped, TimeBasis};

/// The fewest units of a whole number that is taken for nanoseconds: 20 seconds would be long for a
/// request, and 20 microseconds are short.
const NANOSECONDS: u64 = 20_000;
/// A duration that long shows that a file's durations are nanoseconds: an hour, in milliseconds.
const SURELY_NANOSECONDS: u64 = 3_600_000;

pub(super) fn is(value: Value<'_, '_>) -> bool {
    let has = |name| value.get(name).is_some();
    let is_request = value
        .get("request")
        .is_some_and(|request| request.kind() == Kind::Object);
    has("ts") && (is_request && has("status") || is_of_a_logger(value))
}

/// True if it is a message of one of Caddy's own loggers.
fn is_of_a_logger(value: Value<'_, '_>) -> bool {
    let logger = value.get("logger").and_then(text);
    logger.is_some_and(|logger| {
        let first = logger.split('.').next();
        matches!(
            first,
            Some("http" | "tls" | "admin" | "pki" | "events" | "layer4")
        )
    })
}

pub(super) fn read<'l>(value: Value<'_, 'l>, state: &mut JsonState) -> Result<Line<'l>, Reject> {
    let (mut ts, mut request, mut took, mut code, mut user) = (None, None, None, None, None);
    let (mut logger, mut message) = (None, None);
    for (name, member) in value.members() {
        match name.raw {
            b"ts" => ts = Some(member),
            b"request" => request = Some(member),
            b"duration" => took = Some(member),
            b"status" => code = Some(member),
            b"user_id" => user = text(member),
            b"logger" => logger = member.text(),
            b"msg" => message = member.text(),
            _ => {}
        }
    }
    let is_access = match (logger, message) {
        (Some(logger), _) => logger.raw.starts_with(b"http.log.access"),
        (None, Some(message)) => message.is("handled request"),
        (None, None) => true,
    };
    if !is_access {
        return Ok(Line::Skipped(Skipped::OtherMessage));
    }
    let end = instant_of(ts.ok_or(Reject::Time)?, state)?;
    let request = request.ok_or(Reject::TooFewFields)?;
    let mut record = Record::at(end.at, TimeBasis::End, state.resolution(end));
    if let Some(took) = took.and_then(|took| duration(took, state)) {
        record.at = end.at.saturating_sub(took);
        record.duration = Some(took);
        record.basis = TimeBasis::EndLessDuration;
    }
    record.status = code.map_or(Ok(None), status)?;
    record.user = user;
    fill(&mut record, request);
    Ok(Line::Request(record))
}

fn fill<'l>(record: &mut Record<'l>, request: Value<'_, 'l>) {
    let (mut uri, mut host) = (None, None);
    for (name, member) in request.members() {
        match name.raw {
            b"remote_ip" | b"remote_addr" => record.peer = peer(member),
            b"client_ip" => record.client = address(member),
            b"method" => record.method = text(member),
            b"host" => host = text(member),
            b"uri" => uri = Some(member),
            b"headers" => {
                for (name, value) in member.members() {
                    if let Some(name) = name.to_str() {
                        headers::fill(record, &name, value);
                    }
                }
            }
            _ => {}
        }
    }
    if let Some(uri) = uri {
        fill_target(record, uri);
    }
    if let Some(host) = host {
        record.host = Some(host);
    }
}

fn peer<'l>(value: Value<'_, 'l>) -> Peer<'l> {
    match value.text() {
        Some(text) if text.is("") || text.raw.starts_with(b"@") => Peer::Unix,
        _ => address(value).map_or(Peer::Unknown, Peer::Address),
    }
}

fn instant_of(ts: Value<'_, '_>, state: &mut JsonState) -> Result<Moment, Reject> {
    match instant(ts, None, state) {
        Err(Reject::NoOffset) => {
            let mut date = ts.text().ok_or(Reject::Time)?.bytes().into_owned();
            for byte in &mut date {
                if *byte == b'/' {
                    *byte = b'-';
                }
            }
            date.push(b'Z');
            state.dates.iso(&date)
        }
        moment => moment,
    }
}

fn duration(value: Value<'_, '_>, state: &mut JsonState) -> Option<Micros> {
    let Some(number) = number(value) else {
        let text: Cow<'_, str> = text(value)?;
        return go_duration(&text);
    };
    let units = number.in_units(0)?;
    let unit = if !number.is_whole() {
        Unit::Seconds
    } else if state.caddy_nanoseconds || units >= NANOSECONDS {
        state.caddy_nanoseconds |= units >= SURELY_NANOSECONDS;
        Unit::Nanoseconds
    } else {
        Unit::Milliseconds
    };
    unit.span(number)
}

#[cfg(test)]
mod tests;
