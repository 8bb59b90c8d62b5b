//! How much.

use tollgate::Limit;
use tollgate_policy::{Allowance, Policy};

/// What a request gets, a line for each limit.
pub(super) fn allowance(allowance: &Allowance) -> Vec<String> {
    match allowance {
        Allowance::Limits(limits) => limits.iter().map(limit).collect(),
        Allowance::Block => vec!["none: every request is denied, 403".to_owned()],
        Allowance::Unlimited => vec!["none: nothing is counted".to_owned()],
        _ => vec!["of a kind that this version cannot tell of".to_owned()],
    }
}

/// A limit, and what it means.
pub(super) fn limit(limit: &Limit) -> String {
    format!("{limit}: {}", limit.effective_rate())
}

/// True if the policy or a tier of it counts anything.
pub(super) fn are_there(policy: &Policy) -> bool {
    let tiers = policy.tiers().map(|(_, allowance)| allowance);
    std::iter::once(policy.allowance())
        .chain(tiers)
        .any(|allowance| matches!(allowance, Allowance::Limits(_)))
}
