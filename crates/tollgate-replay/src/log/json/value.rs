//! What values mean: texts, addresses, statuses, instants.

use std::borrow::Cow;
use std::net::IpAddr;

use tollgate::Micros;

use super::JsonState;
use super::scan::{Kind, Value};
use crate::log::text::address::address_and_port;
use crate::log::text::escape::present;
use crate::log::text::request_line;
use crate::log::text::scan::status as status_of;
use crate::log::time::number::{Decimal, Unit, instant as instant_of};
use crate::log::time::text::Moment;
use crate::log::{Record, Reject};

/// The text, unless it is absent (null, empty or `-`), hidden by the server, or not UTF-8.
pub(crate) fn text<'l>(value: Value<'_, 'l>) -> Option<Cow<'l, str>> {
    present(value.text()?.bytes()).filter(|text| text != "REDACTED")
}

/// The same; of a list the texts, joined as lines of a header are.
pub(crate) fn joined<'l>(value: Value<'_, 'l>) -> Option<Cow<'l, str>> {
    if value.kind() != Kind::List {
        return text(value);
    }
    let mut texts = value.members().filter_map(|(_, value)| text(value));
    let first = texts.next()?;
    let Some(second) = texts.next() else {
        return Some(first);
    };
    let mut joined = first.into_owned();
    for text in std::iter::once(second).chain(texts) {
        joined.push_str(", ");
        joined.push_str(&text);
    }
    Some(Cow::Owned(joined))
}

/// A number, also one that is written as text.
pub(crate) fn number(value: Value<'_, '_>) -> Option<Decimal> {
    Decimal::read(&value.text()?.bytes())
}

/// A duration in a unit.
pub(crate) fn span(value: Value<'_, '_>, unit: Unit) -> Option<Micros> {
    unit.span(number(value)?)
}

/// A status; `None` if nothing was answered.
pub(crate) fn status(value: Value<'_, '_>) -> Result<Option<u16>, Reject> {
    let Some(text) = value.text() else {
        return Ok(None);
    };
    let bytes = text.bytes();
    match Decimal::read(&bytes).and_then(|number| number.in_units(0)) {
        _ if bytes.is_empty() => Ok(None),
        Some(number @ 100..=999) => Ok(u16::try_from(number).ok()),
        Some(..100) => Ok(None),
        _ => status_of(&bytes),
    }
}

/// An address, with or without a port.
pub(crate) fn address(value: Value<'_, '_>) -> Option<IpAddr> {
    address_and_port(&value.text()?.bytes())
}

/// Fills in what a target says: path, query, and a host if it is absolute.
pub(crate) fn fill_target<'l>(record: &mut Record<'l>, value: Value<'_, 'l>) {
    if let Some(text) = value.text() {
        let bytes = text.bytes();
        let all = 0..bytes.len();
        request_line::fill_target(record, &bytes, all);
    }
}

/// An instant: a number since the epoch, in a unit or in the one that its size tells, or a date.
pub(crate) fn instant(
    value: Value<'_, '_>,
    unit: Option<Unit>,
    state: &mut JsonState,
) -> Result<Moment, Reject> {
    let bytes = value.text().ok_or(Reject::Time)?.bytes();
    match Decimal::read(&bytes) {
        Some(number) => {
            let (at, resolution) = instant_of(number, unit).ok_or(Reject::Time)?;
            Ok(Moment { at, resolution })
        }
        None => date(&bytes, state),
    }
}

/// A date as ISO 8601 has it, or the common log format; or with slashes, `2026/11/05 06:25:02`.
fn date(text: &[u8], state: &mut JsonState) -> Result<Moment, Reject> {
    match text {
        [_, _, b'/', ..] | [_, b'/', ..] => state.dates.common(text),
        [_, _, _, _, b'/', ..] => {
            let dashes: Vec<u8> = text
                .iter()
                .map(|byte| if *byte == b'/' { b'-' } else { *byte })
                .collect();
            state.dates.iso(&dashes)
        }
        _ => state.dates.iso(text),
    }
}
