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
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    let them = if names.len() == 1 { "it" } else { "them" };
    (!names.is_empty()).then(|| format!("{}: no request has {them} by itself", all_of(&names)))
}

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
