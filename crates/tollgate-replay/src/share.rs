//! Shares, and bounds that are shares or counts.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Parts of a million in a percent.
const PERCENT: u64 = 10_000;

/// A share from 0 to 100 %, exact to a ten-thousandth of a percent.
///
/// ```
/// use tollgate_replay::Share;
///
/// let share: Share = "0.1%".parse()?;
/// assert_eq!(share.of(2_999), 2);
/// assert_eq!(share.of(3_000), 3);
/// assert_eq!(share.to_string(), "0.1 %");
/// # Ok::<(), tollgate_replay::ParseShareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    millionths: u32,
}

impl Share {
    /// One in a thousand: `0.1%`.
    pub const PER_MILLE: Self = Self { millionths: 1_000 };

    /// So much of a whole, rounded down.
    #[must_use]
    pub fn of(self, whole: u64) -> u64 {
        let part = u128::from(whole) * u128::from(self.millionths) / 1_000_000;
        u64::try_from(part).unwrap_or(whole)
    }

    /// The smallest whole of which it is at least 1; `None` for no share at all.
    #[must_use]
    pub fn least_whole(self) -> Option<u64> {
        (self.millionths > 0).then(|| 1_000_000_u64.div_ceil(u64::from(self.millionths)))
    }

    /// As a part of 1.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.millionths) / 1e6
    }
}

/// As a part of 1.
impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let millionths = u64::from(self.millionths);
        let (whole, part) = (millionths / PERCENT, millionths % PERCENT);
        let decimals = format!("{whole}.{part:04}");
        let text = decimals.trim_end_matches('0').trim_end_matches('.');
        write!(f, "{text} %")
    }
}

impl FromStr for Share {
    type Err = ParseShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = text.strip_suffix('%').ok_or(ParseShareError)?.trim_end();
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number(whole) || !is_number(part) || part.len() > 4 {
            return Err(ParseShareError);
        }
        let whole: u64 = whole.parse().map_err(|_| ParseShareError)?;
        let part: u64 = format!("{part:0<4}").parse().map_err(|_| ParseShareError)?;
        let millionths = whole.saturating_mul(PERCENT).saturating_add(part);
        let millionths = u32::try_from(millionths).map_err(|_| ParseShareError)?;
        if millionths > 1_000_000 {
            return Err(ParseShareError);
        }
        Ok(Self { millionths })
    }
}

/// A text that is no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseShareError;

impl fmt::Display for ParseShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a share from 0% to 100% with up to four decimals, such as `0.1%`")
    }
}

impl Error for ParseShareError {}

/// The most that may be: a count, or a share of a whole.
///
/// ```
/// use tollgate_replay::Bound;
///
/// let bound: Bound = "1%".parse()?;
/// assert!(!bound.is_exceeded(1, 100));
/// assert!(bound.is_exceeded(2, 100));
/// assert!("5".parse::<Bound>()?.is_exceeded(6, 1_000_000));
/// # Ok::<(), tollgate_replay::ParseBoundError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// So many.
    Count(u64),
    /// So much of all.
    Share(Share),
}

impl Bound {
    /// True if there are more than that.
    #[must_use]
    pub fn is_exceeded(self, part: u64, whole: u64) -> bool {
        match self {
            Self::Count(most) => part > most,
            Self::Share(most) => part > most.of(whole),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(most) => most.fmt(f),
            Self::Share(most) => most.fmt(f),
        }
    }
}

impl FromStr for Bound {
    type Err = ParseBoundError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = text.parse().map(Self::Count);
        let bound = count.or_else(|_| text.parse().map(Self::Share));
        bound.map_err(|_| ParseBoundError)
    }
}

/// A text that is no bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseBoundError;

impl fmt::Display for ParseBoundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a number such as `100`, or a share such as `0.1%`")
    }
}

impl Error for ParseBoundError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_it_is_read() {
        for text in ["0%", "0.1%", "0.0001%", "12.5%", "100%"] {
            let share: Share = text.parse().unwrap();
            assert_eq!(share.to_string().replace(' ', ""), text);
        }
        for wrong in [
            "", "%", "1", "0.1", ".1%", "1.%", "-1%", "0.00001%", "100.1%", "1e1%",
        ] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
        for wrong in ["", "-1", "1.5", "1 000", "101%"] {
            assert!(wrong.parse::<Bound>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_share_of_few_is_nobody() {
        let share: Share = "0.1%".parse().unwrap();
        assert_eq!(share.of(999), 0);
        assert_eq!(share.least_whole(), Some(1_000));
        assert_eq!("0%".parse::<Share>().unwrap().least_whole(), None);
        assert_eq!("100%".parse::<Share>().unwrap().of(u64::MAX), u64::MAX);
    }
}
