//! A limit in plain words.

use core::fmt;

use super::Limit;
use crate::algorithm::{Algorithm, Anchor};
use crate::time::Micros;

/// Prints what a limit means: "one every 6 s, up to 10 at once, full after 60 s".
#[derive(Clone, Copy, Debug)]
pub struct EffectiveRate<'a> {
    limit: &'a Limit,
}

impl<'a> EffectiveRate<'a> {
    pub(super) const fn of(limit: &'a Limit) -> Self {
        Self { limit }
    }
}

impl fmt::Display for EffectiveRate<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limit = self.limit;
        let units = limit.units();
        let period = Span(limit.period());
        match limit.algorithm() {
            Algorithm::TokenBucket => {
                if limit.period().as_micros() >= units {
                    let interval = Span(Micros::new(limit.period().as_micros() / units));
                    let about = if limit.period().as_micros().is_multiple_of(units) {
                        ""
                    } else {
                        "about "
                    };
                    write!(f, "one every {about}{interval}")?;
                } else {
                    write!(f, "{units} every {period}")?;
                }
                write!(
                    f,
                    ", up to {} at once, full after {}",
                    limit.quota(),
                    Span(limit.quota_window())
                )
            }
            Algorithm::FixedWindow(anchor) => {
                let start = match anchor {
                    Anchor::Epoch => "windows start at multiples of the period",
                    Anchor::FirstRequest => "a window starts at its first request",
                };
                write!(
                    f,
                    "{units} in each window of {period}, {start}; across an edge up to {} within {period}",
                    units.saturating_mul(2)
                )
            }
            Algorithm::SlidingWindow => write!(
                f,
                "about {units} in any {period}, judged by this window's count and the share of the last one"
            ),
            Algorithm::SlidingLog => write!(f, "{units} in any {period}, exactly"),
        }
    }
}

/// A span in the largest unit that gives at most three decimals.
pub(super) struct Span(pub(super) Micros);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        let (unit, name) = match micros {
            0 => (1, "s"),
            1..1_000 => (1, "µs"),
            1_000..1_000_000 => (1_000, "ms"),
            1_000_000..120_000_001 => (1_000_000, "s"),
            120_000_001..7_200_000_001 => (60_000_000, "min"),
            7_200_000_001..172_800_000_001 => (3_600_000_000, "h"),
            _ => (86_400_000_000, "d"),
        };
        let whole = micros / unit;
        let thousandths = u128::from(micros % unit) * 1_000 / u128::from(unit);
        if thousandths == 0 {
            write!(f, "{whole} {name}")
        } else {
            let mut decimals = thousandths;
            let mut width = 3;
            while decimals % 10 == 0 {
                decimals /= 10;
                width -= 1;
            }
            write!(f, "{whole}.{decimals:0width$} {name}")
        }
    }
}
