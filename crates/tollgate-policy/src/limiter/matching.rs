//! From a request to what a store is to be asked.

use std::sync::Arc;

use tollgate::MAX_UNITS;

use super::{PolicyLimiter, Question};
use crate::condition::Facts;
use crate::decision::{Effect, Entry, Standing};
use crate::key::{KeyBuffer, KeyHasher};
use crate::{Allowance, AttributeName, Attributes, Decision, NoAddress, Policy, PolicySet};

impl<S> PolicyLimiter<S> {
    /// Begins a decision: matches a request against the policies.
    #[inline(always)]
    pub(super) fn begin<A: Attributes + ?Sized>(&self, request: &A, begun: &mut Decision) {
        begin(&self.set, self.set.hasher(), (request, 1), begun);
    }

    /// Begins the decision of a question, which may bring policies of its own.
    pub(super) fn begin_question<A: Attributes + ?Sized>(
        &self,
        question: &Question<'_, A>,
        effect: Effect,
        begun: &mut Decision,
    ) {
        begun.effect = effect;
        let set = question.policies.unwrap_or(&self.set);
        let asked = (question.request, question.cost);
        begin(set, self.set.hasher(), asked, begun);
    }
}

#[inline(always)]
fn begin<A: Attributes + ?Sized>(
    set: &Arc<PolicySet>,
    hasher: &KeyHasher,
    (request, cost): (&A, u64),
    begun: &mut Decision,
) {
    let facts = Facts::new(request);
    let mut charges = 0;
    for (position, policy) in set.matching(&facts) {
        let mut entry = entry((position, policy), &facts, hasher, &mut begun.keys);
        entry.cost = times(entry.cost, cost);
        if entry.standing == Standing::Charged {
            let start = charges;
            charges += policy.limits_of(entry.tier).len();
            entry.charges = start..charges;
        }
        begun.push(entry, policy);
    }
    if !begun.entries.is_empty() {
        // Where nothing matches, the count of references is not touched: it is shared by all
        // threads.
        begun.set = Some(Arc::clone(set));
    }
}

/// What a policy charges: its cost so many times, and above what any limit admits just that.
const fn times(policy: u64, request: u64) -> u64 {
    let cost = policy.saturating_mul(request);
    if cost > MAX_UNITS {
        MAX_UNITS + 1
    } else {
        cost
    }
}

/// Why a request has no client, if the part of the key is that.
#[cold]
fn why_missing<A: Attributes + ?Sized>(
    policy: &Policy,
    part: usize,
    facts: &Facts<'_, A>,
) -> Option<NoAddress> {
    let mut names = policy.key().get(part)?.alternatives();
    names
        .any(|name| *name == AttributeName::ClientIp)
        .then(|| facts.no_client())?
}

#[inline(always)]
fn entry<A: Attributes + ?Sized>(
    (position, policy): (u16, &Policy),
    facts: &Facts<'_, A>,
    hasher: &KeyHasher,
    keys: &mut KeyBuffer,
) -> Entry {
    let tier = policy.tier_of(facts);
    let start = keys.len();
    let standing = match policy.allowance_of(tier) {
        Allowance::Block => Standing::Blocked,
        Allowance::Unlimited => Standing::Unlimited,
        Allowance::Limits(_) => match policy.keyed_by().write(facts, hasher, keys) {
            Ok(()) => Standing::Charged,
            Err(part) => Standing::MissingKey(part, why_missing(policy, part, facts)),
        },
    };
    Entry {
        policy: position,
        tier,
        standing,
        key: start..keys.len(),
        cost: policy.cost_of(facts),
        charges: 0..0,
    }
}
