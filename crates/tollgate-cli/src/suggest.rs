//! `tollgate suggest`: limits that clients of access logs would have kept to.

use std::io::{Write, stderr};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::anyhow;
use serde::Serialize;
use tollgate_policy::{AttributeName, ClientIdentity};
use tollgate_replay::LogRequests;
use tollgate_replay::report::InputReport;
use tollgate_replay::suggest::{Options, SuggestError, Suggestions, suggest};

use crate::arguments::{Suggest, SuggestFormat};
use crate::usage::UsageError;
use crate::{logs, output};

/// How often the logs are read.
const PASSES: u32 = 4;

pub(crate) fn run(arguments: &Suggest) -> anyhow::Result<ExitCode> {
    let inputs = logs::inputs(&arguments.logs, &[])?;
    let read = logs::options(&arguments.logs)?;
    let requests = LogRequests::new(inputs, attributes(arguments)?)
        .identity(identity(arguments)?)
        .read_options(read.clone())
        .buffer(arguments.logs.reorder);
    let options = options(arguments)?;
    let hiding = logs::hiding(&arguments.privacy)?;
    let (found, requests) = logs::run(PASSES, |progress| {
        let mut requests = requests.progress(Arc::clone(progress));
        (suggest(&mut requests, &options), requests)
    })?;
    let most = arguments.logs.max_rejected;
    if let Err(SuggestError::Read(error)) = found {
        return Err(error.into());
    }
    logs::tell(requests.input(), hiding.is_some());
    logs::tell_doubts(&read);
    if !requests.is_complete() {
        // Limits that are derived from half of a log deny the other half.
        let _ = writeln!(stderr(), "tollgate: interrupted; nothing is suggested");
        return Ok(logs::ending(false, requests.input(), most));
    }
    let mut found = found.map_err(|error| match error {
        SuggestError::Policy(error) => UsageError(error.to_string()).into(),
        SuggestError::Nothing => nothing(requests.input()),
        error => anyhow!("{error}"),
    })?;
    if let Some(key) = &hiding {
        found.hide_addresses(key);
    }
    if arguments.format() == SuggestFormat::Toml {
        for warning in &found.warnings {
            let _ = writeln!(stderr(), "tollgate: warning: {}", warning.message);
        }
    }
    if found.policies.iter().all(|policy| policy.limits.is_empty()) {
        return Err(anyhow!(
            "nothing can be suggested: no request has what is to be counted by, {}",
            found.key.join(" and ")
        ));
    }
    output::print(text(
        &found,
        logs::summary(requests.input(), hiding.is_some()),
        arguments.format(),
    )?)?;
    Ok(logs::ending(true, requests.input(), most))
}

#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    suggestions: &'r Suggestions,
    input: logs::Summary<'r>,
}

fn text(
    found: &Suggestions,
    input: logs::Summary<'_>,
    format: SuggestFormat,
) -> serde_json::Result<String> {
    Ok(match format {
        SuggestFormat::Toml => found.toml(),
        SuggestFormat::Text => found.text(),
        SuggestFormat::Json => {
            let report = Report {
                suggestions: found,
                input,
            };
            serde_json::to_string_pretty(&report)? + "\n"
        }
    })
}

fn options(arguments: &Suggest) -> anyhow::Result<Options> {
    let mut options = Options::new()
        .deny_at_most(arguments.deny_at_most)
        .max_clients(usize::try_from(arguments.max_clients)?);
    for part in &arguments.key {
        options = options.key(part);
    }
    for path in &arguments.group {
        options = options.group(path);
    }
    for network in &arguments.trusted_proxy {
        options = options.trusted_proxy(&network.to_string());
    }
    Ok(options)
}

/// What requests must tell.
fn attributes(arguments: &Suggest) -> Result<Vec<AttributeName>, UsageError> {
    let parts = arguments.key.iter().flat_map(|part| part.split(" or "));
    let names = parts.map(|name| {
        let name = name.trim().parse::<AttributeName>();
        name.map_err(|error| UsageError(format!("--key: {error}")))
    });
    let known = [AttributeName::Method, AttributeName::Path].map(Ok);
    known.into_iter().chain(names).collect()
}

fn identity(arguments: &Suggest) -> Result<ClientIdentity, UsageError> {
    let proxies = arguments.trusted_proxy.iter().map(ToString::to_string);
    let identity = ClientIdentity::builder().trusted_proxies(proxies).build();
    identity.map_err(|error| UsageError(error.to_string()))
}

/// Why there is nothing to derive limits from.
fn nothing(input: &InputReport) -> anyhow::Error {
    let why = input.rejects.first().map(|reject| reject.reason);
    if why == Some("no_offset") {
        anyhow!(
            "none of {} lines says which time zone its time is of; say it with --timezone",
            input.lines
        )
    } else if why == Some("binary") {
        anyhow!(
            "none of {} lines is text; name an access log, plain or packed with gzip or zstd",
            input.lines
        )
    } else if input.rejected > 0 {
        anyhow!(
            "none of {} lines is a request; name the format with --format, give a log_format of nginx with --log-format, or say with --field where things stand in JSON",
            input.lines
        )
    } else {
        anyhow!("there are no requests to derive limits from")
    }
}
