//! What is in force, in JSON.

use serde::Serialize;
use tollgate_engine::Engine;
use tollgate_policy::file::{Diagnostic, Diagnostics, PolicyFile, Severity};
use tollgate_policy::{
    Allowance, AttributeName, Count, MissingKey, Mode, OnStoreFailure, Policy, When,
};

/// A policy file in force.
#[derive(Serialize)]
pub(super) struct InForce {
    generation: u64,
    file: String,
    store: Store,
    warnings: Vec<String>,
    policies: Vec<Rule>,
}

#[derive(Serialize)]
struct Store {
    /// Without user and password.
    url: String,
    is_away: bool,
}

#[derive(Serialize)]
struct Rule {
    name: String,
    mode: &'static str,
    #[serde(rename = "match")]
    matches: Vec<Test>,
    except: Vec<Vec<Test>>,
    key: Vec<String>,
    #[serde(flatten)]
    given: Given,
    tiers: Vec<Tier>,
    /// Null if all requests count.
    count_statuses: Option<String>,
    missing_key: &'static str,
    on_store_failure: &'static str,
    hide_numbers: bool,
}

#[derive(Serialize)]
struct Tier {
    when: Vec<Test>,
    #[serde(flatten)]
    given: Given,
}

/// A test of an attribute. Values of attributes that may be secrets are `***`.
#[derive(Serialize)]
struct Test {
    attribute: String,
    values: Vec<String>,
}

#[derive(Default, Serialize)]
struct Given {
    limits: Vec<String>,
    block: bool,
    unlimited: bool,
}

impl InForce {
    pub(super) fn new(engine: &Engine, file: &PolicyFile) -> Self {
        Self {
            generation: engine.generation(),
            file: engine.path().display().to_string(),
            store: Store {
                url: engine.store_settings().url.to_string(),
                is_away: engine.store_is_away(),
            },
            warnings: lines(&file.warnings, Severity::Warning),
            policies: file.policies.policies().iter().map(rule).collect(),
        }
    }
}

/// What was found in a file of this severity, a line each: where, and what.
pub(super) fn lines(found: &Diagnostics, severity: Severity) -> Vec<String> {
    let source = found.source();
    let line = |one: &Diagnostic| {
        let position = source.position(one.span.start);
        let help = one.help.as_deref().unwrap_or_default();
        let help = match help {
            "" => String::new(),
            help => format!("; {help}"),
        };
        format!("{position}: {}: {}{help}", one.severity.name(), one.message)
    };
    let found = found.iter().filter(|one| one.severity == severity);
    found.map(line).collect()
}

fn rule(policy: &Policy) -> Rule {
    Rule {
        name: policy.name().to_owned(),
        mode: match policy.mode() {
            Mode::Shadow => "shadow",
            Mode::Off => "off",
            _ => "enforce",
        },
        matches: tests(policy.when()),
        except: policy.exceptions().map(tests).collect(),
        key: policy.key().iter().map(ToString::to_string).collect(),
        given: given(policy.allowance()),
        tiers: policy
            .tiers()
            .map(|(when, allowance)| Tier {
                when: tests(when),
                given: given(allowance),
            })
            .collect(),
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
        hide_numbers: policy.hides_numbers(),
    }
}

fn tests(when: &When) -> Vec<Test> {
    let tests = when.tests().map(|(attribute, values)| {
        let name: Result<AttributeName, _> = attribute.parse();
        let is_secret = name.is_ok_and(|name| name.is_secret());
        Test {
            attribute: attribute.to_owned(),
            values: match is_secret {
                true => vec!["***".to_owned()],
                false => values.iter().map(ToString::to_string).collect(),
            },
        }
    });
    tests.collect()
}

fn given(allowance: &Allowance) -> Given {
    match allowance {
        Allowance::Limits(limits) => Given {
            limits: limits.iter().map(ToString::to_string).collect(),
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
