//! `[[policy]]`.

use std::collections::BTreeMap;
use std::ops::Range;

use super::attribute::Role;
use super::failure::on_store_failure;
use super::key::{self, Part};
use super::tiers::{self, TierPlaces};
use super::{Allowed, Tests, cost};
use crate::file::check::Fields;
use crate::file::document::Node;
use crate::file::fields::POLICY;
use crate::file::report::Report;
use crate::file::suggestion::quoted;
use crate::file::text::Text;
use crate::file::warnings;
use crate::policy::{Holders, check_name};
use crate::{
    Cost, Count, MissingKey, Mode, OnStoreFailure, Policy, PolicyBuilder, PolicyErrorKind,
};

/// The most policies of a file.
const MAX_POLICIES: usize = 10_000;

/// What a policy is made of, with the places that warnings are about.
#[derive(Debug)]
pub(in crate::file) struct PolicyPlaces {
    pub(in crate::file) name: Option<Text>,
    pub(in crate::file) span: Range<usize>,
    pub(in crate::file) matches: Tests,
    pub(in crate::file) exceptions: Vec<Tests>,
    pub(in crate::file) key: Vec<Part>,
    pub(in crate::file) allowed: Allowed,
    pub(in crate::file) tiers: Vec<TierPlaces>,
    pub(in crate::file) mode: Mode,
    pub(in crate::file) mode_span: Range<usize>,
    pub(in crate::file) count: Option<Count>,
    pub(in crate::file) on_store_failure: Option<OnStoreFailure>,
    pub(in crate::file) on_store_failure_span: Range<usize>,
    cost: Option<Cost>,
}

/// Reads all policies. Those that are wrong are reported, and left out. `can_fail` tells whether
/// the store can.
pub(in crate::file) fn policies(node: &Node, can_fail: bool, report: &mut Report) -> Vec<Policy> {
    let items = node.one_or_many();
    if items.len() > MAX_POLICIES {
        report
            .error(
                node.span.clone(),
                format!("the file has {} policies", items.len()),
            )
            .help(format!("write at most {MAX_POLICIES}"));
    }
    let mut names: BTreeMap<String, Range<usize>> = BTreeMap::new();
    let mut policies = Vec::with_capacity(items.len());
    let mut of_policies = Vec::with_capacity(items.len());
    for node in items {
        let Some(table) = node.table() else {
            continue;
        };
        let before = report.errors();
        let fields = Fields::check(table, node.span.clone(), &POLICY, report);
        let places = PolicyPlaces::read(&fields, report);
        if let Some(name) = &places.name {
            match names.get(name.value()) {
                Some(first) => {
                    report
                        .error(
                            name.span(),
                            format!("two policies have the name {}", named(name)),
                        )
                        .related(first.clone(), "first here")
                        .help("rename one; names are what policies count under");
                }
                None => {
                    names.insert(name.value().to_owned(), name.span());
                }
            }
        }
        warnings::of_places(&places, can_fail, report);
        if report.errors() == before
            && places.is_whole()
            && let Some(policy) = places.build(&fields, report)
        {
            policies.push(policy);
            of_policies.push(places);
        }
    }
    let holders = Holders::of(&policies);
    for (policy, places) in policies.iter().zip(&of_policies) {
        warnings::of_policy(policy, &holders, places, report);
    }
    policies
}

impl PolicyPlaces {
    fn read(fields: &Fields<'_>, report: &mut Report) -> Self {
        let name = fields.text("name");
        let owner = match name {
            Some(name) => format!("policy {}", named(name)),
            None => "this policy".to_owned(),
        };
        if let Some(name) = name
            && check_name(name.value()).is_err()
        {
            report
                .error(
                    name.span(),
                    format!("{} cannot be the name of a policy", quoted(name.value())),
                )
                .help("write 1 to 64 letters, digits, `-`, `_` and `.`, a letter or digit first");
        }
        let matches = fields.node("match");
        let matches = matches.map(|node| Tests::read(node, Role::Match, report));
        let exceptions = exceptions(fields, report);
        let key = key::parts(fields, report);
        let allowed = Allowed::read(fields, &owner, report);
        let tiers = tiers::tiers(fields, &owner, report);
        let cost = cost::cost(fields, report);
        let mut may_count = false;
        for allowed in tiers.iter().map(|tier| &tier.allowed).chain([&allowed]) {
            may_count |= matches!(allowed, Allowed::Limits(_) | Allowed::Unknown);
            if let Some(cost) = &cost {
                cost::check_fit(cost, allowed.limits(), fields, report);
            }
        }
        check_key(fields, may_count, &owner, report);
        Self {
            name: name.cloned(),
            span: fields.span(),
            matches: matches.unwrap_or_default(),
            exceptions,
            key,
            allowed,
            tiers,
            mode: match fields.text("mode").map(Text::value) {
                Some("shadow") => Mode::Shadow,
                Some("off") => Mode::Off,
                _ => Mode::Enforce,
            },
            mode_span: fields.span_of("mode"),
            count: cost::count(fields, report),
            on_store_failure: on_store_failure(fields, report),
            on_store_failure_span: if fields.has("on_store_failure") {
                fields.span_of("on_store_failure")
            } else {
                fields.span_of("name")
            },
            cost,
        }
    }

    /// False if a variable that is not set has left a test without values, which was reported when
    /// variables were filled in.
    fn is_whole(&self) -> bool {
        let tiers = self.tiers.iter().map(|tier| &tier.when);
        let mut tests = tiers.chain(&self.exceptions).chain([&self.matches]);
        tests.all(Tests::is_whole)
    }

    /// The policy. Everything has been checked, so that it can be built.
    fn build(&self, fields: &Fields<'_>, report: &mut Report) -> Option<Policy> {
        let name = self.name.as_ref().map_or("", Text::value);
        let mut builder = Policy::builder(name)
            .cost(self.cost.clone()?)
            .count(self.count.clone()?)
            .mode(self.mode)
            .on_store_failure(self.on_store_failure?)
            .hide_numbers(fields.is_true("hide_numbers"));
        if fields.text("missing_key").map(Text::value) == Some("skip") {
            builder = builder.missing_key(MissingKey::Skip);
        }
        if fields.is_true("shared") {
            builder = builder.shared();
        }
        for test in &self.matches.list {
            builder = builder.matches(&test.attribute.to_string(), test.values());
        }
        for part in &self.key {
            builder = builder.key(part.text.value());
        }
        for exception in &self.exceptions {
            builder = builder.except_when(exception.to_when());
        }
        builder = self.with_allowances(builder)?;
        match builder.build() {
            Ok(policy) => Some(policy),
            Err(error) => {
                let field = field_of(error.kind());
                let words = error.to_string();
                report.error_in_words(fields.span_of(field), &words, &words);
                None
            }
        }
    }

    fn with_allowances(&self, mut builder: PolicyBuilder) -> Option<PolicyBuilder> {
        builder = match &self.allowed {
            Allowed::Limits(limits) => {
                builder.limits(limits.iter().map(|place| place.limit.clone()))
            }
            Allowed::Block => builder.block(),
            Allowed::Unlimited => builder.unlimited(),
            Allowed::Unknown => return None,
        };
        for tier in &self.tiers {
            builder = builder.tier(tier.when.to_when(), tier.allowed.to_allowance()?);
        }
        Some(builder)
    }
}

/// The name of a policy for a message. One that stands in the file is no secret, which hiding it
/// would make of it.
fn named(name: &Text) -> String {
    if name.is_expanded() || check_name(name.value()).is_err() {
        quoted(name.value())
    } else {
        format!("`{}`", name.value())
    }
}

fn exceptions(fields: &Fields<'_>, report: &mut Report) -> Vec<Tests> {
    let items = fields.items("except");
    let mut exceptions = Vec::with_capacity(items.len());
    for item in items {
        if item.table().is_some_and(|table| table.entries.is_empty()) {
            report
                .error(item.span.clone(), "an exception without a test excepts every request")
                .help("add a test, such as `\"client.ip\" = \"192.0.2.0/24\"`, or remove it; to turn the policy off write `mode = \"off\"`");
        }
        exceptions.push(Tests::read(item, Role::Except, report));
    }
    exceptions
}

fn check_key(fields: &Fields<'_>, may_count: bool, owner: &str, report: &mut Report) {
    let is_shared = fields.is_true("shared");
    if is_shared && fields.is_written("key") {
        report
            .error(
                fields.span_of_name("shared"),
                format!("{owner} has both `key` and `shared`"),
            )
            .related(fields.span_of_name("key"), "the other one")
            .help("keep one of them");
    } else if !is_shared && !fields.has("key") && may_count {
        report
            .missing(fields.span(), format!("{owner} has no key, so that nothing says by what it counts"))
            .help("add one, such as `key = [\"client.ip\"]`, or write `shared = true` to count all requests together");
    }
}

/// The field that an error of the builder is about.
const fn field_of(kind: PolicyErrorKind) -> &'static str {
    match kind {
        PolicyErrorKind::Name | PolicyErrorKind::DuplicateName | PolicyErrorKind::TooMany => "name",
        PolicyErrorKind::Condition => "match",
        PolicyErrorKind::Key => "key",
        PolicyErrorKind::Allowance | PolicyErrorKind::SameCount => "limits",
        PolicyErrorKind::Cost => "cost",
        PolicyErrorKind::Count => "count",
    }
}
