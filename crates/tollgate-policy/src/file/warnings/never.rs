//! Policies and tiers that never apply.

use super::cover::{covers, exclusion};
use crate::file::read::PolicyPlaces;
use crate::file::report::Report;

/// The most earlier tiers with which a tier is compared.
const MAX_EARLIER: usize = 64;

pub(super) fn check(policy: &PolicyPlaces, report: &mut Report) {
    for exception in &policy.exceptions {
        if !exception.list.is_empty() && covers(exception, &policy.matches) {
            report
                .warning(
                    exception.span.clone(),
                    "this exception covers everything that `match` matches, so that the policy never applies",
                )
                .related(policy.matches.span.clone(), "what it covers")
                .help("make the exception narrower; to turn the policy off write `mode = \"off\"`");
        }
    }
    for (number, tier) in policy.tiers.iter().enumerate() {
        if let Some((test, other)) = exclusion(&tier.when, &policy.matches) {
            report
                .warning(
                    test.name.clone(),
                    "this tier never applies, because `match` matches no such request",
                )
                .related(other.name.clone(), "the test in `match`")
                .help("remove the tier, or widen `match`");
            continue;
        }
        let earlier = policy.tiers.iter().take(number.min(MAX_EARLIER));
        let mut shadows = earlier.filter(|earlier| {
            (!earlier.when.list.is_empty() || earlier.when.span.end > 0)
                && covers(&earlier.when, &tier.when)
        });
        if let Some(shadow) = shadows.next() {
            report
                .warning(
                    tier.when.span.clone(),
                    "this tier never applies, because an earlier one takes all its requests",
                )
                .related(shadow.when.span.clone(), "the earlier one")
                .help("move it before the earlier one, or remove it");
        }
    }
}
