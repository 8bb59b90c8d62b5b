//! `tiers`.

use super::attribute::Role;
use super::{Allowed, Tests};
use crate::file::check::Fields;
use crate::file::fields::TIER;
use crate::file::report::Report;

/// A tier, with its places.
#[derive(Clone, Debug)]
pub(in crate::file) struct TierPlaces {
    pub(in crate::file) when: Tests,
    pub(in crate::file) allowed: Allowed,
}

/// Reads the tiers of a policy.
pub(super) fn tiers(fields: &Fields<'_>, policy: &str, report: &mut Report) -> Vec<TierPlaces> {
    let is_list = fields.node("tiers").is_some();
    let items = if is_list { fields.items("tiers") } else { &[] };
    let mut tiers = Vec::with_capacity(items.len());
    for (number, node) in items.iter().enumerate() {
        let Some(table) = node.table() else {
            continue;
        };
        let inner = Fields::check(table, node.span.clone(), &TIER, report);
        let owner = format!("tier {} of {policy}", number + 1);
        let when = inner
            .node("when")
            .map(|node| Tests::read(node, Role::When, report));
        tiers.push(TierPlaces {
            when: when.unwrap_or_default(),
            allowed: Allowed::read(&inner, &owner, report),
        });
    }
    tiers
}
