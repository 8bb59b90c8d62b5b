//! Why a limit cannot be built.

use core::fmt;
use core::time::Duration;

use super::rate::Span;
use super::{MAX_PERIOD, MAX_UNITS, MIN_PERIOD};
use crate::algorithm::Algorithm;
use crate::time::Micros;

/// A limit that cannot be built: which field, its value, and the bound it breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LimitError {
    kind: LimitErrorKind,
    value: Value,
}

/// What is wrong with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LimitErrorKind {
    /// The units are 0 or above 10^12.
    Units,
    /// The burst is 0 or above 10^12.
    Burst,
    /// The period is below 1 ms or above 366 days.
    Period,
    /// The period is not a whole number of milliseconds.
    PeriodNotWholeMillis,
    /// Only a token bucket has a burst.
    BurstAlgorithm,
    /// Only a fixed window has an anchor.
    Anchor,
    /// At these units a bucket of this burst would take more than a century to refill.
    Refill,
    /// No tick both divides the period and keeps units × period within 2^53.
    NoExactTick {
        /// The units, or the burst of a token bucket.
        units: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Number(u64),
    Period(Duration),
    Algorithm(Algorithm),
}

impl LimitError {
    pub(super) const fn new(kind: LimitErrorKind, value: u64) -> Self {
        Self {
            kind,
            value: Value::Number(value),
        }
    }

    pub(super) const fn with_period(kind: LimitErrorKind, period: Duration) -> Self {
        Self {
            kind,
            value: Value::Period(period),
        }
    }

    pub(super) const fn of(kind: LimitErrorKind, algorithm: Algorithm) -> Self {
        Self {
            kind,
            value: Value::Algorithm(algorithm),
        }
    }

    /// What is wrong.
    #[must_use]
    pub const fn kind(&self) -> LimitErrorKind {
        self.kind
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Period(period) if period.as_nanos().is_multiple_of(1_000_000) => {
                Span(Micros::from_duration(*period)).fmt(f)
            }
            // To the nanosecond, because that may be what is wrong with it.
            Self::Period(period) => write!(f, "{period:?}"),
            Self::Algorithm(algorithm) => algorithm.fmt(f),
        }
    }
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.kind {
            LimitErrorKind::Units if value == Value::Number(0) => f.write_str(
                "units is 0; to refuse every request use `block`, to admit every one `unlimited`",
            ),
            LimitErrorKind::Units => {
                write!(f, "units is {value}; it must be from 1 to {MAX_UNITS}")
            }
            LimitErrorKind::Burst => {
                write!(f, "burst is {value}; it must be from 1 to {MAX_UNITS}")
            }
            LimitErrorKind::Period => write!(
                f,
                "period is {value}; it must be from {} to {}",
                Span(MIN_PERIOD),
                Span(MAX_PERIOD)
            ),
            LimitErrorKind::PeriodNotWholeMillis => {
                write!(
                    f,
                    "period is {value}; it must be a whole number of milliseconds"
                )
            }
            LimitErrorKind::BurstAlgorithm => write!(
                f,
                "burst is given for {value}, but only a token-bucket has one; leave it out or use token-bucket"
            ),
            LimitErrorKind::Anchor => write!(
                f,
                "anchor is given for {value}, but only a fixed-window has one; leave it out or use fixed-window"
            ),
            LimitErrorKind::Refill => write!(
                f,
                "burst is {value}; at this rate it would take more than 100 years to refill; lower the burst or raise the units"
            ),
            LimitErrorKind::NoExactTick { units } => write!(
                f,
                "period is {value}; it cannot be counted exactly together with {units} units, because their product passes 2^53 in every tick that divides the period; shorten the period or lower the units"
            ),
        }
    }
}

impl core::error::Error for LimitError {}
