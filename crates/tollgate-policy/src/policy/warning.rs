//! Policies that are probably mistaken.

use std::fmt;

use tollgate::{Algorithm, Limit};

use super::escape::freely_chosen;
use super::local_share::{LocalShare, is_too_small};
use super::{Allowance, Count, OnStoreFailure, Policy};
use crate::AttributeName;

/// The bytes that a sliding log takes at most for each instant of an admission, because its ring
/// doubles.
const LOG_ENTRY_BYTES: u64 = 32;
/// The units of a sliding log above which one key may take more than 1 MiB.
const MAX_LOG_UNITS: u64 = 32_768;

/// Something that was built as told, but is probably a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyWarning {
    policy: Box<str>,
    problem: Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    KeyChosenByClient(AttributeName),
    TierChosenByClient(AttributeName),
    FailuresInBucket(Limit),
    LargeLog(Limit),
    SmallShare(LocalShare, Limit),
    CostAboveLimit(u64, Limit),
}

impl PolicyWarning {
    /// True if a policy beside it may make it needless.
    pub(crate) const fn is_about_key(&self) -> bool {
        matches!(self.problem, Problem::KeyChosenByClient(_))
    }

    /// The name of the policy.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }
}

/// What a warning is about.
#[cfg(feature = "file")]
#[derive(Clone, Copy, Debug)]
pub(crate) enum About<'w> {
    Key(&'w AttributeName),
    Tier(&'w AttributeName),
    Limit(&'w Limit),
}

#[cfg(feature = "file")]
impl PolicyWarning {
    /// What it is about, for who knows where that is written.
    pub(crate) const fn about(&self) -> About<'_> {
        match &self.problem {
            Problem::KeyChosenByClient(name) => About::Key(name),
            Problem::TierChosenByClient(name) => About::Tier(name),
            Problem::FailuresInBucket(limit)
            | Problem::LargeLog(limit)
            | Problem::CostAboveLimit(_, limit)
            | Problem::SmallShare(_, limit) => About::Limit(limit),
        }
    }
}

impl fmt::Display for PolicyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = &self.policy;
        match &self.problem {
            Problem::KeyChosenByClient(name) => write!(
                f,
                "policy `{policy}` counts by `{name}`, which a client chooses freely, so that each may have as many counts as it likes; limit by `client.ip` or an authenticated attribute in a policy of its own beside it, or let the service check what the client says and count by an attribute that it adds"
            ),
            Problem::TierChosenByClient(name) => write!(
                f,
                "a tier of policy `{policy}` depends on `{name}`, which a client chooses freely, so that anyone can have it; use an attribute that the service sets"
            ),
            Problem::FailuresInBucket(limit) => write!(
                f,
                "policy `{policy}` counts failures in the token bucket `{limit}`, which can admit nearly twice its burst of them in an instant when other admissions are given back late; use `fixed-window`, `sliding-window` or `sliding-log`, which give back exactly"
            ),
            Problem::LargeLog(limit) => write!(
                f,
                "policy `{policy}` has the limit `{limit}`, whose log takes up to {} bytes for one key, so that few keys fill the store; use `sliding-window`, which takes the same few bytes for any number of units, or at most {MAX_LOG_UNITS} units",
                // Units have a bound, so that the product fits.
                limit.units().saturating_mul(LOG_ENTRY_BYTES)
            ),
            Problem::CostAboveLimit(most, limit) => write!(
                f,
                "policy `{policy}` lets a request cost up to {most}, and `{limit}` never admits more than {}, so that whatever costs more is always denied, however long it waits; lower `max`, or raise the limit",
                limit.quota()
            ),
            Problem::SmallShare(share, limit) => write!(
                f,
                "policy `{policy}` keeps to {share} of `{limit}` in each instance while the store fails, which is less than one request; each admits one all the same, so that all of them together may admit more than the limit; raise the limit, or choose `deny`"
            ),
        }
    }
}

/// What is wrong with a policy by itself.
pub(super) fn of(policy: &Policy) -> Vec<PolicyWarning> {
    let key = freely_chosen(policy)
        .cloned()
        .map(Problem::KeyChosenByClient);
    let tiers = policy.tiers.iter().filter_map(|tier| {
        let mut names = tier.condition.attributes();
        let name = names
            .find(|name| matches!(name, AttributeName::Header(_) | AttributeName::Query(_)))?;
        Some(Problem::TierChosenByClient(name.clone()))
    });
    let counts_failures = matches!(policy.count, Count::Failures(_));
    let limits = limits(policy).filter_map(|limit| match limit.algorithm() {
        Algorithm::TokenBucket if counts_failures => Some(Problem::FailuresInBucket(limit.clone())),
        Algorithm::SlidingLog if limit.units() > MAX_LOG_UNITS => {
            Some(Problem::LargeLog(limit.clone()))
        }
        _ => None,
    });
    key.into_iter()
        .chain(tiers)
        .chain(limits)
        .chain(costs_above_limits(policy))
        .chain(small_shares(policy))
        .map(|problem| PolicyWarning {
            policy: policy.name.clone(),
            problem,
        })
        .collect()
}

/// Limits that the highest cost never fits into. One that is always the same is an error.
fn costs_above_limits(policy: &Policy) -> impl Iterator<Item = Problem> {
    let most = policy.cost.most();
    limits(policy)
        .filter(move |limit| most > limit.quota())
        .map(move |limit| Problem::CostAboveLimit(most, limit.clone()))
}

fn small_shares(policy: &Policy) -> impl Iterator<Item = Problem> {
    let share = match policy.on_store_failure {
        OnStoreFailure::Local(share) => Some(share),
        OnStoreFailure::Deny | OnStoreFailure::Allow => None,
    };
    let cost = policy.cost.least();
    share.into_iter().flat_map(move |share| {
        limits(policy)
            .filter(move |limit| is_too_small(share, limit, cost))
            .map(move |limit| Problem::SmallShare(share, limit.clone()))
    })
}

/// The limits of the policy, then those of its tiers.
fn limits(policy: &Policy) -> impl Iterator<Item = &Limit> {
    let tiers = policy.tiers.iter().map(|tier| &tier.allowance);
    [&policy.allowance]
        .into_iter()
        .chain(tiers)
        .filter_map(|allowance| match allowance {
            Allowance::Limits(limits) => Some(limits),
            Allowance::Block | Allowance::Unlimited => None,
        })
        .flatten()
}
