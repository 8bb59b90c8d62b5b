//! Instants and spans in whole microseconds.

use core::fmt;
use core::time::Duration;

/// The largest integer that a double, and so every store's script, holds exactly.
pub(crate) const MAX_EXACT: u64 = (1 << 53) - 1;

/// A span of time in whole microseconds.
///
/// Converting a [`Duration`] with [`Micros::from_duration`] rounds up, so that a wait is never
/// shortened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Micros(u64);

impl Micros {
    /// No time at all.
    pub const ZERO: Self = Self(0);
    /// One millisecond.
    pub const MILLISECOND: Self = Self(1_000);
    /// One second.
    pub const SECOND: Self = Self(1_000_000);
    /// One minute.
    pub const MINUTE: Self = Self(60 * 1_000_000);
    /// One hour.
    pub const HOUR: Self = Self(3_600 * 1_000_000);
    /// One day of 24 hours.
    pub const DAY: Self = Self(86_400 * 1_000_000);

    /// A span of so many microseconds.
    #[must_use]
    pub const fn new(micros: u64) -> Self {
        Self(micros)
    }

    /// A span of so many seconds; saturates.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs.saturating_mul(1_000_000))
    }

    /// A span of so many milliseconds; saturates.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis.saturating_mul(1_000))
    }

    /// The span, rounded up to a microsecond; saturates.
    #[must_use]
    pub fn from_duration(duration: Duration) -> Self {
        let micros = duration.as_nanos().div_ceil(1_000);
        Self(u64::try_from(micros).unwrap_or(u64::MAX))
    }

    /// The number of microseconds.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Whole seconds, rounded up: the form of `Retry-After`, before its minimum of 1.
    #[must_use]
    pub const fn as_secs_ceil(self) -> u64 {
        self.0.div_ceil(1_000_000)
    }

    /// The same span as a [`Duration`].
    #[must_use]
    pub const fn as_duration(self) -> Duration {
        Duration::from_micros(self.0)
    }
}

impl From<Micros> for Duration {
    fn from(span: Micros) -> Self {
        span.as_duration()
    }
}

/// In the largest unit that leaves a whole part, with as many decimals as it takes: `1.5s`.
impl fmt::Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

impl fmt::Debug for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_duration().fmt(f)
    }
}

/// An instant: whole microseconds since the Unix epoch, from 0 to 2^53 − 1 (the year 2255).
///
/// The upper bound is that of the integers which Redis' Lua holds exactly, so that every store
/// means the same instant by the same number. Constructors and arithmetic saturate at both ends:
/// a clock that would run past the end stands still there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The Unix epoch.
    pub const EPOCH: Self = Self(0);
    /// The last instant that can be told.
    pub const MAX: Self = Self(MAX_EXACT);

    /// So many microseconds after the epoch; saturates at [`Timestamp::MAX`].
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        if micros > MAX_EXACT {
            Self::MAX
        } else {
            Self(micros)
        }
    }

    /// So many seconds after the epoch; saturates at [`Timestamp::MAX`].
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self::from_micros(secs.saturating_mul(1_000_000))
    }

    /// Microseconds since the epoch.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Later by `span`; saturates at [`Timestamp::MAX`].
    #[must_use]
    pub const fn saturating_add(self, span: Micros) -> Self {
        Self::from_micros(self.0.saturating_add(span.0))
    }

    /// Earlier by `span`; saturates at the epoch.
    #[must_use]
    pub const fn saturating_sub(self, span: Micros) -> Self {
        Self(self.0.saturating_sub(span.0))
    }

    /// The time from `earlier` to this instant; zero if `earlier` is not earlier.
    #[must_use]
    pub const fn saturating_since(self, earlier: Self) -> Micros {
        Micros(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0 % 1_000_000)
    }
}
