//! Settings and policies in plain words.

mod condition;
mod limits;
mod policy;
mod reason;
mod settings;

use tollgate_policy::AttributeName;

pub(crate) use condition::{condition, patterns, public_value, value};
pub(crate) use policy::policy;
pub(crate) use reason::{reason, verdict};
pub(crate) use settings::{client, response, store};

/// What the program that uses the file must add to requests, if anything.
pub(crate) fn added(names: &[&AttributeName]) -> Option<String> {
    let names = names.iter().map(ToString::to_string);
    let (domain, names): (Vec<_>, Vec<_>) = names.partition(|name| name == DOMAIN);
    let them = if names.len() == 1 { "it" } else { "them" };
    let added =
        (!names.is_empty()).then(|| format!("{}: no request has {them} by itself", all_of(&names)));
    let domain = (!domain.is_empty())
        .then(|| format!("{DOMAIN}, except over gRPC, where every call has one"));
    match (added, domain) {
        (Some(added), Some(domain)) => Some(format!("{added}; {domain}")),
        (added, domain) => added.or(domain),
    }
}

/// What the daemon knows of each call over gRPC.
const DOMAIN: &str = "domain";

/// Words for a list: `a`, `a or b`, `a, b or c`.
fn any_of(words: &[String]) -> String {
    listed(words, "or")
}

/// Words for a list: `a`, `a and b`, `a, b and c`.
fn all_of(words: &[String]) -> String {
    listed(words, "and")
}

fn listed(words: &[String], last_joined_by: &str) -> String {
    match words.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {last_joined_by} {last}", others.join(", ")),
    }
}

/// A number of things.
pub(crate) fn count(number: usize, thing: &str) -> String {
    match number {
        0 => format!("no {thing}s"),
        1 => format!("1 {thing}"),
        _ => format!("{number} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_said_to_come_with_calls_over_grpc() {
        let names = ["domain", "user", "user.plan"].map(|name| name.parse().unwrap());
        let said = |names: &[AttributeName]| added(&names.iter().collect::<Vec<_>>());
        assert_eq!(said(&[]), None);
        for (names, expected) in [
            (
                &names[..1],
                "domain, except over gRPC, where every call has one",
            ),
            (&names[1..2], "user: no request has it by itself"),
            (
                &names[..],
                "user and user.plan: no request has them by itself; domain, except over gRPC, where \
                 every call has one",
            ),
        ] {
            assert_eq!(said(names).as_deref(), Some(expected));
        }
    }
}
