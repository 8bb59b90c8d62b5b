//! The access logs that a command is told of.

mod bar;
mod interrupt;
mod rejected;
mod twice;

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use tollgate_replay::log::{FieldMap, Input, ReadOptions, same_logs};
use tollgate_replay::report::InputReport;
use tollgate_replay::{Bound, HidingKey, Progress};

use crate::arguments::{Logs, Privacy};
use crate::output::shown;
use crate::policy_file;
use crate::usage::UsageError;
use bar::Bar;
pub(crate) use rejected::{Summary, summary, tell};
pub(crate) use twice::twice;

/// How a command ends that Ctrl-C has stopped: 128 and the number of the signal.
const INTERRUPTED: u8 = 130;

/// What is to be read.
pub(crate) fn inputs(logs: &Logs, policies: &[&Path]) -> anyhow::Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for name in &logs.files {
        match name.to_str() {
            Some(text) => inputs.extend(Input::named(text).with_context(|| cannot_read(text))?),
            // Not a pattern, at any rate.
            None => inputs.push(Input::File(name.into())),
        }
    }
    if inputs.is_empty() {
        if stdin().is_terminal() {
            let message =
                "there is no log; name files, such as `/var/log/nginx/access.log*`, or pipe one in";
            return Err(UsageError(message.to_owned()).into());
        }
        inputs.push(Input::StandardInput);
    }
    let readers = inputs
        .iter()
        .filter(|input| **input == Input::StandardInput);
    let others = policies
        .iter()
        .filter(|path| policy_file::is_standard_input(path));
    if readers.count() + others.count() > 1 {
        let message = "standard input can be read only once; name files for the rest";
        return Err(UsageError(message.to_owned()).into());
    }
    if let Some(two) = same_logs(&inputs) {
        let [one, other] = two.map(|input| shown(&input.name()));
        return Err(UsageError(format!(
            "{one} and {other} begin with the same lines: they are the same log, and each of its requests would count twice; name one of them"
        ))
        .into());
    }
    Ok(inputs)
}

fn cannot_read(name: &str) -> String {
    format!("cannot read {name}")
}

/// How the logs are to be read.
pub(crate) fn options(logs: &Logs) -> Result<ReadOptions, UsageError> {
    let mut options = ReadOptions::default();
    if let Some(form) = logs.format {
        options = options.format(form);
    }
    if let Some(format) = &logs.log_format {
        options = options.log_format(format.clone());
    }
    if let Some(zone) = &logs.timezone {
        options = options.time_zone(zone.clone());
    }
    let needs_fields = logs.format.is_some_and(|form| form.as_str() == "fields");
    if !logs.fields.is_empty() {
        let map = FieldMap::new(logs.fields.clone());
        options = options.fields(map.map_err(|error| UsageError(error.to_string()))?);
    } else if needs_fields {
        let message = "say where things stand in the JSON: --field time=.ts --field client.ip=.ip";
        return Err(UsageError(message.to_owned()));
    }
    if logs
        .format
        .is_some_and(|form| form.as_str() == "log-format")
    {
        let message = "give the format itself: --log-format '$remote_addr - $remote_user …'";
        return Err(UsageError(message.to_owned()));
    }
    Ok(options)
}

/// The key that addresses are hidden by, if they are.
pub(crate) fn hiding(privacy: &Privacy) -> Result<Option<HidingKey>, UsageError> {
    const SHORTEST: usize = 16;
    let Some(variable) = &privacy.anonymize else {
        return Ok(None);
    };
    if variable.is_empty() {
        return Ok(Some(HidingKey::random()));
    }
    let key = std::env::var_os(variable).unwrap_or_default();
    let key = key.into_encoded_bytes();
    if key.len() < SHORTEST {
        return Err(UsageError(format!(
            "{variable} holds {} bytes; a key of {SHORTEST} random bytes or more cannot be guessed: {variable}=$(openssl rand -hex 16)",
            key.len()
        )));
    }
    Ok(Some(HidingKey::new(key)))
}

/// Runs what reads logs, so often, with a progress bar where somebody looks, and an ear for Ctrl-C.
pub(crate) fn run<T>(passes: u32, read: impl FnOnce(&Arc<Progress>) -> T) -> anyhow::Result<T> {
    let progress = Arc::new(Progress::new());
    interrupt::listen(&progress)?;
    let bar = Bar::draw(&progress, passes)?;
    let found = read(&progress);
    bar.end();
    Ok(found)
}

/// Tells what speaks against the map of fields by which logs were read.
pub(crate) fn tell_doubts(options: &ReadOptions) {
    for doubt in options.doubts() {
        let _ = writeln!(stderr(), "tollgate: warning: {doubt}");
    }
}

/// How a command ends that has read logs.
pub(crate) fn ending(is_complete: bool, input: &InputReport, most: Bound) -> ExitCode {
    if !is_complete {
        return ExitCode::from(INTERRUPTED);
    }
    let is_damaged = input.files.iter().any(|file| file.error.is_some());
    if is_damaged {
        return ExitCode::FAILURE;
    }
    if most.is_exceeded(input.rejected, input.lines) {
        return ExitCode::from(2);
    }
    if input.requests == 0 {
        // What is found in nothing would let everything pass.
        let _ = writeln!(
            stderr(),
            "tollgate: there are no requests in {}, so that nothing is told by them",
            match input.files.as_slice() {
                [one] => shown(&one.name),
                many => format!("{} logs", many.len()),
            }
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
