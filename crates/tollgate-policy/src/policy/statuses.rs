//! Sets of response statuses.

use std::fmt;
use std::ops::RangeInclusive;

/// Response statuses (RFC 9110, section 15).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statuses(Box<[RangeInclusive<u16>]>);

impl Statuses {
    /// Some statuses by number.
    pub fn of(statuses: impl IntoIterator<Item = u16>) -> Self {
        Self::in_ranges(statuses.into_iter().map(|status| status..=status))
    }

    /// The statuses of some ranges.
    pub fn in_ranges(ranges: impl IntoIterator<Item = RangeInclusive<u16>>) -> Self {
        Self(ranges.into_iter().collect())
    }

    /// True if a status is one of them.
    #[must_use]
    pub fn contains(&self, status: u16) -> bool {
        self.0.iter().any(|range| range.contains(&status))
    }

    /// A range that holds no status: nothing from 100 to 599, or upside down.
    pub(super) fn vain(&self) -> Option<&RangeInclusive<u16>> {
        self.0
            .iter()
            .find(|range| range.is_empty() || *range.start() < 100 || *range.end() > 599)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// As people list them: `401, 403 or 500-599`.
impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, range) in self.0.iter().enumerate() {
            match number {
                0 => {}
                _ if number + 1 == self.0.len() => f.write_str(" or ")?,
                _ => f.write_str(", ")?,
            }
            if range.start() == range.end() {
                write!(f, "{}", range.start())?;
            } else {
                write!(f, "{}-{}", range.start(), range.end())?;
            }
        }
        Ok(())
    }
}

/// 400 to 499: the request was at fault, as a wrong password is. A failure of the service itself
/// is not held against the client.
impl Default for Statuses {
    fn default() -> Self {
        Self::in_ranges([400..=499])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn are_listed_as_people_list_them() {
        let text =
            |ranges: &[RangeInclusive<u16>]| Statuses::in_ranges(ranges.to_vec()).to_string();
        assert_eq!(text(&[401..=401]), "401");
        assert_eq!(text(&[401..=401, 500..=599]), "401 or 500-599");
        assert_eq!(
            text(&[401..=401, 403..=403, 500..=599]),
            "401, 403 or 500-599"
        );
    }
}
