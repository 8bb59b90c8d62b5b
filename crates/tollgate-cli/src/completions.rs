//! `tollgate completions`: what makes a shell complete the command.

use std::process::ExitCode;

use clap::CommandFactory;

use crate::arguments::{Arguments, Completions};
use crate::output;

pub(crate) fn run(arguments: &Completions) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    let mut command = Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "tollgate", &mut script);
    output::print(script)?;
    Ok(ExitCode::SUCCESS)
}
