//! A policy with its numbers multiplied.

use tollgate::{Algorithm, Limit};
use tollgate_policy::{Allowance, Policy};

/// By what the limits of a policy are multiplied: parts and of how many.
const FACTORS: [(u64, u64); 8] = [
    (1, 4),
    (1, 2),
    (3, 4),
    (1, 1),
    (3, 2),
    (2, 1),
    (4, 1),
    (8, 1),
];

/// A policy as it would be with other numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Variant {
    pub(super) factor: f64,
    /// The limits of the policy itself, then those of each tier; none where nothing is counted.
    pub(super) limits: Vec<Vec<Limit>>,
}

impl Variant {
    /// The policy by each factor, the smallest first, without those that leave its numbers as another
    /// one does: 1/4 and 1/2 of one are both one.
    pub(super) fn all(policy: &Policy) -> Vec<Self> {
        let mut variants: Vec<Self> = Vec::new();
        for (parts, of) in FACTORS {
            let Some(limits) = multiplied(policy, parts, of) else {
                continue;
            };
            let known = variants.iter().position(|variant| variant.limits == limits);
            match known {
                None => variants.push(Self {
                    factor: as_float(parts, of),
                    limits,
                }),
                // The policy as it is comes under its own name.
                Some(place) if parts == of => {
                    variants.truncate(place);
                    variants.push(Self {
                        factor: 1.0,
                        limits,
                    });
                }
                Some(_) => {}
            }
        }
        variants
    }

    /// The first limit, of the policy itself or else of a tier.
    pub(super) fn first(&self) -> Option<&Limit> {
        self.limits.iter().flatten().next()
    }
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn as_float(parts: u64, of: u64) -> f64 {
    parts as f64 / of as f64
}

/// `None` if there is no such limit.
fn multiplied(policy: &Policy, parts: u64, of: u64) -> Option<Vec<Vec<Limit>>> {
    let tiers = policy.tiers().map(|(_, allowance)| allowance);
    std::iter::once(policy.allowance())
        .chain(tiers)
        .map(|allowance| match allowance {
            Allowance::Limits(limits) => {
                limits.iter().map(|limit| times(limit, parts, of)).collect()
            }
            _ => Some(Vec::new()),
        })
        .collect()
}

fn times(limit: &Limit, parts: u64, of: u64) -> Option<Limit> {
    let times = |units: u64| {
        let product = units.saturating_mul(parts).saturating_add(of / 2) / of;
        product.max(1)
    };
    let builder = Limit::builder(times(limit.units()), limit.period().as_duration());
    let builder = builder.algorithm(limit.algorithm());
    let builder = match limit.algorithm() {
        Algorithm::TokenBucket => builder.burst(times(limit.quota())),
        _ => builder,
    };
    builder.build().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(limit: &str) -> Vec<(f64, String)> {
        let policy = Policy::builder("p").shared().limit(limit.parse().unwrap());
        let variants = Variant::all(&policy.build().unwrap());
        let limit = |variant: &Variant| (variant.factor, variant.first().unwrap().to_string());
        variants.iter().map(limit).collect()
    }

    fn text(limits: &[(f64, &str)]) -> Vec<(f64, String)> {
        limits
            .iter()
            .map(|(factor, limit)| (*factor, (*limit).to_owned()))
            .collect()
    }

    #[test]
    fn multiplies_units_and_burst() {
        assert_eq!(
            limits("20/s burst 60"),
            text(&[
                (0.25, "5/s burst 15"),
                (0.5, "10/s burst 30"),
                (0.75, "15/s burst 45"),
                (1.0, "20/s burst 60"),
                (1.5, "30/s burst 90"),
                (2.0, "40/s burst 120"),
                (4.0, "80/s burst 240"),
                (8.0, "160/s burst 480"),
            ])
        );
    }

    #[test]
    fn leaves_out_what_is_the_same_and_keeps_the_policy_as_it_is() {
        assert_eq!(
            limits("1/min fixed-window"),
            text(&[
                (1.0, "1/min fixed-window"),
                (1.5, "2/min fixed-window"),
                (4.0, "4/min fixed-window"),
                (8.0, "8/min fixed-window"),
            ])
        );
    }

    #[test]
    fn leaves_out_what_no_limit_can_be() {
        let factors: Vec<f64> = limits("400000000000/min fixed-window")
            .iter()
            .map(|(factor, _)| *factor)
            .collect();
        assert_eq!(factors, [0.25, 0.5, 0.75, 1.0, 1.5, 2.0]);
    }
}
