//! What can be built, but is probably a mistake.

mod cover;
mod never;
mod spelling;

use tollgate::Algorithm;

use super::read::{Allowed, LimitPlace, PolicyPlaces, Test};
use super::report::{Report, about, in_two};
use super::suggestion::quoted;
use super::text::Text;
use crate::policy::{About, Holders};
use crate::set::warnings_beside;
use crate::{AttributeName, Count, Mode, OnStoreFailure, Policy};

/// How many times its units a burst may be before it misleads.
const MISLEADING_BURST: u64 = 10;

/// Words of paths that guard something worse than an outage.
const GUARDED: [&str; 14] = [
    "auth",
    "authenticate",
    "login",
    "logon",
    "oauth",
    "otp",
    "passwd",
    "password",
    "passwords",
    "register",
    "signin",
    "signup",
    "token",
    "tokens",
];

/// Warns of what the places of a policy tell. `can_fail` tells whether the store can.
pub(super) fn of_places(policy: &PolicyPlaces, can_fail: bool, report: &mut Report) {
    if policy.mode == Mode::Off {
        report
            .warning(
                policy.mode_span.clone(),
                "the policy is off: nothing is limited or counted by it",
            )
            .help("to see what it would do, write `mode = \"shadow\"`");
        return;
    }
    let conditions = policy
        .exceptions
        .iter()
        .chain(policy.tiers.iter().map(|tier| &tier.when));
    for tests in conditions.chain([&policy.matches]) {
        spelling::check(tests, report);
    }
    never::check(policy, report);
    bursts(policy, report);
    if can_fail {
        fails_open(policy, report);
    }
}

/// Warns of what the policy itself warns of, where that is written.
pub(super) fn of_policy(
    policy: &Policy,
    holders: &Holders<'_>,
    places: &PolicyPlaces,
    report: &mut Report,
) {
    let mut limits: Vec<&LimitPlace> = all_limits(places).collect();
    // What the environment fills of what is quoted.
    let texts = places.key.iter().map(|part| &part.text);
    let filled: Vec<&str> = texts
        .chain(&places.name)
        .filter(|text| text.is_expanded())
        .map(Text::value)
        .collect();
    let filled = filled.join(" ");
    for warning in warnings_beside(policy, holders) {
        let span = match warning.about() {
            About::Key(name) => {
                let attributes = places.key.iter().flat_map(|part| &part.attributes);
                let mut named = attributes.filter(|(known, _)| known == name);
                named.next().map(|(_, span)| span.clone())
            }
            About::Tier(name) => {
                let tests = places.tiers.iter().flat_map(|tier| &tier.when.list);
                let mut named = tests.filter(|test| test.attribute == *name);
                named.next().map(|test| test.name.clone())
            }
            About::Limit(limit) => {
                // Each warning is about a place of its own, in the order of the file.
                let at = limits.iter().position(|place| place.limit == *limit);
                at.map(|at| limits.remove(at).span.clone())
            }
        };
        let words = warning.to_string();
        let (message, help) = in_two(&words);
        let span = span.unwrap_or_else(|| places.span.clone());
        let help = help.map(|help| about(help, &filled));
        report.warning(span, about(message, &filled)).help = help;
    }
}

fn all_limits(policy: &PolicyPlaces) -> impl Iterator<Item = &LimitPlace> {
    let tiers = policy.tiers.iter().map(|tier| &tier.allowed);
    std::iter::once(&policy.allowed)
        .chain(tiers)
        .flat_map(Allowed::limits)
}

fn bursts(policy: &PolicyPlaces, report: &mut Report) {
    for LimitPlace { limit, span } in all_limits(policy) {
        let burst = limit.quota();
        let is_bucket = limit.algorithm() == Algorithm::TokenBucket;
        if is_bucket && burst >= limit.units().saturating_mul(MISLEADING_BURST) {
            report
                .warning(
                    span.clone(),
                    format!(
                        "`{limit}` is mostly its burst, so that short floods pass: {}",
                        limit.effective_rate()
                    ),
                )
                .help("lower the burst, or raise the units");
        }
    }
}

fn fails_open(policy: &PolicyPlaces, report: &mut Report) {
    let is_open = policy.on_store_failure == Some(OnStoreFailure::Allow);
    let is_enforced = policy.mode == Mode::Enforce && all_limits(policy).next().is_some();
    if !is_open || !is_enforced {
        return;
    }
    let counts_failures = matches!(policy.count, Some(Count::Failures(_)));
    let why = match guarded(&policy.matches.list) {
        Some(path) => format!("it guards {}", quoted(path)),
        None if counts_failures => "it counts failures".to_owned(),
        None => return,
    };
    report
        .warning(
            policy.on_store_failure_span.clone(),
            format!("while the store fails, this policy lets everything through, and {why}"),
        )
        .help("write `on_store_failure = \"deny\"`, or `\"local\"` with a `local_share`");
}

/// A path that guards something.
fn guarded(tests: &[Test]) -> Option<&str> {
    tests
        .iter()
        .filter(|test| matches!(test.attribute, AttributeName::Path | AttributeName::Route))
        .flat_map(|test| &test.patterns)
        .find(|path| {
            path.value()
                .split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| GUARDED.contains(&word.to_ascii_lowercase().as_str()))
        })
        .map(Text::shown)
}
