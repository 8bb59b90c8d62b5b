//! To which groups a request belongs, and by what it is counted there: by the rules of policies,
//! without counting anything.

use std::future::ready;

use tollgate::{Charge, Limit, Micros, Outcome, Outcomes, Store, StoreError, Timestamp, Verdict};
use tollgate_policy::{PolicyError, PolicyLimiter, PolicySet};

use super::group::Group;
use crate::Request;
use crate::sample::hash_of;

/// Finds the groups of requests.
#[derive(Debug)]
pub(super) struct Classifier {
    limiter: PolicyLimiter<Nothing>,
}

impl Classifier {
    pub(super) fn new(groups: &[Group], key: &[String]) -> Result<Self, PolicyError> {
        let limit = Limit::builder(1, Micros::MINUTE.as_duration()).build().ok();
        let policies = groups.iter().map(|group| {
            // Which limit it is makes no difference, but without one there would be no key.
            group.policy(key).limits(limit.clone()).build()
        });
        let policies: Vec<_> = policies.collect::<Result<_, _>>()?;
        Ok(Self {
            limiter: PolicyLimiter::new(PolicySet::new(policies)?, Nothing),
        })
    }

    /// Gives the position of each group of a request, with the hash of its key if it has one.
    pub(super) fn each(&self, request: &Request, mut each: impl FnMut(usize, Option<u64>)) {
        let Ok(decision) = self.limiter.decide_at_once(request) else {
            // This store need not be waited for.
            return;
        };
        for policy in decision.policies() {
            each(policy.position(), policy.key().map(hash_of));
        }
    }
}

/// A store that admits everything and counts nothing.
#[derive(Debug)]
struct Nothing;

fn all_admitted(charges: &[Charge<'_>]) -> Outcomes {
    let admitted = Outcome {
        verdict: Verdict::Allow,
        limit: 0,
        remaining: 0,
        reset_after: Micros::ZERO,
        retry_after: None,
        at: Timestamp::EPOCH,
    };
    let outcomes = charges.iter().map(|_| (admitted, true));
    Outcomes::new(Timestamp::EPOCH, outcomes)
}

impl Store for Nothing {
    fn decide(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(Ok(all_admitted(charges)))
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        Some(Ok(all_admitted(charges)))
    }

    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(Ok(all_admitted(charges)))
    }

    fn refund(
        &self,
        _: &[Charge<'_>],
        _: &Outcomes,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        ready(Ok(()))
    }

    fn reset(
        &self,
        _: &Limit,
        _: &str,
        _: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        ready(Ok(false))
    }
}
