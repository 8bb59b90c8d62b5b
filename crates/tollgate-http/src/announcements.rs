//! What responses announce of each policy, made once for a set of policies.

use smallvec::SmallVec;
use tollgate::{Limit, Outcome};
use tollgate_policy::{Allowance, Policy, PolicyDecision, PolicySet};

use crate::fields::Item;

/// Limits of a request, with their constant parts and their answers.
pub(crate) type Limits<'a> = SmallVec<[(&'a Item, &'a Outcome); 4]>;

/// The constant parts of the list fields, for every limit of every policy and tier.
///
/// A policy's first limit goes by the policy's name, its second by `NAME/2`, and so on; names of
/// policies hold no slash, so that no two limits of a response share a name.
#[derive(Debug)]
pub(crate) struct Announcements {
    /// In the order of the set.
    policies: Box<[Announced]>,
}

#[derive(Debug)]
struct Announced {
    policy: Box<str>,
    base: Box<[Item]>,
    tiers: Box<[Box<[Item]>]>,
}

impl Announcements {
    pub(crate) fn of_set(set: &PolicySet) -> Self {
        let policies = set.policies().iter();
        Self {
            policies: policies.map(Announced::new).collect(),
        }
    }

    /// Appends the limits of a policy with what they have answered.
    ///
    /// Nothing for a decision by other policies than these: what was not made for them could be
    /// untrue of them.
    pub(crate) fn collect<'a>(&'a self, decision: &PolicyDecision<'a>, limits: &mut Limits<'a>) {
        let Some(announced) = self.find(decision) else {
            return;
        };
        let tier = decision.tier().and_then(|tier| announced.tiers.get(tier));
        let items = tier.unwrap_or(&announced.base).iter();
        for (item, (limit, outcome)) in items.zip(decision.limits()) {
            if item.announces(limit) {
                limits.push((item, outcome));
            }
        }
    }

    /// Where it is in the order of the set, or else, for a decision by another set, by its name.
    fn find(&self, decision: &PolicyDecision<'_>) -> Option<&Announced> {
        let name = decision.policy().name();
        let is_it = |announced: &&Announced| *announced.policy == *name;
        self.policies
            .get(decision.position())
            .filter(is_it)
            .or_else(|| self.policies.iter().find(is_it))
    }
}

impl Announced {
    fn new(policy: &Policy) -> Self {
        let tiers = (0..).map_while(|tier| policy.tier(tier));
        Self {
            policy: policy.name().into(),
            base: items(policy.name(), policy.allowance()),
            tiers: tiers
                .map(|allowance| items(policy.name(), allowance))
                .collect(),
        }
    }
}

fn items(name: &str, allowance: &Allowance) -> Box<[Item]> {
    let limits: &[Limit] = match allowance {
        Allowance::Limits(limits) => limits,
        _ => &[],
    };
    let items = limits.iter().zip(1..).map(|(limit, number)| match number {
        1 => Item::new(name, limit.quota(), limit.quota_window()),
        _ => Item::new(
            &format!("{name}/{number}"),
            limit.quota(),
            limit.quota_window(),
        ),
    });
    items.collect()
}
