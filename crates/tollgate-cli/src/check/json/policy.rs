//! A policy.

use serde::Serialize;
use tollgate::Limit;
use tollgate_policy::file::PolicyFile;
use tollgate_policy::{Allowance, Cost, Count, MissingKey, Mode, OnStoreFailure, Policy, When};

use crate::words;

#[derive(Serialize)]
pub(super) struct Rule<'a> {
    name: &'a str,
    mode: &'static str,
    #[serde(rename = "match")]
    matches: Vec<Test<'a>>,
    except: Vec<Vec<Test<'a>>>,
    /// The alternatives of each part.
    key: Vec<Vec<String>>,
    #[serde(flatten)]
    given: Given,
    tiers: Vec<Tier<'a>>,
    cost: Units,
    /// Null if all requests count.
    count_statuses: Option<String>,
    missing_key: &'static str,
    on_store_failure: &'static str,
    local_share: Option<String>,
    local_limits: Vec<Amount>,
    hide_numbers: bool,
}

/// A test of an attribute. Values of attributes that may be secrets are `***`, and those from the
/// environment `${NAME}`.
#[derive(Serialize)]
pub(crate) struct Test<'a> {
    attribute: &'a str,
    values: Vec<String>,
}

#[derive(Serialize)]
struct Tier<'a> {
    when: Vec<Test<'a>>,
    #[serde(flatten)]
    given: Given,
    local_limits: Vec<Amount>,
}

#[derive(Default, Serialize)]
struct Given {
    limits: Vec<Amount>,
    block: bool,
    unlimited: bool,
}

#[derive(Serialize)]
struct Amount {
    limit: String,
    means: String,
}

#[derive(Serialize)]
struct Units {
    /// Null if it is the same for all requests.
    attribute: Option<String>,
    min: u64,
    max: u64,
    default: u64,
}

pub(super) fn rules(file: &PolicyFile) -> Vec<Rule<'_>> {
    let policies = file.policies.policies().iter();
    policies.map(|policy| rule(file, policy)).collect()
}

fn rule<'a>(file: &'a PolicyFile, policy: &'a Policy) -> Rule<'a> {
    let parts = policy.key().iter();
    let tiers = (0..).zip(policy.tiers());
    Rule {
        name: policy.name(),
        mode: mode(policy.mode()),
        matches: tests(file, policy.when()),
        except: policy.exceptions().map(|when| tests(file, when)).collect(),
        key: parts
            .map(|part| part.alternatives().map(ToString::to_string).collect())
            .collect(),
        given: given(policy.allowance()),
        tiers: tiers
            .map(|(number, (when, allowance))| Tier {
                when: tests(file, when),
                given: given(allowance),
                local_limits: amounts(policy.local_limits(Some(number))),
            })
            .collect(),
        cost: units(policy.cost()),
        count_statuses: match policy.count() {
            Count::Failures(statuses) => Some(statuses.to_string()),
            _ => None,
        },
        missing_key: match policy.missing_key() {
            MissingKey::Skip => "skip",
            _ => "deny",
        },
        on_store_failure: match policy.on_store_failure() {
            OnStoreFailure::Deny => "deny",
            OnStoreFailure::Local(_) => "local",
            _ => "allow",
        },
        local_share: match policy.on_store_failure() {
            OnStoreFailure::Local(share) => Some(share.to_string()),
            _ => None,
        },
        local_limits: amounts(policy.local_limits(None)),
        hide_numbers: policy.hides_numbers(),
    }
}

/// A mode as files have it.
pub(crate) const fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Shadow => "shadow",
        Mode::Off => "off",
        _ => "enforce",
    }
}

/// The tests of a condition.
pub(crate) fn tests<'a>(file: &PolicyFile, when: &'a When) -> Vec<Test<'a>> {
    let tests = when.tests().map(|(attribute, values)| Test {
        attribute,
        values: values
            .iter()
            .map(|value| words::public_value(file, attribute, value))
            .collect(),
    });
    tests.collect()
}

fn given(allowance: &Allowance) -> Given {
    match allowance {
        Allowance::Limits(limits) => Given {
            limits: amounts(limits),
            ..Given::default()
        },
        Allowance::Block => Given {
            block: true,
            ..Given::default()
        },
        _ => Given {
            unlimited: true,
            ..Given::default()
        },
    }
}

fn amounts(limits: &[Limit]) -> Vec<Amount> {
    let amounts = limits.iter().map(|limit| Amount {
        limit: limit.to_string(),
        means: limit.effective_rate().to_string(),
    });
    amounts.collect()
}

fn units(cost: Cost) -> Units {
    match cost {
        Cost::Attribute {
            name,
            min,
            max,
            default,
        } => Units {
            attribute: Some(name),
            min,
            max,
            default,
        },
        Cost::Fixed(cost) => Units {
            attribute: None,
            min: cost,
            max: cost,
            default: cost,
        },
        _ => Units {
            attribute: None,
            min: 1,
            max: 1,
            default: 1,
        },
    }
}
