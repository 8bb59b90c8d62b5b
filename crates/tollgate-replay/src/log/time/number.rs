//! Times and durations as numbers, and durations as text.

use std::fmt;
use std::str::FromStr;

use tollgate::{Micros, Timestamp};
use tollgate_policy::file::nearest;

/// More digits than any time needs; those behind them are dropped.
const DIGITS: u32 = 36;

/// A number as it is written: exact, unlike a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    digits: u128,
    /// The power of ten that the digits are to be multiplied by.
    exponent: i32,
}

impl Decimal {
    /// Reads `1793860702.5240`, `1.793860702524e9`, `-1`.
    pub(crate) fn read(text: &[u8]) -> Option<Self> {
        let (negative, text) = match text {
            [b'-', text @ ..] => (true, text),
            text => (false, text.strip_prefix(b"+").unwrap_or(text)),
        };
        let (mut digits, mut exponent, mut kept) = (0_u128, 0_i32, 0_u32);
        let (mut any, mut point) = (false, false);
        let mut bytes = text.iter();
        for byte in bytes.by_ref() {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    if kept < DIGITS {
                        digits = digits * 10 + u128::from(byte - b'0');
                        kept += u32::from(digits > 0);
                        exponent -= i32::from(point);
                    } else {
                        exponent = exponent.saturating_add(i32::from(!point));
                    }
                }
                b'.' if !point => point = true,
                b'e' | b'E' if any => {
                    let power: i32 = std::str::from_utf8(bytes.as_slice()).ok()?.parse().ok()?;
                    exponent = exponent.saturating_add(power);
                    break;
                }
                _ => return None,
            }
        }
        any.then_some(Self {
            negative,
            digits,
            exponent,
        })
    }

    /// The number in units of so many powers of ten, its fraction dropped; `None` if it is negative,
    /// or greater than can be told.
    pub(crate) fn in_units(self, power: i32) -> Option<u64> {
        if self.digits == 0 {
            return Some(0);
        }
        if self.negative {
            return None;
        }
        let power = self.exponent.checked_sub(power)?;
        let factor = 10_u128.checked_pow(power.unsigned_abs());
        let number = match (factor, power >= 0) {
            (Some(factor), true) => self.digits.checked_mul(factor)?,
            (None, true) => return None,
            (Some(factor), false) => self.digits / factor,
            (None, false) => 0,
        };
        u64::try_from(number).ok()
    }

    /// True if it is written without a fraction.
    pub(crate) const fn is_whole(self) -> bool {
        self.exponent >= 0
    }
}

/// The unit of a number that is a time or a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Seconds,
    Milliseconds,
    Microseconds,
    Nanoseconds,
}

impl Unit {
    const NAMES: [(&'static str, Self); 4] = [
        ("s", Self::Seconds),
        ("ms", Self::Milliseconds),
        ("us", Self::Microseconds),
        ("ns", Self::Nanoseconds),
    ];

    /// The power of ten of a second.
    const fn power(self) -> i32 {
        match self {
            Self::Seconds => 0,
            Self::Milliseconds => -3,
            Self::Microseconds => -6,
            Self::Nanoseconds => -9,
        }
    }

    /// The unit that a time since the epoch must be in, to lie in the years from 1973 to 5000.
    fn of_instant(number: Decimal) -> Self {
        match number.in_units(0) {
            Some(..100_000_000_000) => Self::Seconds,
            Some(..100_000_000_000_000) => Self::Milliseconds,
            Some(..100_000_000_000_000_000) => Self::Microseconds,
            _ => Self::Nanoseconds,
        }
    }

    /// A span of this unit, in microseconds.
    pub(crate) fn span(self, number: Decimal) -> Option<Micros> {
        number.in_units(-6 - self.power()).map(Micros::new)
    }
}

impl FromStr for Unit {
    type Err = ParseUnitError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let spelled = text.replace(['µ', 'μ'], "u");
        let mut units = Self::NAMES.iter();
        let unit = units.find(|(name, _)| *name == spelled);
        unit.map(|(_, unit)| *unit).ok_or_else(|| ParseUnitError {
            text: text.chars().take(20).collect(),
        })
    }
}

/// A text that names no unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParseUnitError {
    text: String,
}

impl fmt::Display for ParseUnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONG: [(&str, &str); 4] = [
            ("seconds", "s"),
            ("milliseconds", "ms"),
            ("microseconds", "us"),
            ("nanoseconds", "ns"),
        ];
        write!(f, "there is no unit `{}`", self.text.escape_debug())?;
        let meant = nearest(LONG.map(|(long, _)| long), &self.text);
        if let Some((_, short)) = LONG.iter().find(|(long, _)| Some(*long) == meant) {
            return write!(f, "; did you mean `{short}`?");
        }
        f.write_str("; the units are s, ms, us and ns")
    }
}

/// An instant as a number since the epoch: in a unit, or in the one that its size tells; and the unit
/// in which it is written, as far as its digits tell: a float has no zeros at its end.
pub(crate) fn instant(number: Decimal, unit: Option<Unit>) -> Option<(Timestamp, Micros)> {
    let unit = unit.unwrap_or_else(|| Unit::of_instant(number));
    let at = number.in_units(-6 - unit.power())?;
    // Fewer than a day of them: nobody counts from the epoch so soon after it.
    if at < 86_400_000_000 {
        return None;
    }
    let written = unit.power().saturating_add(number.exponent.min(0));
    let resolution = match written {
        0.. => Micros::SECOND,
        -1 => Micros::from_millis(100),
        -2 => Micros::from_millis(10),
        -3 => Micros::MILLISECOND,
        -4 => Micros::new(100),
        -5 => Micros::new(10),
        _ => Micros::new(1),
    };
    Some((Timestamp::from_micros(at), resolution))
}

/// A duration as Go writes it: `1.5ms`, `929.675µs`, `1m2.5s`, `0s`.
pub(crate) fn go_duration(text: &str) -> Option<Micros> {
    let mut rest = text;
    let mut nanos = 0_u64;
    while !rest.is_empty() {
        let unit = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at_checked(unit)?;
        let end = after
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(after.len());
        let (unit, after) = after.split_at_checked(end)?;
        let number = Decimal::read(number.as_bytes())?;
        let (factor, power) = match unit {
            "h" => (3_600, 0),
            "m" => (60, 0),
            unit => (1, unit.parse::<Unit>().ok()?.power()),
        };
        let part = number.in_units(-9 - power)?.checked_mul(factor)?;
        nanos = nanos.checked_add(part)?;
        rest = after;
    }
    (!text.is_empty()).then_some(Micros::new(nanos / 1_000))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn at(text: &str) -> Option<(u64, u64)> {
        let (at, resolution) = instant(Decimal::read(text.as_bytes())?, None)?;
        Some((at.as_micros(), resolution.as_micros()))
    }

    #[test]
    fn an_instant_is_read_in_the_unit_that_its_size_tells() {
        let micros = 1_793_860_702_524_000;
        for (text, resolution) in [
            ("1793860702.524", 1_000),
            ("1793860702.5240", 100),
            ("1793860702524", 1_000),
            ("1793860702524.000", 1),
            ("1793860702524000", 1),
            ("1793860702524000000", 1),
        ] {
            assert_eq!(at(text), Some((micros, resolution)), "{text}");
        }
        assert_eq!(at("1793860702"), Some((1_793_860_702_000_000, 1_000_000)));
        assert_eq!(at("1793860702.5"), Some((1_793_860_702_500_000, 100_000)));
    }

    // T29
    #[test]
    fn floats_with_exponents_are_exact() {
        assert_eq!(at("1.793860702524e9").unwrap().0, 1_793_860_702_524_000);
        assert_eq!(at("1.793860702524E+12").unwrap().0, 1_793_860_702_524_000);
        assert_eq!(at("17938607025240000e-7").unwrap().0, 1_793_860_702_524_000);
        assert_eq!(at("1e9"), Some((1_000_000_000_000_000, 1_000_000)));
        let long = format!("1793860702.5{}", "0".repeat(500));
        assert_eq!(at(&long).unwrap().0, 1_793_860_702_500_000);
    }

    #[test]
    fn what_is_no_instant_is_none() {
        for text in [
            "",
            "-",
            ".",
            "-1793860702",
            "0",
            "12",
            "1e300",
            "1e-300",
            "e9",
            "1e",
            "1.2.3",
            "1 2",
            "0x5",
            "1e99999999999",
            "nan",
        ] {
            assert_eq!(at(text), None, "{text}");
        }
    }

    #[test]
    fn a_span_has_the_unit_that_is_said() {
        let span = |text: &str, unit: Unit| unit.span(Decimal::read(text.as_bytes()).unwrap());
        assert_eq!(span("0.000929675", Unit::Seconds), Some(Micros::new(929)));
        assert_eq!(
            span("42", Unit::Milliseconds),
            Some(Micros::from_millis(42))
        );
        assert_eq!(span("1500", Unit::Microseconds), Some(Micros::new(1500)));
        assert_eq!(span("9.29675e5", Unit::Nanoseconds), Some(Micros::new(929)));
        assert_eq!(span("-1", Unit::Seconds), None);
        assert_eq!(span("-0.0", Unit::Seconds), Some(Micros::ZERO));
        assert_eq!(span("1e30", Unit::Nanoseconds), None);
    }

    #[test]
    fn durations_of_go_are_read() {
        for (text, micros) in [
            ("1.5ms", 1_500),
            ("929.675µs", 929),
            ("929.675us", 929),
            ("800ns", 0),
            ("0s", 0),
            ("1m2.5s", 62_500_000),
            ("1h0m0s", 3_600_000_000),
        ] {
            assert_eq!(go_duration(text), Some(Micros::new(micros)), "{text}");
        }
        for text in [
            "",
            "1",
            "s",
            "1x",
            "1ms2",
            "-1s",
            "1.2.3s",
            "99999999999999999999h",
        ] {
            assert_eq!(go_duration(text), None, "{text}");
        }
    }

    #[test]
    fn a_unit_that_there_is_not_is_named_with_the_one_that_was_meant() {
        let error = "milliseconds".parse::<Unit>().unwrap_err().to_string();
        assert_eq!(error, "there is no unit `milliseconds`; did you mean `ms`?");
        assert_eq!("µs".parse(), Ok(Unit::Microseconds));
    }

    proptest! {
        #[test]
        fn agrees_with_floats(number in 1e5_f64..5e9, digits in 0_usize..9) {
            let text = format!("{number:.digits$}");
            let decimal = Decimal::read(text.as_bytes()).unwrap();
            let float: f64 = text.parse().unwrap();
            #[expect(clippy::cast_precision_loss, reason = "the test allows for it")]
            let micros = decimal.in_units(-6).unwrap() as f64;
            prop_assert!((micros - float * 1e6).abs() <= 2.0, "{text}");
        }

        #[test]
        fn never_panics(text in "[0-9eE.+-]{0,60}", bytes: Vec<u8>) {
            for text in [text.as_bytes(), &bytes] {
                if let Some(number) = Decimal::read(text) {
                    let _ = instant(number, None);
                    for power in [i32::MIN, -9, 0, 9, i32::MAX] {
                        let _ = number.in_units(power);
                    }
                }
                let _ = std::str::from_utf8(text).map(go_duration);
            }
        }
    }
}
