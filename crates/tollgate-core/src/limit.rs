//! How much, checked once when it is built.

mod error;
mod rate;
mod text;

pub use error::{LimitError, LimitErrorKind};
pub use rate::EffectiveRate;
pub use text::{LimitProblem, ParseLimitError};

use core::time::Duration;

use crate::algorithm::{Algorithm, Anchor};
use crate::time::{MAX_EXACT, Micros};
use crate::token_bucket;

/// The most units, burst or cost that can be asked for: 10^12.
pub const MAX_UNITS: u64 = 1_000_000_000_000;

/// The shortest period: 1 ms.
const MIN_PERIOD: Micros = Micros::MILLISECOND;
/// The longest period: 366 days.
const MAX_PERIOD: Micros = Micros::new(366 * Micros::DAY.as_micros());
/// The longest time in which a token bucket may refill: a hundred of the longest periods. With it,
/// every instant that a decision computes from today's date stays below 2^53 microseconds.
const MAX_REFILL: u128 = 100 * MAX_PERIOD.as_micros() as u128;

/// How much: an algorithm, a number of units, a period and, for a token bucket, a burst.
///
/// ```
/// use tollgate_core::{Algorithm, Limit};
/// use std::time::Duration;
///
/// let limit: Limit = "20/s burst 60".parse()?;
/// assert_eq!(limit.units(), 20);
/// assert_eq!(limit.quota(), 60);
/// assert_eq!(limit.to_string(), "20/s burst 60");
/// assert_eq!(limit.effective_rate().to_string(), "one every 50 ms, up to 60 at once, full after 3 s");
///
/// let same = Limit::builder(20, Duration::from_secs(1)).burst(60).build()?;
/// assert_eq!(limit, same);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Text form
///
/// `UNITS/PERIOD [ALGORITHM] [burst N] [anchor epoch|first-request]`, where a period is a unit of
/// `ms s min h d`, with a number before it if it is not one: `10/min`, `3/10s fixed-window`,
/// `5000/h sliding-log`. Printing a limit gives the shortest form that reads back as the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    algorithm: Algorithm,
    units: u64,
    burst: u64,
    period: Micros,
    /// Microseconds of a tick: a power of ten that divides the period.
    tick: u64,
    /// The decimal exponent of `tick`.
    tick_exponent: u8,
    /// The period in ticks.
    period_ticks: u64,
    /// The most that can be used at once, in units × ticks: at most 2^53 − 1.
    capacity: u64,
    id: LimitId,
}

/// What two limits must agree in to share a count: the algorithm and the period.
///
/// Units and burst may differ, so that a changed limit keeps what was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LimitId(u64);

impl LimitId {
    fn of(algorithm: Algorithm, period: Micros) -> Self {
        // 366 days are less than 2^40 milliseconds.
        Self((u64::from(algorithm.tag()) << 40) | (period.as_micros() / 1_000))
    }

    /// The id as one number below 2^48, the same in every version.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }
}

impl Limit {
    /// Begins a limit of `units` in each `period`: a token bucket whose burst is its units, unless
    /// the builder is told otherwise.
    pub const fn builder(units: u64, period: Duration) -> LimitBuilder {
        LimitBuilder {
            algorithm: Algorithm::TokenBucket,
            units,
            period,
            burst: None,
            anchor: None,
        }
    }

    /// How it counts.
    #[must_use]
    pub const fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    /// Units admitted in each period.
    #[must_use]
    pub const fn units(&self) -> u64 {
        self.units
    }

    /// The period.
    #[must_use]
    pub const fn period(&self) -> Micros {
        self.period
    }

    /// The most units that one request could ever get: the burst of a token bucket, the units of
    /// the other algorithms.
    #[must_use]
    pub const fn quota(&self) -> u64 {
        self.burst
    }

    /// The span that belongs to [`quota`](Self::quota) when a limit is announced: the time of a
    /// full refill for a token bucket (rounded up to a tick), the period of the other algorithms.
    #[must_use]
    pub const fn quota_window(&self) -> Micros {
        match self.algorithm {
            Algorithm::TokenBucket => token_bucket::refill(self),
            _ => self.period,
        }
    }

    /// The longest time for which the use of this limit can matter.
    #[must_use]
    pub const fn memory(&self) -> Micros {
        match self.algorithm {
            Algorithm::TokenBucket => self.quota_window(),
            Algorithm::FixedWindow(_) | Algorithm::SlidingLog => self.period,
            Algorithm::SlidingWindow => Micros::new(self.period.as_micros() * 2),
        }
    }

    /// The resolution of time in this limit: a microsecond, or a larger power of ten where the
    /// product of burst and period in microseconds would pass 2^53. Refills and waits come in
    /// whole ticks.
    #[must_use]
    pub const fn tick(&self) -> Micros {
        Micros::new(self.tick)
    }

    /// What a limit must agree in to share a count with this one.
    #[must_use]
    #[inline]
    pub const fn id(&self) -> LimitId {
        self.id
    }

    /// The limit in plain words: how often, how many at once.
    #[must_use]
    pub const fn effective_rate(&self) -> EffectiveRate<'_> {
        EffectiveRate::of(self)
    }

    /// The period in ticks.
    pub(crate) const fn period_ticks(&self) -> u64 {
        self.period_ticks
    }

    /// The decimal exponent of [`tick`](Self::tick).
    pub(crate) const fn tick_exponent(&self) -> u8 {
        self.tick_exponent
    }

    /// [`quota`](Self::quota) in units × ticks.
    pub(crate) const fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The number of the tick in which `micros` lies.
    pub(crate) const fn tick_of(&self, micros: u64) -> u64 {
        // Nearly every limit has a tick of 1 µs, and a division costs more than the branch.
        if self.tick == 1 {
            micros
        } else {
            micros / self.tick
        }
    }

    /// A number of ticks as a span.
    pub(crate) const fn span(&self, ticks: u64) -> Micros {
        Micros::new(ticks.saturating_mul(self.tick))
    }
}

/// Builds a [`Limit`]; nothing is checked before [`build`](LimitBuilder::build).
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct LimitBuilder {
    algorithm: Algorithm,
    units: u64,
    period: Duration,
    burst: Option<u64>,
    anchor: Option<Anchor>,
}

impl LimitBuilder {
    /// How to count. The default is a token bucket.
    pub const fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// How many units a token bucket gives at once after a rest. The default is its units.
    pub const fn burst(mut self, burst: u64) -> Self {
        self.burst = Some(burst);
        self
    }

    /// Where a fixed window begins. The default is [`Anchor::Epoch`].
    pub const fn anchor(mut self, anchor: Anchor) -> Self {
        self.anchor = Some(anchor);
        self
    }

    /// Checks everything once.
    ///
    /// # Errors
    ///
    /// [`LimitErrorKind`] lists what can be wrong; the message names the field, its value and the
    /// bound.
    pub fn build(self) -> Result<Limit, LimitError> {
        use LimitErrorKind as Kind;

        if self.units == 0 || self.units > MAX_UNITS {
            return Err(LimitError::new(Kind::Units, self.units));
        }
        let period = Micros::from_duration(self.period);
        if self.period < MIN_PERIOD.as_duration() || period > MAX_PERIOD {
            return Err(LimitError::with_period(Kind::Period, self.period));
        }
        if !self.period.as_nanos().is_multiple_of(1_000_000) {
            return Err(LimitError::with_period(
                Kind::PeriodNotWholeMillis,
                self.period,
            ));
        }
        let algorithm = match (self.algorithm, self.anchor) {
            (algorithm, None) => algorithm,
            (Algorithm::FixedWindow(_), Some(anchor)) => Algorithm::FixedWindow(anchor),
            (algorithm, Some(_)) => return Err(LimitError::of(Kind::Anchor, algorithm)),
        };
        if self.burst.is_some() && algorithm != Algorithm::TokenBucket {
            return Err(LimitError::of(Kind::BurstAlgorithm, algorithm));
        }
        let burst = self.burst.unwrap_or(self.units);
        if burst == 0 || burst > MAX_UNITS {
            return Err(LimitError::new(Kind::Burst, burst));
        }
        if u128::from(burst) * u128::from(period.as_micros()) > MAX_REFILL * u128::from(self.units)
        {
            return Err(LimitError::new(Kind::Refill, burst));
        }

        let needs_products = matches!(algorithm, Algorithm::TokenBucket | Algorithm::SlidingWindow);
        let tick_exponent = if needs_products {
            exact_tick(burst, period).ok_or_else(|| {
                LimitError::with_period(Kind::NoExactTick { units: burst }, self.period)
            })?
        } else {
            0
        };
        let tick = 10_u64.pow(u32::from(tick_exponent));
        let period_ticks = period.as_micros() / tick;
        Ok(Limit {
            algorithm,
            units: self.units,
            burst,
            period,
            tick,
            tick_exponent,
            period_ticks,
            // For the algorithms without products this is a plain number that may saturate
            // unused.
            capacity: burst.saturating_mul(period_ticks),
            id: LimitId::of(algorithm, period),
        })
    }
}

/// The exponent of the smallest power of ten, in microseconds, that divides `period` and with
/// which `units × period` is an integer that a double holds.
fn exact_tick(units: u64, period: Micros) -> Option<u8> {
    let mut ticks = period.as_micros();
    let mut exponent = 0;
    loop {
        if units
            .checked_mul(ticks)
            .is_some_and(|product| product <= MAX_EXACT)
        {
            return Some(exponent);
        }
        if !ticks.is_multiple_of(10) {
            return None;
        }
        ticks /= 10;
        exponent += 1;
    }
}
