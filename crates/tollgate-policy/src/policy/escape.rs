//! Keys by which a client escapes: all parts together make a key, so that one that the client
//! chooses is enough for as many counts as it likes.

use super::{Allowance, Cost, Count, MissingKey, Mode, Policy};
use crate::AttributeName;

/// The most policies that are looked at for one that holds the clients of another.
const MAX_HOLDERS: usize = 64;

/// The first attribute of the key that a client can choose freely. One for which `match` lists
/// values is not: those are few.
pub(super) fn freely_chosen(policy: &Policy) -> Option<&AttributeName> {
    let mut names = policy.key().iter().flat_map(|part| part.alternatives());
    names.find(|name| name.is_chosen_by_client() && !policy.when.lists(name))
}

/// The policies that hold every client, whatever it sends; those for the most requests first.
pub(crate) struct Holders<'p>(Vec<&'p Policy>);

impl<'p> Holders<'p> {
    pub(crate) fn of(policies: impl IntoIterator<Item = &'p Policy>) -> Self {
        let mut holders: Vec<&Policy> = policies.into_iter().filter(|one| holds(one)).collect();
        holders.sort_by_key(|policy| policy.when.tests().len());
        holders.truncate(MAX_HOLDERS);
        Self(holders)
    }

    /// True if one of them is for all requests of a policy, and counts those that it counts.
    pub(crate) fn hold(&self, policy: &Policy) -> bool {
        self.0.iter().any(|holder| {
            let counts = holder.count == Count::All || holder.count == policy.count;
            let excepts_no_more = holder
                .exceptions()
                .all(|exception| policy.exceptions().any(|other| other.covers(exception)));
            counts && excepts_no_more && holder.when.covers(&policy.when)
        })
    }
}

fn holds(policy: &Policy) -> bool {
    let has_key = !policy.key().is_empty() && freely_chosen(policy).is_none();
    let is_unlimited = |allowance: &Allowance| matches!(allowance, Allowance::Unlimited);
    policy.mode == Mode::Enforce
        && has_key
        && policy.missing_key == MissingKey::Deny
        && policy.cost() != Cost::Fixed(0)
        && !is_unlimited(&policy.allowance)
        && !policy.tiers().any(|(_, allowance)| is_unlimited(allowance))
}
