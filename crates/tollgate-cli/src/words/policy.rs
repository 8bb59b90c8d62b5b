//! A policy.

use tollgate_policy::file::PolicyFile;
use tollgate_policy::{
    Allowance, AttributeName, Cost, Count, KeyPart, MissingKey, Mode, OnStoreFailure, Policy,
};

use super::limits::{self, allowance};
use super::{condition, count};
use crate::page::Page;

/// Writes what a policy does: which requests it is for, by what they are counted, how much each
/// may have, and what happens otherwise.
pub(crate) fn policy(file: &PolicyFile, policy: &Policy, page: &mut Page) {
    page.heading(policy.name(), mode(policy.mode()));
    page.row("for", &condition(file, policy.when()));
    for (number, exception) in policy.exceptions().enumerate() {
        page.row(
            if number == 0 { "but not" } else { "" },
            &format!(
                "{}{}",
                if number == 0 { "" } else { "nor " },
                condition(file, exception)
            ),
        );
    }
    let counts = limits::are_there(policy);
    if counts {
        page.row("counted by", &key(policy.key()));
    }
    lines(page, "limits", &allowance(policy.allowance()));
    for (number, (when, allowance)) in policy.tiers().enumerate() {
        tier(number, &condition(file, when), allowance, page);
    }
    if !counts {
        return;
    }
    page.row("takes", &cost(&policy.cost()));
    page.row("counts", &counted(policy.count()));
    if !policy.key().is_empty() {
        page.row(
            "without a key",
            match policy.missing_key() {
                MissingKey::Skip => "passed over",
                _ => "denied, 400",
            },
        );
    }
    store_failure(policy, page);
    if policy.hides_numbers() {
        page.row("responses", "do not tell its numbers");
    }
}

fn tier(number: usize, when: &str, given: &Allowance, page: &mut Page) {
    let label = format!("tier {}", number + 1);
    page.row(&label, &format!("{when}, gets instead"));
    lines(page, "", &allowance(given));
}

fn lines(page: &mut Page, label: &str, lines: &[String]) {
    for (number, line) in lines.iter().enumerate() {
        page.row(if number == 0 { label } else { "" }, line);
    }
}

const fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforce => "",
        Mode::Shadow => " (in shadow: counted and reported, never denied)",
        _ => " (off: does nothing)",
    }
}

/// The parts of a key.
fn key(parts: &[KeyPart]) -> String {
    if parts.is_empty() {
        return "nothing: all requests together".to_owned();
    }
    let parts: Vec<String> = parts.iter().map(part).collect();
    parts.join(", together with ")
}

fn part(part: &KeyPart) -> String {
    let names: Vec<String> = part.alternatives().map(name).collect();
    names.join(" or else ")
}

fn name(name: &AttributeName) -> String {
    if name.is_secret() {
        format!("{name} (hashed)")
    } else {
        name.to_string()
    }
}

fn cost(cost: &Cost) -> String {
    match cost {
        Cost::Fixed(0) => "nothing: it only looks".to_owned(),
        Cost::Fixed(cost) => count(usize::try_from(*cost).unwrap_or(usize::MAX), "unit"),
        Cost::Attribute {
            name,
            min,
            max,
            default,
        } => {
            format!("as many units as {name} says, from {min} to {max}; without it {default}")
        }
        _ => "units in a way that this version cannot tell of".to_owned(),
    }
}

fn counted(count: &Count) -> String {
    match count {
        Count::All => "every request that is admitted".to_owned(),
        Count::Failures(statuses) => {
            format!("requests whose response is {statuses}; others are given back")
        }
        _ => "requests of a kind that this version cannot tell of".to_owned(),
    }
}

/// What happens when the store makes no decision; of a share, its numbers.
fn store_failure(policy: &Policy, page: &mut Page) {
    const LABEL: &str = "store fails";
    let share = match policy.on_store_failure() {
        OnStoreFailure::Deny => return page.row(LABEL, "denied, 503"),
        OnStoreFailure::Local(share) => share,
        _ => return page.row(LABEL, "let through, uncounted"),
    };
    page.row(
        LABEL,
        &format!("each process decides by itself, by {share} of each limit"),
    );
    let of_tiers = (0..policy.tiers().len()).map(Some);
    for tier in std::iter::once(None).chain(of_tiers) {
        let of = tier.map_or_else(String::new, |tier| format!("tier {}: ", tier + 1));
        for limit in policy.local_limits(tier) {
            page.row("", &format!("{of}{}", limits::limit(limit)));
        }
    }
}
