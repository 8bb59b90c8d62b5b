//! Lines, by the map.

use tollgate::{Micros, Timestamp};

use super::{Field, FieldMap, Target};
use crate::log::json::scan::{Kind, Value};
use crate::log::json::value::{self, address, fill_target, instant, joined, number, span, status};
use crate::log::json::{JsonState, headers};
use crate::log::text::request_line;
use crate::log::time::number::{Unit, go_duration};
use crate::log::{Line, Peer, Record, Reject, TimeBasis};

/// Reads a line.
///
/// # Errors
///
/// [`Reject::Field`] if it has no time, or an object where a text belongs; [`Reject::Time`] if the time
/// cannot be read. What else is missing is absent.
pub(crate) fn read<'l>(
    map: &FieldMap,
    line: Value<'_, 'l>,
    state: &mut JsonState,
) -> Result<Line<'l>, Reject> {
    // The time is known at the end only.
    let mut record = Record::at(Timestamp::EPOCH, TimeBasis::Start, Micros::SECOND);
    let (mut start, mut end, mut client, mut host) = (None, None, None, None);
    for (place, field) in map.fields.iter().enumerate() {
        let found = field.path.follow(line);
        let Some(value) = found.filter(|value| value.kind() != Kind::Null) else {
            continue;
        };
        map.noticed.found(place);
        if value.kind() == Kind::Object {
            return Err(Reject::Field);
        }
        match &field.target {
            Target::Time => end = Some(instant(value, field.unit, state)?),
            Target::Start => start = Some(instant(value, field.unit, state)?),
            Target::Duration => record.duration = duration(field, value),
            Target::Client => client = Some(value),
            Target::Peer => record.peer = peer(value),
            Target::Method => record.method = value::text(value),
            Target::Host => host = value::text(value),
            Target::User => record.user = joined(value),
            Target::Route => record.route = value::text(value),
            Target::Status => record.status = status(value)?,
            Target::Path => fill_target(&mut record, value),
            Target::Query => record.query = value::text(value),
            Target::Request => {
                if let Some(text) = value.text() {
                    request_line::fill(&mut record, &text.bytes());
                }
            }
            Target::Header(name) => headers::fill(&mut record, name, value),
            Target::Attribute(name) => {
                if let Some(text) = joined(value) {
                    record.others.push((name.clone().into(), text));
                }
            }
        }
    }
    if let Some(host) = host {
        record.host = Some(host);
    }
    if let Some(client) = client {
        fill_client(&mut record, client);
    }
    let moment = start.or(end).ok_or(Reject::Field)?;
    record.at = moment.at;
    record.resolution = state.resolution(moment);
    if start.is_none() {
        record.basis = TimeBasis::End;
        if let Some(took) = record.duration {
            record.at = moment.at.saturating_sub(took);
            record.basis = TimeBasis::EndLessDuration;
        }
    }
    map.noticed.request(&record);
    Ok(Line::Request(record))
}

fn duration(field: &Field, value: Value<'_, '_>) -> Option<Micros> {
    match number(value) {
        Some(_) => span(value, field.unit.unwrap_or(Unit::Seconds)),
        None => go_duration(&value::text(value)?),
    }
}

/// The client is the peer, unless there is another; a list is what was forwarded.
fn fill_client<'l>(record: &mut Record<'l>, value: Value<'_, 'l>) {
    match address(value) {
        Some(address) if record.peer == Peer::Unknown => record.peer = Peer::Address(address),
        Some(address) => record.client = Some(address),
        None => {
            let Some(text) = joined(value) else {
                return;
            };
            if text.contains(',') {
                record.forwarded_for.get_or_insert(text);
            } else if record.peer == Peer::Unknown {
                record.peer = peer(value);
            }
        }
    }
}

fn peer<'l>(value: Value<'_, 'l>) -> Peer<'l> {
    if let Some(address) = address(value) {
        return Peer::Address(address);
    }
    match value::text(value) {
        Some(text) if text.starts_with("unix:") || text.starts_with(['/', '@']) => Peer::Unix,
        Some(name) if is_host_name(&name) => Peer::Name(name),
        _ => Peer::Unknown,
    }
}

fn is_host_name(text: &str) -> bool {
    let made_of = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    text.len() <= 255
        && text.bytes().all(made_of)
        && text.bytes().any(|byte| byte.is_ascii_alphabetic())
}
