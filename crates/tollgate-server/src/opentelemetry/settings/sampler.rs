//! Which requests make a span.

use std::time::Duration;

use super::OpenTelemetryError;
use super::variables::Variables;
use crate::opentelemetry::context::Parent;

const KNOWN: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// `OTEL_TRACES_SAMPLER`, with its argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Sampler {
    /// Whether a caller that has a span decides.
    by_parent: bool,
    /// Which numbers of traces make one: those whose last 63 bits are below this.
    below: u64,
}

impl Sampler {
    pub(super) fn read(variables: &Variables<'_>) -> Result<Self, OpenTelemetryError> {
        let Some(said) = variables.get("OTEL_TRACES_SAMPLER")? else {
            return Ok(Self {
                by_parent: true,
                below: ALL,
            });
        };
        let own = said.value.strip_prefix("parentbased_");
        let below = match own.unwrap_or(&said.value) {
            "always_on" => ALL,
            "always_off" => 0,
            "traceidratio" => ratio(variables)?,
            _ => return Err(said.is_none_of(&KNOWN)),
        };
        Ok(Self {
            by_parent: own.is_some(),
            below,
        })
    }

    /// Whether a request makes a span whose trace has this number.
    pub(in super::super) fn samples(self, parent: Option<Parent>, trace: u128) -> bool {
        match parent {
            Some(parent) if self.by_parent => parent.is_sampled,
            _ => is_below(trace, self.below),
        }
    }
}

/// All numbers of 63 bits are below it.
const ALL: u64 = 1 << 63;

fn is_below(trace: u128, below: u64) -> bool {
    // As others decide it, so that a trace is there as a whole or not at all.
    let last = (trace & u128::from(u64::MAX)) >> 1;
    last < u128::from(below)
}

/// `OTEL_TRACES_SAMPLER_ARG`, to the billionth.
fn ratio(variables: &Variables<'_>) -> Result<u64, OpenTelemetryError> {
    let Some(said) = variables.get("OTEL_TRACES_SAMPLER_ARG")? else {
        return Ok(ALL);
    };
    let ratio = said.value.parse().ok();
    let ratio = ratio.and_then(|it| Duration::try_from_secs_f64(it).ok());
    let ratio = ratio.filter(|it| *it <= Duration::from_secs(1));
    let below = ratio.map(|it| (it.as_nanos() << 63) / 1_000_000_000);
    below
        .and_then(|below| u64::try_from(below).ok())
        .ok_or_else(|| said.wrong("is to be a number from 0 to 1, such as `0.01`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_takes_the_traces_that_others_take() {
        let half = Sampler {
            by_parent: false,
            below: 1 << 62,
        };
        // The first bits of a number of a trace, and its last one, do not matter.
        assert!(half.samples(None, 0xffff_ffff_ffff_ffff_7fff_ffff_ffff_ffff));
        assert!(!half.samples(None, 0x8000_0000_0000_0000));
        let all = Sampler { below: ALL, ..half };
        assert!(all.samples(None, u128::MAX));
        let none = Sampler { below: 0, ..half };
        assert!(!none.samples(None, 1));
    }

    #[test]
    fn a_caller_decides_only_where_it_may() {
        let parent = |is_sampled| {
            Some(Parent {
                trace: 1,
                span: 1,
                is_sampled,
            })
        };
        let off = Sampler {
            by_parent: true,
            below: 0,
        };
        assert!(off.samples(parent(true), 1));
        assert!(!off.samples(parent(false), 1));
        assert!(!off.samples(None, 1));
        let on = Sampler {
            by_parent: false,
            below: ALL,
        };
        assert!(on.samples(parent(false), 1));
    }
}
