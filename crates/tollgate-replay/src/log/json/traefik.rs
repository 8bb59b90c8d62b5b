//! Traefik's JSON.
//!
//! * `StartUTC` is the begin of the request. Where it was left out, the begin is `time`, when the line
//!   was written, less `Duration`, which is nanoseconds.
//! * `ClientAddr` is the peer. `ClientHost` is not to be trusted: it is the whole of `X-Forwarded-For`
//!   if there was one. Without `ClientAddr` it is a list whose last address is the peer.

use super::scan::Value;
use super::value::{address, fill_target, instant, joined, span, status, text};
use super::{JsonState, headers};
use crate::log::text::address::address as whole_address;
use crate::log::time::number::Unit;
use crate::log::{Line, Peer, Record, Reject, Skipped, TimeBasis};

pub(super) fn is(value: Value<'_, '_>) -> bool {
    let has = |name| value.get(name).is_some();
    (has("ClientHost") || has("ClientAddr"))
        && (has("RequestMethod") || has("DownstreamStatus") || has("RequestPath"))
        || is_message(value)
}

/// True if it is a message of Traefik itself.
fn is_message(value: Value<'_, '_>) -> bool {
    [
        "entryPointName",
        "providerName",
        "routerName",
        "middlewareName",
    ]
    .into_iter()
    .any(|name| value.get(name).is_some())
        && value.get("level").is_some()
        && value.get("time").is_some()
        && value.get("ClientHost").is_none()
        && value.get("ClientAddr").is_none()
}

pub(super) fn read<'l>(value: Value<'_, 'l>, state: &mut JsonState) -> Result<Line<'l>, Reject> {
    if is_message(value) {
        return Ok(Line::Skipped(Skipped::OtherMessage));
    }
    let (mut start, mut written, mut took) = (None, None, None);
    let (mut client_address, mut client_host) = (None, None);
    let (mut code, mut origin_code) = (None, None);
    let (mut target, mut host, mut host_and_port) = (None, None, None);
    // The time is known at the end only.
    let mut record = Record::at(
        tollgate::Timestamp::EPOCH,
        TimeBasis::Start,
        tollgate::Micros::SECOND,
    );
    for (name, member) in value.members() {
        match name.raw {
            b"StartUTC" => start = Some(member),
            b"StartLocal" => start = start.or(Some(member)),
            b"time" => written = Some(member),
            b"Duration" => took = span(member, Unit::Nanoseconds),
            b"ClientAddr" => client_address = Some(member),
            b"ClientHost" => client_host = Some(member),
            b"ClientUsername" => record.user = text(member),
            b"DownstreamStatus" => code = Some(member),
            b"OriginStatus" => origin_code = Some(member),
            b"RequestMethod" => record.method = text(member),
            b"RequestPath" => target = Some(member),
            b"RequestHost" => host = text(member),
            b"RequestAddr" => host_and_port = text(member),
            b"RouterName" => record.route = text(member),
            raw => {
                let header = raw.strip_prefix(b"request_").map(std::str::from_utf8);
                if let Some(Ok(name)) = header {
                    headers::fill(&mut record, name, member);
                }
            }
        }
    }
    record.duration = took;
    if let Some(start) = start {
        let moment = instant(start, None, state)?;
        record.at = moment.at;
        record.resolution = state.resolution(moment);
    } else {
        let moment = instant(written.ok_or(Reject::Time)?, None, state)?;
        record.at = moment.at.saturating_sub(took.unwrap_or_default());
        record.resolution = state.resolution(moment);
        record.basis = took.map_or(TimeBasis::End, |_| TimeBasis::EndLessDuration);
    }
    record.status = code.or(origin_code).map_or(Ok(None), status)?;
    if let Some(target) = target {
        fill_target(&mut record, target);
    }
    if let Some(host) = host.or(host_and_port) {
        record.host = Some(host);
    }
    let peer = client_address.and_then(address);
    record.peer = peer.map_or(Peer::Unknown, Peer::Address);
    if record.forwarded_for.is_none()
        && let Some(list) = client_host.and_then(joined)
        && (peer.is_none() || peer != whole_address(list.as_bytes()))
    {
        record.forwarded_for = Some(list);
    }
    Ok(Line::Request(record))
}

#[cfg(test)]
mod tests;
