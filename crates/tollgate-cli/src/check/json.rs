//! What programs read of a policy file. Times are milliseconds; what is not said is null.

mod policy;
mod settings;

use serde::Serialize;
use tollgate_policy::file::{Diagnostic, Diagnostics, PolicyFile};

use crate::policy_file::added_attributes;
use policy::{Rule, rules};
pub(crate) use policy::{Test, mode, tests};
use settings::{Client, Response, Store, client, response, store};

#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding<'a>>,
    /// Null of a file with errors, and so is what follows.
    store: Option<Store<'a>>,
    client: Option<Client<'a>>,
    response: Option<Response>,
    policies: Option<Vec<Rule<'a>>>,
    /// The attributes that no request has unless the program adds them.
    added_attributes: Option<Vec<String>>,
}

#[derive(Serialize)]
struct Finding<'a> {
    severity: &'static str,
    message: &'a str,
    help: Option<&'a str>,
    /// Null of a file that could not be read, and so is the column.
    line: Option<usize>,
    column: Option<usize>,
    related: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    message: &'a str,
    line: usize,
    column: usize,
}

/// A line about a file.
pub(super) fn line(name: &str, read: &Result<PolicyFile, Diagnostics>) -> anyhow::Result<String> {
    let (file, found) = match read {
        Ok(file) => (Some(file), &file.warnings),
        Err(found) => (None, found),
    };
    let report = Report {
        file: name,
        errors: found.errors(),
        warnings: found.len() - found.errors(),
        diagnostics: found.iter().map(|one| finding(found, one)).collect(),
        store: file.map(store),
        client: file.map(|file| client(&file.client)),
        response: file.map(response),
        policies: file.map(rules),
        added_attributes: file.map(added),
    };
    Ok(serde_json::to_string(&report)? + "\n")
}

fn added(file: &PolicyFile) -> Vec<String> {
    let names = added_attributes(file).into_iter();
    names.map(ToString::to_string).collect()
}

fn finding<'a>(found: &'a Diagnostics, one: &'a Diagnostic) -> Finding<'a> {
    let source = found.source();
    let position = source.is_read().then(|| source.position(one.span.start));
    let related = one.related.iter().map(|related| {
        let position = source.position(related.span.start);
        Place {
            message: &related.message,
            line: position.line,
            column: position.column,
        }
    });
    Finding {
        severity: one.severity.name(),
        message: &one.message,
        help: one.help.as_deref(),
        line: position.map(|position| position.line),
        column: position.map(|position| position.column),
        related: related.collect(),
    }
}
