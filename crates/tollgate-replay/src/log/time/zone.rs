//! The time zone of logs that do not tell theirs.

use std::fmt;
use std::str::FromStr;

use super::civil::CivilMinute;
use super::text::offset_seconds;

/// The time zone in which a log without offsets tells its times.
///
/// Parsed from an IANA name (`Europe/Berlin`), from an offset (`+05:30`, `+0530`, `-03`), or from
/// `UTC` or `Z`.
///
/// ```
/// use tollgate_replay::log::TimeZone;
///
/// assert!("Europe/Berlin".parse::<TimeZone>().is_ok());
/// assert!("+05:30".parse::<TimeZone>().is_ok());
/// assert!("Europe/Bärlin".parse::<TimeZone>().is_err());
/// ```
///
/// # When clocks change
///
/// A time that a clock shows twice, when summer time ends, is taken for the earlier one. A time that
/// it never shows, when summer time begins, is moved on by what was skipped: 02:30 becomes 03:30.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZone(jiff::tz::TimeZone);

impl TimeZone {
    /// Coordinated universal time.
    pub const UTC: Self = Self(jiff::tz::TimeZone::UTC);

    /// Seconds from the epoch to the begin of a minute in this zone.
    pub(crate) fn seconds(&self, minute: CivilMinute) -> Option<i64> {
        let civil = jiff::civil::DateTime::new(
            i16::try_from(minute.year).ok()?,
            i8::try_from(minute.month).ok()?,
            i8::try_from(minute.day).ok()?,
            i8::try_from(minute.hour).ok()?,
            i8::try_from(minute.minute).ok()?,
            0,
            0,
        );
        let instant = self.0.to_ambiguous_timestamp(civil.ok()?).compatible();
        Some(instant.ok()?.as_second())
    }
}

impl FromStr for TimeZone {
    type Err = ParseTimeZoneError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = || ParseTimeZoneError { text: text.into() };
        if let Some(seconds) = offset_seconds(text.as_bytes()) {
            let seconds = i32::try_from(seconds).map_err(|_| error())?;
            let offset = jiff::tz::Offset::from_seconds(seconds).map_err(|_| error())?;
            return Ok(Self(jiff::tz::TimeZone::fixed(offset)));
        }
        if text.eq_ignore_ascii_case("utc") {
            return Ok(Self::UTC);
        }
        jiff::tz::TimeZone::get(text).map(Self).map_err(|_| error())
    }
}

/// A text that names no time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTimeZoneError {
    text: String,
}

impl fmt::Display for ParseTimeZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no time zone {:?}; write a name such as Europe/Berlin, or an offset such as +05:30",
            self.text
        )
    }
}

impl std::error::Error for ParseTimeZoneError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(zone: &str, day: u8, month: u8, hour: u8, minute: u8) -> Option<i64> {
        let minute = CivilMinute {
            year: 2026,
            month,
            day,
            hour,
            minute,
        };
        zone.parse::<TimeZone>().unwrap().seconds(minute)
    }

    #[test]
    fn a_time_that_is_shown_twice_is_the_earlier_one() {
        // Summer time ends on 25 October at 03:00, which is 01:00 UTC.
        let shown_twice = seconds("Europe/Berlin", 25, 10, 2, 30);
        assert_eq!(shown_twice, seconds("UTC", 25, 10, 0, 30));
    }

    #[test]
    fn a_time_that_is_never_shown_is_moved_on() {
        let skipped = seconds("Europe/Berlin", 29, 3, 2, 30);
        assert_eq!(skipped, seconds("UTC", 29, 3, 1, 30));
    }

    #[test]
    fn the_offset_is_the_one_of_the_day() {
        let summer = seconds("Europe/Berlin", 24, 10, 12, 0);
        assert_eq!(summer, seconds("UTC", 24, 10, 10, 0));
        let winter = seconds("Europe/Berlin", 26, 10, 12, 0);
        assert_eq!(winter, seconds("UTC", 26, 10, 11, 0));
    }

    #[test]
    fn offsets_are_zones_in_every_spelling() {
        let expected = seconds("UTC", 5, 11, 0, 55);
        for zone in ["+05:30", "+0530", "Asia/Kolkata"] {
            assert_eq!(seconds(zone, 5, 11, 6, 25), expected, "{zone}");
        }
        assert_eq!(seconds("-03", 5, 11, 6, 25), seconds("UTC", 5, 11, 9, 25));
        assert_eq!(seconds("Z", 5, 11, 6, 25), seconds("utc", 5, 11, 6, 25));
    }

    #[test]
    fn what_is_no_zone_is_named_with_a_remedy() {
        for wrong in ["", "Berlin/Europe", "+25:00", "+05:60", "05:30"] {
            let error = wrong.parse::<TimeZone>().unwrap_err().to_string();
            assert!(error.contains("Europe/Berlin"), "{error}");
        }
    }
}
