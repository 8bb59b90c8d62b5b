//! What each policy says.

use std::borrow::Cow;

use tollgate::{Limit, Outcome, Verdict};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{
    Allowance, AttributeName, Attributes, Decision, Mismatch, Mode, Policy, PolicyDecision,
};

use crate::output::shown;
use crate::page::Page;
use crate::seconds::Seconds;
use crate::words;

/// Writes of each policy whether it is for the request, why not, and what it says.
pub(super) fn write(
    file: &PolicyFile,
    attributes: &dyn Attributes,
    decision: &Decision,
    page: &mut Page,
) {
    for (policy, decided) in by_position(file, decision) {
        match decided {
            Some(decided) => write_matching(file, &decided, attributes, page),
            None => write_other(file, policy, attributes, page),
        }
    }
}

/// Every policy of the file, with what it says if it matches.
pub(super) fn by_position<'a>(
    file: &'a PolicyFile,
    decision: &'a Decision,
) -> impl Iterator<Item = (&'a Policy, Option<PolicyDecision<'a>>)> {
    let mut matching = decision.policies().peekable();
    let policies = file.policies.policies().iter().enumerate();
    policies.map(move |(position, policy)| {
        (
            policy,
            matching.next_if(|matching| matching.position() == position),
        )
    })
}

/// The limits that a request is charged to.
pub(super) fn limits_of<'d>(decided: &PolicyDecision<'d>) -> &'d [Limit] {
    let given = match decided.tier() {
        Some(tier) => decided.policy().tier(tier),
        None => Some(decided.policy().allowance()),
    };
    match given {
        Some(Allowance::Limits(limits)) if decided.key().is_some() => limits,
        _ => &[],
    }
}

/// A policy that is not for the request.
fn write_other(file: &PolicyFile, policy: &Policy, attributes: &dyn Attributes, page: &mut Page) {
    let name = policy.name();
    match policy.mismatch(attributes) {
        Some(Mismatch::Off) => page.heading(name, " is off"),
        Some(Mismatch::Exception(when)) => {
            page.heading(name, " is not for it");
            page.row("excepted", &words::condition(file, when));
        }
        Some(Mismatch::Test {
            attribute,
            patterns,
            values,
        }) => {
            page.heading(name, " is not for it");
            let seen = seen(file, attribute, patterns, &values);
            page.row("because", &seen);
        }
        Some(_) => page.heading(name, " is not for it"),
        // It matches, and yet has no say.
        None => {
            page.heading(name, " would be for it");
            page.row("but", "CORS preflight requests are not counted");
        }
    }
}

/// What a test saw that failed.
fn seen(
    file: &PolicyFile,
    attribute: &AttributeName,
    patterns: &[String],
    values: &[String],
) -> String {
    if attribute.is_secret() {
        return if values.is_empty() {
            format!("it has no {attribute}")
        } else {
            format!("{attribute} has another value, which may be a secret")
        };
    }
    let patterns = words::patterns(file, &attribute.to_string(), patterns);
    let values: Vec<String> = values
        .iter()
        .map(|value| words::value(file, attribute, value))
        .collect();
    match values.as_slice() {
        [] => format!("it has no {attribute}, which must be {patterns}"),
        [value] => format!("{attribute} is {value}, not {patterns}"),
        [normal, served, ..] => {
            format!("{attribute} is {normal}, or as it stands {served}, and neither is {patterns}")
        }
    }
}

/// A policy that is for the request.
fn write_matching(
    file: &PolicyFile,
    decided: &PolicyDecision<'_>,
    attributes: &dyn Attributes,
    page: &mut Page,
) {
    let policy = decided.policy();
    let mode = match policy.mode() {
        Mode::Shadow => " is for it, in shadow",
        _ => " is for it",
    };
    page.heading(policy.name(), mode);
    if let Some(key) = decided.key() {
        page.row("key", &shown_key(file, key, attributes));
    } else if let Some(part) = decided.missing_key() {
        page.row("key", &format!("missing: it has no {part}"));
    }
    if let Some((when, number)) = decided
        .tier()
        .and_then(|tier| Some((policy.tiers().nth(tier)?.0, tier + 1)))
    {
        page.row(
            "tier",
            &format!("{number}, for {}", words::condition(file, when)),
        );
    } else if policy.tiers().len() > 0 {
        page.row("tier", "none applies");
    }
    write_charges(decided, page);
    let said = match (decided.is_allowed(), policy.mode()) {
        (true, Mode::Shadow) => "would let it through",
        (false, Mode::Shadow) => "would deny it",
        (true, _) => "lets it through",
        (false, _) => "denies it",
    };
    page.row(
        "verdict",
        &format!("{said}, because {}", words::reason(decided.reason())),
    );
}

fn write_charges(decided: &PolicyDecision<'_>, page: &mut Page) {
    let cost = decided.cost();
    let outcomes: Vec<_> = decided.limits().collect();
    if outcomes.is_empty() {
        // Another policy denies without asking the store.
        for limit in limits_of(decided) {
            page.row("charge", &format!("{cost} of {limit}, not decided"));
        }
    }
    for (limit, outcome) in outcomes {
        page.row("charge", &charge(cost, limit, outcome));
    }
}

fn charge(cost: u64, limit: &Limit, outcome: &Outcome) -> String {
    let left = format!("{} of {} left", outcome.remaining, outcome.limit);
    match outcome.verdict {
        Verdict::Allow => format!(
            "{cost} of {limit}: {left}, as new after {} s",
            Seconds(outcome.reset_after)
        ),
        Verdict::Deny => {
            let wait = outcome.retry_after.map_or_else(String::new, |wait| {
                format!(", and admitted after {} s", Seconds(wait))
            });
            format!("{cost} of {limit}: not spent, {left}{wait}")
        }
        Verdict::Never => format!("{cost} of {limit}: not spent, and can never be"),
    }
}

/// A key, part by part.
fn shown_key(file: &PolicyFile, key: &str, attributes: &dyn Attributes) -> String {
    if key.is_empty() {
        return "none: all requests together".to_owned();
    }
    // Values have neither `&` nor `=` nor `#` in them.
    let parts = key.split('&').map(|part| {
        let is_hashed = part.contains("=#");
        let hashed = if is_hashed { " (hashed)" } else { "" };
        let part = public_part(file, part, attributes);
        format!("{}{hashed}", shown(&part))
    });
    parts.collect::<Vec<_>>().join(" ")
}

/// A key, without what the environment fills.
pub(super) fn public_key(file: &PolicyFile, key: &str, attributes: &dyn Attributes) -> String {
    let parts = key.split('&');
    let parts: Vec<_> = parts
        .map(|part| public_part(file, part, attributes))
        .collect();
    parts.join("&")
}

/// A part of a key, as the file has its value if the environment fills that.
fn public_part<'k>(file: &PolicyFile, part: &'k str, attributes: &dyn Attributes) -> Cow<'k, str> {
    let written = part.split_once('=').and_then(|(name, _)| {
        let attribute: AttributeName = name.parse().ok()?;
        // Who the client is, is no secret.
        if attribute == AttributeName::ClientIp {
            return None;
        }
        let value = attributes.attribute(&attribute)?;
        let written = file.as_written(&attribute, &value);
        (written != value).then(|| format!("{name}={written}"))
    });
    written.map_or(Cow::Borrowed(part), Cow::Owned)
}
