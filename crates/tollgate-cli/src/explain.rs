//! `tollgate explain`: what policies say to a request, and what its response would carry.

mod answer;
mod json;
mod limiter;
mod raw_request;
mod request;
mod subject;
mod verdict;

use std::io::{IsTerminal, Write, stderr, stdin, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tollgate::{Clock, SystemClock};
use tollgate_policy::Decision;
use tollgate_policy::file::{PolicyFile, nearest};

use crate::arguments::{Attribute, Explain, ExplainFormat};
use crate::output::{self, is_coloured};
use crate::page::Page;
use crate::policy_file::attributes_of;
use crate::usage::UsageError;
use crate::{painted, policy_file};
use limiter::Limiter;
use subject::Subject;

pub(crate) fn run(arguments: &Explain) -> anyhow::Result<ExitCode> {
    let raw = raw_request_of(arguments)?;
    let file = match policy_file::read(&arguments.file) {
        Ok(file) => file,
        Err(found) => {
            let text = painted::diagnostics(&found, is_coloured(&stderr()));
            // How it ends says it too, if nobody reads it.
            let _ = stderr().write_all(text.as_bytes());
            return Ok(ExitCode::FAILURE);
        }
    };
    let subject = match raw {
        Some(path) => {
            let request = raw_request::read(&path, arguments.peer)?;
            Subject::of_request(request, &arguments.attributes)?
        }
        None => {
            let looked_at = attributes_of(&file);
            Subject::of_attributes(&arguments.attributes, &looked_at, &file.client)
        }
    };
    warn_of_unused(&file, &arguments.attributes);
    let at = arguments.at.unwrap_or_else(|| SystemClock::new().now());
    let limiter = limiter::of_file(&file, at);
    for _ in 0..arguments.after {
        let decision = subject.decide(&limiter)?;
        if decision.is_allowed() {
            subject.settle(&limiter, &decision, arguments.status)?;
        }
    }
    let decision = subject.decide(&limiter)?;
    let explained = Explained {
        file: &file,
        subject: &subject,
        limiter: &limiter,
        decision: &decision,
        after: arguments.after,
    };
    output::print(match arguments.format {
        ExplainFormat::Text => text(&explained),
        ExplainFormat::Json => json::line(&policy_file::name(&arguments.file), at, &explained)?,
    })?;
    Ok(ExitCode::SUCCESS)
}

/// All that is told of.
#[derive(Clone, Copy)]
struct Explained<'a> {
    file: &'a PolicyFile,
    subject: &'a Subject,
    limiter: &'a Limiter,
    decision: &'a Decision,
    /// So many requests came before.
    after: u32,
}

/// What people read.
fn text(explained: &Explained<'_>) -> String {
    let Explained {
        file,
        subject,
        limiter,
        decision,
        after,
    } = *explained;
    let mut page = Page::new(output::width(), is_coloured(&stdout()));
    subject.with_attributes(limiter, |attributes| {
        request::write(file, subject, attributes, &mut page);
        verdict::write(file, attributes, decision, &mut page);
    });
    answer::write(limiter, subject, decision, after, &mut page);
    page.into_text()
}

/// Where the raw request is, unless the request is a list of attributes.
fn raw_request_of(arguments: &Explain) -> Result<Option<PathBuf>, UsageError> {
    let standard_input = Path::new("-");
    let has_attributes = !arguments.attributes.is_empty();
    let raw = match &arguments.request {
        Some(path) => path.as_path(),
        None if has_attributes && arguments.peer.is_none() => return Ok(None),
        None if stdin().is_terminal() => {
            return Err(UsageError(
                "there is no request; describe it with --attr client.ip=198.51.100.7 --attr path=/auth/login, or pipe one in".to_owned(),
            ));
        }
        None => standard_input,
    };
    if policy_file::is_standard_input(raw) && policy_file::is_standard_input(&arguments.file) {
        return Err(UsageError(
            "standard input cannot be both the policy file and the request".to_owned(),
        ));
    }
    Ok(Some(raw.to_owned()))
}

/// Tells of attributes that nothing looks at, which are probably misspelt.
fn warn_of_unused(file: &PolicyFile, given: &[Attribute]) {
    let used = attributes_of(file);
    let names: Vec<String> = used.iter().map(ToString::to_string).collect();
    let unused = given.iter().filter(|given| !used.contains(&&given.name));
    for Attribute { name, .. } in unused {
        let meant = nearest(names.iter().map(String::as_str), &name.to_string());
        let help = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
        let _ = writeln!(
            stderr(),
            "tollgate: warning: no policy looks at `{name}`{help}"
        );
    }
}
