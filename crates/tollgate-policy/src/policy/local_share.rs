//! How much of a limit one instance admits by itself.

use std::error::Error;
use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use tollgate::{Algorithm, Limit, LimitError};

/// The part of each limit that one instance admits by itself while the store makes no decision:
/// above 0 and up to 1, exact. With N instances behind one store it is `1/N`, so that all of them
/// together keep to about the limit.
///
/// ```
/// use tollgate_policy::LocalShare;
///
/// let share = LocalShare::of_instances(4)?;
/// assert_eq!(share, "1/4".parse()?);
/// assert_eq!(share, "0.25".parse()?);
/// assert_eq!(share, "25%".parse()?);
/// assert_eq!(share.to_string(), "1/4");
/// # Ok::<(), tollgate_policy::LocalShareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalShare {
    /// In lowest terms, and not above the denominator.
    numerator: NonZeroU32,
    denominator: NonZeroU32,
}

/// The most digits after the point of a share.
const MAX_DECIMALS: usize = 6;

impl LocalShare {
    /// The fraction of two numbers.
    ///
    /// # Errors
    ///
    /// If it is not above 0 and up to 1.
    pub fn new(numerator: u32, denominator: u32) -> Result<Self, LocalShareError> {
        Self::reduced(u64::from(numerator), u64::from(denominator))
            .ok_or_else(|| LocalShareError::out_of_bounds(format!("{numerator}/{denominator}")))
    }

    /// The share of each of so many instances.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub fn of_instances(instances: u32) -> Result<Self, LocalShareError> {
        Self::new(1, instances)
    }

    fn reduced(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = greatest_common_divisor(numerator, denominator);
        let part = |number: u64| {
            let part = u32::try_from(number.checked_div(divisor)?).ok()?;
            NonZeroU32::new(part)
        };
        let share = Self {
            numerator: part(numerator)?,
            denominator: part(denominator)?,
        };
        (share.numerator <= share.denominator).then_some(share)
    }

    /// The upper number, in lowest terms.
    #[must_use]
    pub const fn numerator(self) -> u32 {
        self.numerator.get()
    }

    /// The lower number, in lowest terms.
    #[must_use]
    pub const fn denominator(self) -> u32 {
        self.denominator.get()
    }

    /// The share of a number of units, rounded down.
    pub(super) fn of_units(self, units: u64) -> u64 {
        let product = u128::from(units) * u128::from(self.numerator.get());
        let share = product / u128::from(self.denominator.get());
        // It is not more than the units.
        u64::try_from(share).unwrap_or(units)
    }

    /// The limit that one instance keeps to: the share of its units and burst, rounded down, but at
    /// least what one request of `cost` takes. Algorithm and period stay, so that counts do.
    pub(super) fn of_limit(self, limit: &Limit, cost: u64) -> Result<Limit, LimitError> {
        let least = cost.clamp(1, limit.quota());
        let burst = self.of_units(limit.quota()).max(least);
        let builder = |units| {
            let period = limit.period().as_duration();
            Limit::builder(units, period).algorithm(limit.algorithm())
        };
        if limit.algorithm() != Algorithm::TokenBucket {
            return builder(burst).build();
        }
        let units = self.of_units(limit.units()).max(1);
        builder(units).burst(burst).build().or_else(|_| {
            // Units that were rounded down may take too long to refill the burst. A hundred
            // periods never do.
            let burst = burst.min(units.saturating_mul(100));
            builder(units).burst(burst).build()
        })
    }
}

fn greatest_common_divisor(mut left: u64, mut right: u64) -> u64 {
    while right > 0 {
        (left, right) = (right, left % right);
    }
    left
}

/// `1/4`, `0.25` or `25%`.
impl FromStr for LocalShare {
    type Err = LocalShareError;

    fn from_str(text: &str) -> Result<Self, LocalShareError> {
        let (numerator, denominator) = if let Some((numerator, denominator)) = text.split_once('/')
        {
            let numbers = (whole_number(numerator), whole_number(denominator));
            let (Some(numerator), Some(denominator)) = numbers else {
                return Err(LocalShareError::no_share(text));
            };
            (numerator, denominator)
        } else {
            let (number, hundred) = text.strip_suffix('%').map_or((text, 1), |text| (text, 100));
            let (number, parts) = decimal(number).ok_or_else(|| LocalShareError::no_share(text))?;
            (number, parts * hundred)
        };
        Self::reduced(numerator, denominator)
            .ok_or_else(|| LocalShareError::out_of_bounds(shortened(text)))
    }
}

/// Up to nine digits, which fit, and so does their product with the parts of a decimal.
fn whole_number(text: &str) -> Option<u64> {
    let is_number = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// A number with a point as a whole number of parts, and the number of parts in one.
fn decimal(text: &str) -> Option<(u64, u64)> {
    let Some((whole, fraction)) = text.split_once('.') else {
        return Some((whole_number(text)?, 1));
    };
    if fraction.len() > MAX_DECIMALS {
        return None;
    }
    let parts = 10_u64.pow(u32::try_from(fraction.len()).ok()?);
    let number = whole_number(whole)? * parts + whole_number(fraction)?;
    Some((number, parts))
}

fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

impl fmt::Display for LocalShare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

/// Why something is no [`LocalShare`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalShareError(Problem);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    NoShare(String),
    OutOfBounds(String),
}

impl LocalShareError {
    fn no_share(text: &str) -> Self {
        Self(Problem::NoShare(shortened(text)))
    }

    /// True if it is a number, but not above 0 and up to 1.
    #[must_use]
    pub const fn is_out_of_bounds(&self) -> bool {
        matches!(self.0, Problem::OutOfBounds(_))
    }

    const fn out_of_bounds(share: String) -> Self {
        Self(Problem::OutOfBounds(share))
    }
}

impl fmt::Display for LocalShareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Problem::NoShare(text) => write!(
                f,
                "`{text}` is no share; write a fraction such as `1/4`, `0.25` or `25%`, with up to {MAX_DECIMALS} digits after the point"
            ),
            Problem::OutOfBounds(share) => write!(
                f,
                "the share is {share}; it must be above 0 and up to 1, such as `1/4` for four instances"
            ),
        }
    }
}

impl Error for LocalShareError {}

/// True if one instance admits more than its share of a limit, because that is less than one
/// request of `cost` takes.
pub(super) fn is_too_small(share: LocalShare, limit: &Limit, cost: u64) -> bool {
    let least = cost.clamp(1, limit.quota());
    share.of_units(limit.quota()) < least || share.of_units(limit.units()) < 1
}

#[cfg(test)]
mod tests;
