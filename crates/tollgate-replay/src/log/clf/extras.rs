//! What people and servers add at the end of a line.

use tollgate::{Micros, Timestamp};

use crate::log::text::address::address_and_port;
use crate::log::text::escape::{backslashes, present};
use crate::log::text::scan::{is_number, quoted, seconds, split_at, word};
use crate::log::{Record, Reject, TimeBasis};

/// Fills in what is known of the rest of a line, and passes over what is not:
///
/// * the first text in quotes that is a list with an address in it: `$http_x_forwarded_for`. None of
///   those that follow a `"-"` is taken for it, since that may have been the list;
/// * `$msec`: a number with three decimals that is about the time of the line, which it tells to the
///   millisecond;
/// * `$request_time`: the first other number with three decimals, or `rt=`, or `request_time=`.
pub(crate) fn fill<'l>(record: &mut Record<'l>, text: &'l [u8]) -> Result<(), Reject> {
    let (mut took, mut list) = (None, None);
    let mut rest = text;
    while !rest.is_empty() {
        if rest.starts_with(b"\"") {
            let text = quoted(rest)?;
            rest = text.rest;
            if list.is_none() && (text.inner == b"-" || is_forwarded_list(text.inner)) {
                list = Some(text.inner);
            }
            continue;
        }
        let (plain, after) = word(rest);
        let (name, value) = split_at(plain, b'=');
        if value.starts_with(b"\"") {
            let text = quoted(&rest[name.len() + 1..])?;
            rest = text.rest;
            took = took.or_else(|| named_span(name, text.inner));
            continue;
        }
        if plain.contains(&b'"') {
            return Err(Reject::Quotes);
        }
        rest = after;
        match request_time(plain) {
            Some(number) if is_about(record.at, number) => {
                record.at = Timestamp::from_micros(number.as_micros());
                record.resolution = Micros::MILLISECOND;
            }
            number => took = took.or(number).or_else(|| named_span(name, value)),
        }
    }
    if let Some(list) = list.and_then(|list| present(backslashes(list))) {
        record.forwarded_for = Some(list);
    }
    if let Some(took) = took {
        record.at = record.at.saturating_sub(took);
        record.basis = TimeBasis::EndLessDuration;
        record.duration = Some(took);
    }
    Ok(())
}

/// Whether it is nothing but numbers and names with numbers: nothing that a client wrote.
pub(crate) fn are_numbers(text: &[u8]) -> bool {
    text.split(|byte| *byte == b' ').all(|word| {
        let (name, value) = split_at(word, b'=');
        matches!(word, b"-")
            || seconds(word).is_some()
            || !name.is_empty() && seconds(value).is_some()
    })
}

/// Whether one of the elements is an address. Mostly it is the last, as a proxy that adds to the list
/// leaves it; but what a client has sent may be passed on as it came, and then who it was is as unknown
/// as it is to a service that gets such a list.
pub(crate) fn is_forwarded_list(text: &[u8]) -> bool {
    text.rsplit(|byte| *byte == b',').any(|element| {
        let may_begin = |byte: &u8| byte.is_ascii_hexdigit() || matches!(byte, b' ' | b'[' | b':');
        element.first().is_some_and(may_begin) && address_and_port(element.trim_ascii()).is_some()
    })
}

/// nginx writes three decimals always, which tells the time from lengths.
fn request_time(text: &[u8]) -> Option<Micros> {
    let (whole, decimals) = split_at(text, b'.');
    (is_number(whole) && decimals.len() == 3).then(|| seconds(text))?
}

/// Whether a number, as seconds since the epoch, is about an instant: a day, for clocks that are set
/// in between.
fn is_about(at: Timestamp, number: Micros) -> bool {
    at.as_micros().abs_diff(number.as_micros()) < Micros::DAY.as_micros()
}

fn named_span(name: &[u8], value: &[u8]) -> Option<Micros> {
    matches!(name, b"rt" | b"request_time").then(|| seconds(value))?
}
