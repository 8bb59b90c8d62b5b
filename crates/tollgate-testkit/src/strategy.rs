//! Proptest strategies for limits and traces.

use std::time::Duration;

use proptest::prelude::*;
use proptest::sample::select;
use tollgate_core::{Algorithm, Anchor, Limit, MAX_UNITS, Micros, Outcome, Timestamp};

/// Every algorithm, and each anchor of the fixed window.
pub const ALGORITHMS: [Algorithm; 5] = [
    Algorithm::TokenBucket,
    Algorithm::FixedWindow(Anchor::Epoch),
    Algorithm::FixedWindow(Anchor::FirstRequest),
    Algorithm::SlidingWindow,
    Algorithm::SlidingLog,
];

/// As many cases as `PROPTEST_CASES` says, or `cases` without it.
#[must_use]
pub fn config(cases: u32) -> ProptestConfig {
    if std::env::var_os("PROPTEST_CASES").is_some() {
        ProptestConfig::default()
    } else {
        ProptestConfig::with_cases(cases)
    }
}

/// Any algorithm.
pub fn algorithm() -> impl Strategy<Value = Algorithm> {
    select(&ALGORITHMS[..])
}

/// A number from 1 to 10^12: mostly small, else of any magnitude, with the ends.
pub fn units() -> impl Strategy<Value = u64> {
    prop_oneof![
        6 => 1..=12_u64,
        3 => (0..=12_u32, 0.1..1.0_f64).prop_map(|(exponent, share)| scaled(exponent, share)),
        1 => select(vec![1, MAX_UNITS - 1, MAX_UNITS]),
    ]
}

/// A period from 1 ms to 366 days: mostly an everyday one.
pub fn period() -> impl Strategy<Value = Duration> {
    const LONGEST: u64 = 366 * 86_400_000;
    let everyday = vec![1, 2, 7, 1_000, 10_000, 60_000, 3_600_000, 86_400_000];
    let millis = prop_oneof![
        6 => select(everyday),
        3 => (0..=10_u32, 0.1..1.0_f64).prop_map(|(exponent, share)| scaled(exponent, share)),
        1 => select(vec![1, LONGEST - 1, LONGEST]),
    ];
    millis.prop_map(|millis| Duration::from_millis(millis.min(LONGEST)))
}

fn scaled(exponent: u32, share: f64) -> u64 {
    let thousandths = (share * 1_000.0).round();
    // A share below 1 in thousandths is a small whole number.
    let thousandths = (1..=1_000_u64)
        .find(|candidate| f64::from(u16::try_from(*candidate).unwrap_or(u16::MAX)) >= thousandths)
        .unwrap_or(1_000);
    (10_u64.pow(exponent) * thousandths / 1_000).max(1)
}

/// Any limit of an algorithm that construction accepts.
pub fn limit_of(algorithm: Algorithm) -> impl Strategy<Value = Limit> {
    (units(), period(), proptest::option::of(units()))
        .prop_filter_map("construction refuses it", move |(units, period, burst)| {
            build(algorithm, units, period, burst)
        })
}

/// Any limit that construction accepts.
pub fn limit() -> impl Strategy<Value = Limit> {
    algorithm().prop_flat_map(limit_of)
}

/// Two limits with the same id: one that can take the place of the other.
pub fn exchangeable_limits() -> impl Strategy<Value = (Limit, Limit)> {
    let numbers = || (units(), proptest::option::of(units()));
    (algorithm(), period(), numbers(), numbers()).prop_filter_map(
        "construction refuses one of them",
        |(algorithm, period, one, other)| {
            Some((
                build(algorithm, one.0, period, one.1)?,
                build(algorithm, other.0, period, other.1)?,
            ))
        },
    )
}

fn build(algorithm: Algorithm, units: u64, period: Duration, burst: Option<u64>) -> Option<Limit> {
    let builder = Limit::builder(units, period).algorithm(algorithm);
    match burst {
        Some(burst) if algorithm == Algorithm::TokenBucket => builder.burst(burst).build().ok(),
        _ => builder.build().ok(),
    }
}

/// An instant: mostly of our time, now and then at an end of what can be told.
pub fn instant() -> impl Strategy<Value = Timestamp> {
    const LAST: u64 = Timestamp::MAX.as_micros();
    let micros = prop_oneof![
        8 => 1_700_000_000_000_000..1_900_000_000_000_000_u64,
        1 => 0..1_000_000_000_u64,
        1 => LAST - 1_000_000_000..=LAST,
    ];
    micros.prop_map(Timestamp::from_micros)
}

/// How the clock moves before a request.
#[derive(Clone, Copy, Debug)]
pub enum Movement {
    /// Not at all.
    Stay,
    /// On by so many microseconds.
    On(u64),
    /// On by so many thousandths of the period.
    OnByPeriod(u64),
    /// To the instant at which the last outcome said that its charge is admitted, or the limit
    /// fresh; or a microsecond before.
    ToPromise {
        /// True to stop a microsecond short.
        early: bool,
    },
    /// Back by so many thousandths of the period.
    BackByPeriod(u64),
}

impl Movement {
    /// Where the clock is afterwards.
    #[must_use]
    pub fn apply(self, limit: &Limit, now: Timestamp, last: Option<&Outcome>) -> Timestamp {
        let share = |thousandths: u64| {
            let micros = u128::from(limit.period().as_micros()) * u128::from(thousandths) / 1_000;
            Micros::new(u64::try_from(micros).unwrap_or(u64::MAX))
        };
        match self {
            Self::Stay => now,
            Self::On(micros) => now.saturating_add(Micros::new(micros)),
            Self::OnByPeriod(thousandths) => now.saturating_add(share(thousandths)),
            Self::ToPromise { early } => {
                let promised = last.map_or(now, |outcome| {
                    let wait = outcome.retry_after.unwrap_or(outcome.reset_after);
                    outcome.at.saturating_add(wait)
                });
                promised
                    .saturating_sub(Micros::new(u64::from(early)))
                    .max(now)
            }
            Self::BackByPeriod(thousandths) => now.saturating_sub(share(thousandths)),
        }
    }
}

/// The clock goes forward only.
pub fn forward() -> impl Strategy<Value = Movement> {
    prop_oneof![
        2 => Just(Movement::Stay),
        2 => (1..2_000_u64).prop_map(Movement::On),
        4 => (1..2_500_u64).prop_map(Movement::OnByPeriod),
        3 => any::<bool>().prop_map(|early| Movement::ToPromise { early }),
    ]
}

/// The clock goes forward and back.
pub fn back_and_forth() -> impl Strategy<Value = Movement> {
    prop_oneof![
        3 => forward(),
        1 => (1..=1_000_u64).prop_map(Movement::BackByPeriod),
        1 => (1_000..4_000_u64).prop_map(Movement::BackByPeriod),
    ]
}

/// How much a request costs, for whatever limit.
#[derive(Clone, Copy, Debug)]
pub enum Cost {
    /// So many units.
    Units(u64),
    /// So many thousandths of the quota, rounded up.
    OfQuota(u64),
}

impl Cost {
    /// The cost in units of `limit`.
    #[must_use]
    pub fn units(self, limit: &Limit) -> u64 {
        match self {
            Self::Units(units) => units,
            Self::OfQuota(thousandths) => {
                let units = (u128::from(limit.quota()) * u128::from(thousandths)).div_ceil(1_000);
                u64::try_from(units).unwrap_or(u64::MAX)
            }
        }
    }
}

/// Costs from 0 to a little above the quota.
pub fn cost() -> impl Strategy<Value = Cost> {
    prop_oneof![
        4 => Just(Cost::Units(1)),
        2 => (0..4_u64).prop_map(Cost::Units),
        4 => (1..=1_000_u64).prop_map(Cost::OfQuota),
        1 => (1_001..1_200_u64).prop_map(Cost::OfQuota),
    ]
}

/// A trace: how the clock moves, and what is then asked.
pub fn trace(
    movement: impl Strategy<Value = Movement>,
) -> impl Strategy<Value = Vec<(Movement, Cost)>> {
    proptest::collection::vec((movement, cost()), 1..40)
}
