//! `tollgate diff`: two policy files on the requests of the same access logs.

use std::io::{Write, stderr};
use std::process::ExitCode;
use std::sync::Arc;

use serde::Serialize;
use tollgate_policy::AttributeName;
use tollgate_policy::file::PolicyFile;
use tollgate_replay::diff::{AsEnforced, DiffReport, Options, diff, diff_clients};
use tollgate_replay::log::Input;
use tollgate_replay::report::InputReport;
use tollgate_replay::{LogRequests, Progress};

use crate::arguments::{Diff, ReportFormat};
use crate::replay::read_policies;
use crate::{logs, output, policy_file};

pub(crate) fn run(arguments: &Diff) -> anyhow::Result<ExitCode> {
    let policies = [arguments.old.as_path(), arguments.new.as_path()];
    let inputs = logs::inputs(&arguments.logs, &policies)?;
    let read = logs::options(&arguments.logs)?;
    let hiding = logs::hiding(&arguments.privacy)?;
    // Both are read, so that the mistakes of both are told at once.
    let [old, new] = policies.map(read_policies);
    let (Some(old), Some(new)) = (old, new) else {
        return Ok(ExitCode::FAILURE);
    };
    let attributes = attributes(&old, &new);
    let requests = |inputs: Vec<Input>, file: &PolicyFile| {
        LogRequests::new(inputs, attributes.iter().cloned())
            .identity(file.client.clone())
            .read_options(read.clone())
            .buffer(arguments.logs.reorder)
            .once()
    };
    let [old_name, new_name] = policies.map(policy_file::name);
    let options = Options::new()
        .names(&old_name, &new_name)
        .worst(arguments.worst);

    let (mut found, requests) = logs::run(1, |progress| -> anyhow::Result<_> {
        if old.client == new.client {
            let mut both = requests(inputs, &new).progress(Arc::clone(progress));
            let found = diff(&mut both, &old, &new, &options)?;
            return Ok((found, both));
        }
        let [of_old, of_new] = logs::twice(inputs, progress)?;
        let beside = Arc::new(Progress::beside(progress));
        let mut of_old = requests(of_old, &old).progress(beside);
        let mut of_new = requests(of_new, &new).progress(Arc::clone(progress));
        let found = diff_clients(&mut of_old, &mut of_new, &old, &new, &options)?;
        Ok((found, of_new))
    })??;
    logs::tell_doubts(&read);
    found.complete = requests.is_complete();
    found.show_clients(hiding.as_ref(), |network| requests.name_of(network));
    let input = requests.input();
    let text = match arguments.printing.format() {
        ReportFormat::Json => json(&found, input, hiding.is_some())?,
        ReportFormat::Text => {
            logs::tell(input, hiding.is_some());
            found.text()
        }
    };
    output::print(text)?;
    Ok(ending(arguments, &found, input))
}

/// How it ends: what is refused goes before what could not be read.
fn ending(arguments: &Diff, found: &DiffReport, input: &InputReport) -> ExitCode {
    let mut judged = vec![("newly denies", found.requests, found.clients)];
    if arguments.as_enforced {
        let AsEnforced { requests, clients } = found.as_enforced;
        judged.push(("would newly deny, if all were enforced,", requests, clients));
    }
    let bounds = [
        arguments.max_newly_denied,
        arguments.max_newly_denied_clients,
    ];
    let mut is_refused = false;
    for (verb, requests, clients) in judged {
        let counts = [
            (
                requests.newly_denied,
                requests.allowed,
                "requests that were allowed",
            ),
            (
                clients.newly_denied,
                clients.allowed,
                "clients that were never denied",
            ),
        ];
        for (bound, (denied, allowed, what)) in bounds.into_iter().zip(counts) {
            let of = denied + allowed;
            if let Some(bound) = bound.filter(|bound| bound.is_exceeded(denied, of)) {
                let _ = writeln!(
                    stderr(),
                    "tollgate: {} {verb} {denied} of the {of} {what}, more than {bound}",
                    output::shown(&found.new)
                );
                is_refused = true;
            }
        }
    }
    if is_refused && found.complete {
        return ExitCode::from(2);
    }
    let is_bounded = bounds.iter().any(Option::is_some);
    if is_bounded && found.has_hardly_clients() && !arguments.allow_few_clients {
        let _ = writeln!(
            stderr(),
            "tollgate: the bounds cannot be judged: hardly anybody but what may be proxies sent requests; name the proxies in {} or say --allow-few-clients",
            output::shown(&found.new)
        );
        return ExitCode::FAILURE;
    }
    logs::ending(found.complete, input, arguments.logs.max_rejected)
}

/// What either of them looks at.
fn attributes(old: &PolicyFile, new: &PolicyFile) -> Vec<AttributeName> {
    let both = [old, new].into_iter();
    let names = both.flat_map(policy_file::attributes_of);
    names.cloned().collect()
}

#[derive(Serialize)]
struct Report<'r> {
    anonymized: bool,
    #[serde(flatten)]
    diff: &'r DiffReport,
    input: logs::Summary<'r>,
}

fn json(found: &DiffReport, input: &InputReport, anonymized: bool) -> serde_json::Result<String> {
    let report = Report {
        anonymized,
        diff: found,
        input: logs::summary(input, anonymized),
    };
    Ok(serde_json::to_string_pretty(&report)? + "\n")
}
