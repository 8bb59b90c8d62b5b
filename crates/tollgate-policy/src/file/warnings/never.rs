//! Policies and tiers that never apply.

use super::cover::{covers, exclusion};
use crate::file::read::{PolicyPlaces, Tests};
use crate::file::report::Report;
use crate::{AttributeName, IpNetwork};

/// The most earlier tiers with which a tier is compared.
const MAX_EARLIER: usize = 64;

/// What a condition covers, if that is every request, or every client with an address of a kind.
fn every_request(tests: &Tests) -> Option<(&'static str, &'static str)> {
    let mut clients = None;
    for test in &tests.list {
        let has = |pattern: &str| test.patterns.iter().any(|text| text.value() == pattern);
        match &test.attribute {
            AttributeName::ClientIp => {
                let networks = test.patterns.iter().map(|text| text.value().parse());
                let wide: Vec<IpNetwork> = networks
                    .filter_map(Result::ok)
                    .filter(IpNetwork::is_everything)
                    .collect();
                let has_kind = |is_v4| wide.iter().any(|one| one.address().is_ipv4() == is_v4);
                clients = match (has_kind(true), has_kind(false)) {
                    (true, true) => Some(("every client", "")),
                    (true, false) => Some(("every client with an IPv4 address", " to them")),
                    (false, true) => Some(("every client with an IPv6 address", " to them")),
                    (false, false) => return None,
                };
            }
            AttributeName::Path if has("/**") || has("**") => {}
            _ => return None,
        }
    }
    (!tests.list.is_empty()).then(|| clients.unwrap_or(("every request", "")))
}

pub(super) fn check(policy: &PolicyPlaces, report: &mut Report) {
    for exception in &policy.exceptions {
        if let Some((everyone, them)) = every_request(exception) {
            report
                .warning(
                    exception.span.clone(),
                    format!(
                        "this exception covers {everyone}, so that the policy never applies{them}"
                    ),
                )
                .help("name fewer in the exception; to turn the policy off write `mode = \"off\"`");
        } else if !exception.list.is_empty() && covers(exception, &policy.matches) {
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
