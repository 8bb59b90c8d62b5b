//! Days and minutes of the calendar, counted from the Unix epoch.

use tollgate::{Micros, Timestamp};

const MICROS_A_SECOND: i64 = 1_000_000;

/// A minute of the calendar, on a clock that somebody else knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CivilMinute {
    pub(crate) year: u16,
    pub(crate) month: u8,
    pub(crate) day: u8,
    pub(crate) hour: u8,
    pub(crate) minute: u8,
}

impl CivilMinute {
    /// Seconds from the epoch to the begin of this minute, as a clock in UTC counts them; `None` if
    /// the calendar has no such minute.
    pub(crate) fn seconds_in_utc(self) -> Option<i64> {
        if self.hour > 23 || self.minute > 59 {
            return None;
        }
        let days = days_from_epoch(self.year, self.month, self.day)?;
        Some(days * 86_400 + i64::from(self.hour) * 3_600 + i64::from(self.minute) * 60)
    }
}

/// The days from 1970-01-01 to a day of the Gregorian calendar; `None` if there is no such day.
fn days_from_epoch(year: u16, month: u8, day: u8) -> Option<i64> {
    /// Days of a common year that are over when a month begins.
    const BEFORE: [u16; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    const LENGTHS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

    let index = usize::from(month.checked_sub(1)?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = LENGTHS.get(index)? + u8::from(leap && month == 2);
    if year == 0 || day == 0 || day > length {
        return None;
    }
    let before = i64::from(year) - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let in_year = i64::from(*BEFORE.get(index)?) + i64::from(day) - 1;
    let since_year_1 = before * 365 + leap_days + in_year + i64::from(leap && month > 2);
    Some(since_year_1 - 719_162)
}

/// An instant so many seconds and microseconds after the epoch; `None` if that is before it.
pub(crate) fn instant(seconds: i64, micros: u32) -> Option<Timestamp> {
    let micros = seconds
        .checked_mul(MICROS_A_SECOND)?
        .checked_add(i64::from(micros))?;
    u64::try_from(micros).ok().map(Timestamp::from_micros)
}

/// The fraction of a second that these digits write after the point, cut to microseconds, and the
/// unit in which it is written; `None` unless there are 1 to 9 of them.
pub(crate) fn fraction(digits: &[u8]) -> Option<(u32, Micros)> {
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    let (mut micros, mut unit) = (0_u32, 1_000_000_u32);
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        unit /= 10;
        micros += u32::from(digit - b'0') * unit;
    }
    Some((micros, Micros::new(u64::from(unit.max(1)))))
}

/// The number that two digits write.
pub(crate) fn two_digits(text: &[u8]) -> Option<u8> {
    match text {
        [tens @ b'0'..=b'9', units @ b'0'..=b'9'] => Some((tens - b'0') * 10 + (units - b'0')),
        _ => None,
    }
}

/// The number that four digits write.
pub(crate) fn four_digits(text: &[u8]) -> Option<u16> {
    let (century, year) = text.split_at_checked(2)?;
    Some(u16::from(two_digits(century)?) * 100 + u16::from(two_digits(year)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_agree_with_another_calendar() {
        for year in 1..=9998_u16 {
            for month in 1..=12_u8 {
                for day in [0, 1, 15, 28, 29, 30, 31, 32] {
                    let expected = jiff::civil::Date::new(
                        i16::try_from(year).unwrap(),
                        i8::try_from(month).unwrap(),
                        i8::try_from(day).unwrap(),
                    )
                    .ok()
                    .map(|date| {
                        let midnight = date.to_datetime(jiff::civil::Time::midnight());
                        let utc = jiff::tz::TimeZone::UTC.to_timestamp(midnight).unwrap();
                        utc.as_second().div_euclid(86_400)
                    });
                    assert_eq!(
                        days_from_epoch(year, month, day),
                        expected,
                        "{year}-{month}-{day}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_fraction_is_cut_to_microseconds_and_tells_its_unit() {
        assert_eq!(fraction(b"5"), Some((500_000, Micros::from_millis(100))));
        assert_eq!(fraction(b"310"), Some((310_000, Micros::MILLISECOND)));
        assert_eq!(fraction(b"000001"), Some((1, Micros::new(1))));
        assert_eq!(fraction(b"999999999"), Some((999_999, Micros::new(1))));
        for wrong in [&b""[..], b"1234567890", b"1x", b"-1"] {
            assert_eq!(fraction(wrong), None);
        }
    }
}
