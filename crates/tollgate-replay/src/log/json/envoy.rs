//! Envoy's JSON, as Envoy Gateway and Istio write it.
//!
//! * `start_time` is the begin of the request; `duration` is milliseconds.
//! * The peer is `downstream_direct_remote_address` where it is logged, and `downstream_remote_address`
//!   is then whom Envoy took for the client. Alone, the latter stands for the peer.
//! * Whatever else is named `x-…` is a header.

use super::scan::Value;
use super::value::{address, fill_target, instant, joined, span, status, text};
use super::{JsonState, headers};
use crate::log::time::number::Unit;
use crate::log::{Line, Peer, Record, Reject, TimeBasis};

pub(super) fn is(value: Value<'_, '_>) -> bool {
    let has = |name| value.get(name).is_some();
    has("start_time") && (has("response_code") || has("response_flags"))
}

pub(super) fn read<'l>(value: Value<'_, 'l>, state: &mut JsonState) -> Result<Line<'l>, Reject> {
    let start = value.get("start_time").ok_or(Reject::Time)?;
    let moment = instant(start, None, state)?;
    let mut record = Record::at(moment.at, TimeBasis::Start, state.resolution(moment));
    let (mut remote, mut direct, mut code) = (None, None, None);
    let (mut target, mut original_target) = (None, None);
    for (name, member) in value.members() {
        match name.raw {
            b"method" | b":method" => record.method = text(member),
            b"path" | b":path" => target = Some(member),
            b"x-envoy-original-path" | b"x-envoy-origin-path" => {
                original_target = text(member).map(|_| member);
            }
            b"response_code" => code = Some(member),
            b"duration" => record.duration = span(member, Unit::Milliseconds),
            b"downstream_remote_address" => remote = Some(member),
            b"downstream_direct_remote_address" => direct = Some(member),
            b"x-forwarded-for" | b"x_forwarded_for" | b"forwarded_for" => {
                record.forwarded_for = joined(member);
            }
            b"user-agent" | b"user_agent" => record.user_agent = text(member),
            b"referer" => record.referer = text(member),
            b":authority" | b"authority" | b"host" => record.host = text(member),
            b"route_name" => record.route = text(member),
            raw if raw.starts_with(b"x-") => {
                if let Ok(name) = std::str::from_utf8(raw) {
                    headers::fill(&mut record, name, member);
                }
            }
            _ => {}
        }
    }
    record.status = code.map_or(Ok(None), status)?;
    if let Some(target) = original_target.or(target) {
        let host = record.host.take();
        fill_target(&mut record, target);
        record.host = host.or(record.host);
    }
    let direct = direct.map(peer).filter(|peer| *peer != Peer::Unknown);
    match direct {
        Some(peer) => {
            record.peer = peer;
            record.client = remote.and_then(address);
        }
        None => record.peer = remote.map_or(Peer::Unknown, peer),
    }
    Ok(Line::Request(record))
}

/// `192.0.2.1:41342`, `[2001:db8::1]:41342`, or the path of a socket.
fn peer<'l>(value: Value<'_, 'l>) -> Peer<'l> {
    match value.text() {
        Some(text) if text.raw.starts_with(b"/") || text.raw.starts_with(b"@") => Peer::Unix,
        _ => address(value).map_or(Peer::Unknown, Peer::Address),
    }
}

#[cfg(test)]
mod tests;
