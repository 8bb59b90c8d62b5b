//! Policies that are probably mistaken.

use std::fmt;

use super::Policy;
use crate::AttributeName;

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
}

impl PolicyWarning {
    /// The name of the policy.
    #[must_use]
    pub fn policy(&self) -> &str {
        &self.policy
    }
}

impl fmt::Display for PolicyWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = &self.policy;
        match &self.problem {
            Problem::KeyChosenByClient(name) => write!(
                f,
                "policy `{policy}` counts by `{name}`, which a client chooses freely, so that each may have as many counts as it likes; add `client.ip` or an authenticated attribute as another part of the key"
            ),
            Problem::TierChosenByClient(name) => write!(
                f,
                "a tier of policy `{policy}` depends on `{name}`, which a client chooses freely; use an attribute that the service sets"
            ),
        }
    }
}

pub(super) fn of(policy: &Policy) -> Vec<PolicyWarning> {
    // One part that the client cannot choose is enough to hold it.
    let mut chosen = None;
    for part in policy.key() {
        match part.alternatives().find(|name| name.is_chosen_by_client()) {
            Some(name) => chosen = chosen.or(Some(name)),
            None => {
                chosen = None;
                break;
            }
        }
    }
    let key = chosen.cloned().map(Problem::KeyChosenByClient);
    let tiers = policy.tiers.iter().filter_map(|tier| {
        let mut names = tier.condition.attributes();
        let name = names.find(|name| matches!(name, AttributeName::Header(_)))?;
        Some(Problem::TierChosenByClient(name.clone()))
    });
    key.into_iter()
        .chain(tiers)
        .map(|problem| PolicyWarning {
            policy: policy.name.clone(),
            problem,
        })
        .collect()
}
