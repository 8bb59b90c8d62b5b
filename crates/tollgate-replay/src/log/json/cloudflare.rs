//! Cloudflare's Logpush of requests.
//!
//! * The time is `EdgeStartTimestamp`, or else `EdgeEndTimestamp`; each is nanoseconds, seconds or a
//!   date, as the job was set, which is found out value by value.
//! * A delivery that failed is repeated: a request whose `RayID` and time were seen lately is skipped.

use tollgate::Micros;

use super::scan::Value;
use super::value::{address, fill_target, instant, status, text};
use super::{JsonState, headers};
use crate::log::{Line, Peer, Record, Reject, Skipped, TimeBasis};

pub(super) fn is(value: Value<'_, '_>) -> bool {
    let has = |name| value.get(name).is_some();
    (has("EdgeStartTimestamp") || has("EdgeEndTimestamp"))
        && (has("ClientIP") || has("RayID") || has("EdgeResponseStatus"))
}

pub(super) fn read<'l>(value: Value<'_, 'l>, state: &mut JsonState) -> Result<Line<'l>, Reject> {
    let (mut start, mut end, mut ray, mut code) = (None, None, None, None);
    let (mut uri, mut path) = (None, None);
    // The time is known at the end only.
    let mut record = Record::at(tollgate::Timestamp::EPOCH, TimeBasis::Start, Micros::SECOND);
    for (name, member) in value.members() {
        match name.raw {
            b"EdgeStartTimestamp" => start = member.text().map(|_| member),
            b"EdgeEndTimestamp" => end = member.text().map(|_| member),
            b"RayID" => ray = text(member),
            b"EdgeResponseStatus" => code = Some(member),
            b"ClientIP" => record.peer = address(member).map_or(Peer::Unknown, Peer::Address),
            b"ClientRequestMethod" => record.method = text(member),
            b"ClientRequestURI" => uri = Some(member),
            b"ClientRequestPath" => path = Some(member),
            b"ClientRequestHost" => record.host = text(member),
            b"ClientRequestUserAgent" => record.user_agent = text(member),
            b"ClientRequestReferer" => record.referer = text(member),
            b"RequestHeaders" => {
                for (name, value) in member.members() {
                    if let Some(name) = name.to_str() {
                        headers::fill(&mut record, &name, value);
                    }
                }
            }
            _ => {}
        }
    }
    if let Some(ray) = ray {
        let time = start.or(end).and_then(Value::text);
        let time = time.map(|time| time.bytes()).unwrap_or_default();
        let identifier = [ray.as_bytes(), b" ", &time].concat();
        if state.recent.is_repeated(&identifier, state.origin) {
            return Ok(Line::Skipped(Skipped::Repeated));
        }
    }
    let end = end.map(|end| instant(end, None, state)).transpose()?;
    let start = start.map(|start| instant(start, None, state)).transpose()?;
    let moment = start.or(end).ok_or(Reject::Time)?;
    record.at = moment.at;
    record.resolution = state.resolution(moment);
    if start.is_none() {
        record.basis = TimeBasis::End;
    }
    if let (Some(start), Some(end)) = (start, end)
        && end.at >= start.at
    {
        record.duration = Some(end.at.saturating_since(start.at));
    }
    record.status = code.map_or(Ok(None), status)?;
    if let Some(target) = uri.or(path) {
        let host = record.host.take();
        fill_target(&mut record, target);
        record.host = host.or(record.host);
    }
    Ok(Line::Request(record))
}

#[cfg(test)]
mod tests;
