//! What each policy says.

use serde::Serialize;
use serde_json::value::RawValue;
use tollgate::{Limit, Outcome};
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{Attributes, Mismatch, Policy, PolicyDecision};

use super::seconds;
use crate::check::json::{Test, mode, tests};
use crate::explain::Explained;
use crate::explain::verdict::{by_position, limits_of, public_key};
use crate::words;

#[derive(Serialize)]
pub(super) struct Rule<'a> {
    name: &'a str,
    mode: &'static str,
    is_match: bool,
    /// Why not; null if it matches.
    mismatch: Option<Why<'a>>,
    /// By what the request is counted, as the store has it; null if it is not counted.
    key: Option<String>,
    /// The part of the key that the request lacks.
    missing_key: Option<String>,
    /// The number of the tier that applies, from 1.
    tier: Option<usize>,
    charges: Vec<Charge>,
    /// What it says by itself; in shadow, what it would say.
    is_allowed: Option<bool>,
    reason: Option<&'static str>,
}

/// Why a policy does not match.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Why<'a> {
    Off,
    Exception {
        when: Vec<Test<'a>>,
    },
    /// The first test that fails. The request has none of the values, or other ones.
    Test {
        attribute: String,
        expected: Vec<String>,
        values: Vec<String>,
    },
    /// It would match, but CORS preflight requests are let through.
    Preflight,
    Other,
}

/// A charge, and the answer to it; null if another policy denies without it.
#[derive(Serialize)]
struct Charge {
    limit: String,
    cost: u64,
    verdict: Option<&'static str>,
    /// The most units that one request could get.
    quota: Option<u64>,
    remaining: Option<u64>,
    reset_after: Option<Box<RawValue>>,
    retry_after: Option<Box<RawValue>>,
}

/// A line of each policy of the file.
pub(super) fn rules<'a>(
    explained: &Explained<'a>,
    attributes: &dyn Attributes,
) -> anyhow::Result<Vec<Rule<'a>>> {
    let file = explained.file;
    let rules = by_position(file, explained.decision).map(|(policy, decided)| match decided {
        Some(decided) => matching(file, policy, &decided, attributes),
        None => Ok(Rule {
            mismatch: Some(why(file, policy.mismatch(attributes))),
            ..nothing_of(policy)
        }),
    });
    rules.collect()
}

fn nothing_of(policy: &Policy) -> Rule<'_> {
    Rule {
        name: policy.name(),
        mode: mode(policy.mode()),
        is_match: false,
        mismatch: None,
        key: None,
        missing_key: None,
        tier: None,
        charges: Vec::new(),
        is_allowed: None,
        reason: None,
    }
}

fn why<'a>(file: &PolicyFile, mismatch: Option<Mismatch<'a>>) -> Why<'a> {
    match mismatch {
        None => Why::Preflight,
        Some(Mismatch::Off) => Why::Off,
        Some(Mismatch::Exception(when)) => Why::Exception {
            when: tests(file, when),
        },
        Some(Mismatch::Test {
            attribute,
            patterns,
            values,
        }) => {
            let attribute = attribute.to_string();
            let public = |values: &[String]| {
                let values = values.iter();
                let values = values.map(|value| words::public_value(file, &attribute, value));
                values.collect()
            };
            Why::Test {
                expected: public(patterns),
                values: public(&values),
                attribute,
            }
        }
        Some(_) => Why::Other,
    }
}

fn matching<'a>(
    file: &PolicyFile,
    policy: &'a Policy,
    decided: &PolicyDecision<'_>,
    attributes: &dyn Attributes,
) -> anyhow::Result<Rule<'a>> {
    Ok(Rule {
        is_match: true,
        key: decided.key().map(|key| public_key(file, key, attributes)),
        missing_key: decided.missing_key().map(ToString::to_string),
        tier: decided.tier().map(|tier| tier + 1),
        charges: charges(decided)?,
        is_allowed: Some(decided.is_allowed()),
        reason: Some(decided.reason().as_str()),
        ..nothing_of(policy)
    })
}

fn charges(decided: &PolicyDecision<'_>) -> anyhow::Result<Vec<Charge>> {
    let limits = limits_of(decided).iter();
    let outcomes = decided.limits().map(|(_, outcome)| Some(outcome));
    let outcomes = outcomes.chain(std::iter::repeat(None));
    let charges = limits.zip(outcomes);
    charges
        .map(|(limit, outcome)| charge(decided.cost(), limit, outcome))
        .collect()
}

fn charge(cost: u64, limit: &Limit, outcome: Option<&Outcome>) -> anyhow::Result<Charge> {
    let reset_after = outcome.map(|outcome| seconds(outcome.reset_after));
    let retry_after = outcome.and_then(|outcome| outcome.retry_after).map(seconds);
    Ok(Charge {
        limit: limit.to_string(),
        cost,
        verdict: outcome.map(|outcome| words::verdict(outcome.verdict)),
        quota: outcome.map(|outcome| outcome.limit),
        remaining: outcome.map(|outcome| outcome.remaining),
        reset_after: reset_after.transpose()?,
        retry_after: retry_after.transpose()?,
    })
}
