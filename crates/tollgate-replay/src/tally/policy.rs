//! What one policy did.

use tollgate::{Limit, Micros};
use tollgate_policy::{Allowance, Policy, PolicyDecision, Reason};

/// What one policy did so far, but for what its keys did.
#[derive(Debug)]
pub(crate) struct PolicyTally {
    pub(crate) matched: u64,
    pub(crate) denied: u64,
    pub(crate) decided: u64,
    pub(crate) unlimited: u64,
    pub(crate) blocked: u64,
    pub(crate) missing_key: u64,
    pub(crate) within_resolution: u64,
    /// Requests that the store had no room for.
    pub(crate) unchecked: u64,
    /// In microseconds.
    pub(crate) first_denial: Option<u64>,
    pub(crate) last_denial: Option<u64>,
    /// The denials of each limit: of those of the policy itself, then of each tier.
    pub(crate) by_limit: Vec<Vec<u64>>,
}

/// A request that was decided.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decided {
    /// In microseconds.
    pub(crate) at: u64,
    /// In microseconds; 0 if it is not known.
    pub(crate) resolution: u64,
}

impl PolicyTally {
    pub(crate) fn new(policy: &Policy) -> Self {
        let by_limit = lists_of(policy).map(|limits| vec![0; limits.len()]);
        Self {
            matched: 0,
            denied: 0,
            decided: 0,
            unlimited: 0,
            blocked: 0,
            missing_key: 0,
            within_resolution: 0,
            unchecked: 0,
            first_denial: None,
            last_denial: None,
            by_limit: by_limit.collect(),
        }
    }

    /// Counts what the policy says to a request, but for its key. If it denies, says how long to
    /// wait, if that helps.
    #[inline]
    pub(crate) fn count(
        &mut self,
        policy: &PolicyDecision<'_>,
        decided: Decided,
    ) -> Option<Option<Micros>> {
        self.matched += 1;
        let reason = policy.reason();
        let denies = !reason.is_allow();
        let mut wait = None;
        match reason {
            Reason::Unlimited => self.unlimited += 1,
            Reason::Blocked => self.blocked += 1,
            Reason::MissingKey => self.missing_key += 1,
            Reason::MissingKeySkipped => {
                self.missing_key += 1;
                self.unlimited += 1;
            }
            Reason::LimitExceeded | Reason::NeverFits => {
                wait = policy
                    .deciding()
                    .and_then(|(_, outcome)| outcome.retry_after);
                let tier = policy.tier().map_or(0, |tier| tier + 1);
                let limits = self.by_limit.get_mut(tier);
                let index = policy.deciding_index();
                if let Some(limits) = limits
                    && let Some(count) = index.and_then(|index| limits.get_mut(index))
                {
                    *count += 1;
                }
            }
            _ => {}
        }
        if reason.is_degraded() {
            self.unchecked += 1;
        }
        if denies {
            self.denied += 1;
            self.first_denial.get_or_insert(decided.at);
            self.last_denial = Some(decided.at);
            if wait.is_some_and(|wait| wait.as_micros() <= decided.resolution) {
                self.within_resolution += 1;
            }
        }
        denies.then_some(wait)
    }
}

/// The limits of a policy itself, then those of each tier; none where nothing is counted.
pub(crate) fn lists_of(policy: &Policy) -> impl Iterator<Item = &[Limit]> {
    let tiers = policy.tiers().map(|(_, allowance)| allowance);
    std::iter::once(policy.allowance())
        .chain(tiers)
        .map(|allowance| match allowance {
            Allowance::Limits(limits) => &**limits,
            _ => &[],
        })
}

/// The limit with the shortest period of the policy itself; of the first tier that has any, if it has
/// none.
pub(crate) fn shortest(policy: &Policy) -> Option<&Limit> {
    let limits = lists_of(policy).find(|limits| !limits.is_empty())?;
    limits.iter().min_by_key(|limit| limit.period())
}
