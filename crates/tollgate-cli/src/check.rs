//! `tollgate check`: whether policy files can be used, and what they do.

pub(crate) mod json;

use std::io::stdout;
use std::process::ExitCode;

use tollgate_policy::file::{Diagnostics, PolicyFile};

use crate::arguments::{Check, CheckFormat};
use crate::output::{self, is_coloured, reader_has_gone};
use crate::page::Page;
use crate::{painted, policy_file, words};

/// How many errors and warnings all files have.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    errors: usize,
    warnings: usize,
}

pub(crate) fn run(arguments: &Check) -> anyhow::Result<ExitCode> {
    let mut sum = Sum::default();
    for (number, path) in arguments.files.iter().enumerate() {
        let name = policy_file::name(path);
        let read = policy_file::read(path);
        sum.add(found_in(&read));
        let text = match arguments.format {
            CheckFormat::Json => json::line(&name, &read)?,
            CheckFormat::Text => {
                let separator = if number == 0 { "" } else { "\n" };
                format!("{separator}{}", text(&name, &read))
            }
        };
        match output::print(text) {
            // How it ends still tells of the files that nobody reads about.
            Err(error) if reader_has_gone(&error) => {}
            printed => printed?,
        }
    }
    Ok(sum.exit_code(arguments.deny_warnings))
}

impl Sum {
    fn add(&mut self, found: &Diagnostics) {
        self.errors += found.errors();
        self.warnings += found.len() - found.errors();
    }

    fn exit_code(self, deny_warnings: bool) -> ExitCode {
        match self {
            Self { errors: 1.., .. } => ExitCode::FAILURE,
            Self { warnings: 1.., .. } if deny_warnings => ExitCode::from(2),
            _ => ExitCode::SUCCESS,
        }
    }
}

fn found_in(read: &Result<PolicyFile, Diagnostics>) -> &Diagnostics {
    match read {
        Ok(file) => &file.warnings,
        Err(found) => found,
    }
}

/// What people read.
fn text(name: &str, read: &Result<PolicyFile, Diagnostics>) -> String {
    let is_coloured = is_coloured(&stdout());
    let mut page = Page::new(output::width(), is_coloured);
    let found = found_in(read);
    if !found.is_empty() {
        page.raw(&painted::diagnostics(found, is_coloured));
    }
    let warnings = found.len() - found.errors();
    let rest = match (read, warnings) {
        (Err(_), 0) => format!(": {}", words::count(found.errors(), "error")),
        (Ok(_), 0) => ": can be used".to_owned(),
        (Err(_), _) => format!(
            ": {}, {}",
            words::count(found.errors(), "error"),
            words::count(warnings, "warning")
        ),
        (Ok(_), _) => format!(": can be used, {}", words::count(warnings, "warning")),
    };
    page.heading(&output::shown(name), &rest);
    if let Ok(file) = read {
        let rows = [
            words::store(&file.store),
            words::client(&file.client),
            words::response(&file.response),
        ];
        for (label, text) in rows.iter().flatten() {
            page.row(label, text);
        }
        if let Some(text) = words::added(&policy_file::added_attributes(file)) {
            page.row("program adds", &text);
        }
        for policy in file.policies.policies() {
            words::policy(file, policy, &mut page);
        }
    }
    page.into_text()
}
