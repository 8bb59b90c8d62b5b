//! `tollgate replay`: what policies would have done to the requests of access logs.

mod place;

use std::io::{Write, stderr, stdout};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use tollgate_policy::file::PolicyFile;
use tollgate_replay::render::{self, TextOptions};
use tollgate_replay::report::Report;

use crate::arguments::{Replay, ReportFormat};
use crate::output::{self, is_coloured};
use crate::{logs, painted, policy_file};

pub(crate) fn run(arguments: &Replay) -> anyhow::Result<ExitCode> {
    let inputs = logs::inputs(&arguments.logs, &[&arguments.policies])?;
    let options = logs::options(&arguments.logs)?;
    let hiding = logs::hiding(&arguments.privacy)?;
    if let Some(page) = &arguments.html {
        place::check(page, &inputs, &arguments.policies)?;
    }
    let Some(file) = read_policies(&arguments.policies) else {
        return Ok(ExitCode::FAILURE);
    };
    let mut replay = tollgate_replay::Replay::new(file.policies.clone())
        .identity(file.client.clone())
        .policy_file(policy_file::name(&arguments.policies))
        .inputs(inputs)
        .read_options(options.clone())
        .buffer(arguments.logs.reorder)
        .worst_keys(arguments.worst);
    if let Some(key) = hiding {
        replay = replay.anonymize(key);
    }
    let report = logs::run(1, |progress| replay.run(progress))??;
    logs::tell_doubts(&options);
    if let Some(page) = &arguments.html {
        let written = std::fs::write(page, render::html(&report));
        written.with_context(|| format!("cannot write {}", page.display()))?;
    }
    output::print(text(&report, arguments.printing.format()))?;
    let most = arguments.logs.max_rejected;
    Ok(logs::ending(report.complete, &report.input, most))
}

fn text(report: &Report, format: ReportFormat) -> String {
    match format {
        ReportFormat::Json => render::json(report),
        ReportFormat::Text => render::text(
            report,
            &TextOptions {
                width: output::width(),
                colour: is_coloured(&stdout()),
            },
        ),
    }
}

/// A policy file; nothing, if it cannot be used, which is told.
pub(crate) fn read_policies(path: &Path) -> Option<PolicyFile> {
    match policy_file::read(path) {
        Ok(file) => Some(file),
        Err(found) => {
            let text = painted::diagnostics(&found, is_coloured(&stderr()));
            // How it ends says it too, if nobody reads it.
            let _ = stderr().write_all(text.as_bytes());
            None
        }
    }
}
