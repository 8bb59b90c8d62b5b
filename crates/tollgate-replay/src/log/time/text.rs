//! Dates and times written as text.

use tollgate::{Micros, Timestamp};

use super::civil::{CivilMinute, four_digits, fraction, instant, two_digits};
use super::last_minute::LastMinute;
use super::zone::TimeZone;
use crate::log::Reject;

/// An instant, and the unit in which it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) at: Timestamp,
    pub(crate) resolution: Micros,
}

/// Reads dates and times; remembers the last minute.
#[derive(Clone, Debug, Default)]
pub(crate) struct Dates {
    zone: Option<TimeZone>,
    common: LastMinute,
    iso: LastMinute,
}

impl Dates {
    /// Takes times without offset to be in this zone.
    pub(crate) fn with_zone(zone: Option<TimeZone>) -> Self {
        Self {
            zone,
            ..Self::default()
        }
    }

    /// Reads the time of the common log format, `05/Nov/2026:06:25:02 +0100`. A fraction may follow
    /// the seconds, and the offset may be missing.
    pub(crate) fn common(&mut self, text: &[u8]) -> Result<Moment, Reject> {
        read(text, 17, &mut self.common, self.zone.as_ref(), |minute| {
            let (date, time) = minute.split_at_checked(12)?;
            let [day @ .., b'/', a, b, c, b'/', y0, y1, y2, y3, b':'] = date else {
                return None;
            };
            Some(CivilMinute {
                year: four_digits(&[*y0, *y1, *y2, *y3])?,
                month: month_number([*a, *b, *c])?,
                day: two_digits(day)?,
                hour: two_digits(time.get(..2)?)?,
                minute: colon_and_two_digits(time.get(2..)?)?,
            })
        })
    }

    /// Reads a time of ISO 8601 in its long form, `2026-11-05T06:25:02.310Z`. A blank may stand for
    /// the `T`, and the offset may be missing.
    pub(crate) fn iso(&mut self, text: &[u8]) -> Result<Moment, Reject> {
        read(text, 16, &mut self.iso, self.zone.as_ref(), iso_minute)
    }
}

/// Reads a time whose first `length` bytes tell the minute.
fn read(
    text: &[u8],
    length: usize,
    last: &mut LastMinute,
    zone: Option<&TimeZone>,
    civil: impl Fn(&[u8]) -> Option<CivilMinute>,
) -> Result<Moment, Reject> {
    let (minute, rest) = text.split_at_checked(length).ok_or(Reject::Time)?;
    let (second, rest) = rest.split_at_checked(3).ok_or(Reject::Time)?;
    let second = colon_and_two_digits(second)
        .filter(|second| *second <= 60)
        .ok_or(Reject::Time)?;
    let (micros, resolution, offset) = match rest {
        [b'.' | b',', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (digits, offset) = rest.split_at_checked(digits).ok_or(Reject::Time)?;
            let (micros, unit) = fraction(digits).ok_or(Reject::Time)?;
            (micros, unit, offset)
        }
        offset => (0, Micros::SECOND, offset),
    };
    let begin = match last.get(minute, offset) {
        Some(begin) => begin,
        None => {
            let civil = civil(minute).ok_or(Reject::Time)?;
            let begin = begin_of(civil, offset, zone)?;
            last.keep(minute, offset, begin);
            begin
        }
    };
    let at = instant(begin + i64::from(second), micros).ok_or(Reject::Time)?;
    Ok(Moment { at, resolution })
}

fn begin_of(minute: CivilMinute, offset: &[u8], zone: Option<&TimeZone>) -> Result<i64, Reject> {
    let seconds = minute.seconds_in_utc().ok_or(Reject::Time)?;
    match offset.strip_prefix(b" ").unwrap_or(offset) {
        b"" => {
            let zone = zone.ok_or(Reject::NoOffset)?;
            zone.seconds(minute).ok_or(Reject::Time)
        }
        offset => Ok(seconds - offset_seconds(offset).ok_or(Reject::Time)?),
    }
}

fn iso_minute(minute: &[u8]) -> Option<CivilMinute> {
    let (date, time) = minute.split_at_checked(11)?;
    let [
        y0,
        y1,
        y2,
        y3,
        b'-',
        m0,
        m1,
        b'-',
        d0,
        d1,
        b'T' | b't' | b' ',
    ] = date
    else {
        return None;
    };
    Some(CivilMinute {
        year: four_digits(&[*y0, *y1, *y2, *y3])?,
        month: two_digits(&[*m0, *m1])?,
        day: two_digits(&[*d0, *d1])?,
        hour: two_digits(time.get(..2)?)?,
        minute: colon_and_two_digits(time.get(2..)?)?,
    })
}

/// The seconds that a clock with this offset is ahead of UTC: `+0530`, `+05:30`, `-03`, `Z`.
pub(crate) fn offset_seconds(text: &[u8]) -> Option<i64> {
    let (sign, digits) = match text {
        b"Z" | b"z" => return Some(0),
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = digits.split_at_checked(2)?;
    let hours = two_digits(hours)?;
    let minutes = match minutes {
        b"" => 0,
        [b':', minutes @ ..] | minutes => two_digits(minutes)?,
    };
    let seconds = i64::from(hours) * 3_600 + i64::from(minutes) * 60;
    (hours <= 23 && minutes <= 59).then_some(sign * seconds)
}

fn colon_and_two_digits(text: &[u8]) -> Option<u8> {
    text.strip_prefix(b":").and_then(two_digits)
}

/// The number of a month, by the three letters that every server writes in English.
fn month_number(name: [u8; 3]) -> Option<u8> {
    let name = name.map(|letter| letter.to_ascii_lowercase());
    Some(match &name {
        b"jan" => 1,
        b"feb" => 2,
        b"mar" => 3,
        b"apr" => 4,
        b"may" => 5,
        b"jun" => 6,
        b"jul" => 7,
        b"aug" => 8,
        b"sep" => 9,
        b"oct" => 10,
        b"nov" => 11,
        b"dec" => 12,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
