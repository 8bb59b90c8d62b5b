//! The command `tollgate`: arguments in, words out.

mod arguments;
mod check;
mod completions;
mod diff;
mod explain;
mod logs;
mod man;
mod output;
mod page;
mod painted;
mod policy_file;
mod probe;
mod replay;
mod seconds;
mod serve;
mod suggest;
mod try_limits;
mod usage;
mod words;

use std::io::Write;
use std::process::ExitCode;

use arguments::{Arguments, Command};
use clap::Parser;

/// What `sysexits.h` calls a usage error.
const USAGE: u8 = 64;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // If nobody reads it, there is nothing left to say.
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(USAGE)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let result = match &arguments.command {
        Command::Check(arguments) => check::run(arguments),
        Command::Diff(arguments) => diff::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Probe(arguments) => probe::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Serve(arguments) => serve::run(arguments),
        Command::Suggest(arguments) => suggest::run(arguments),
        Command::Try(arguments) => try_limits::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::reader_has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "tollgate: {}", output::complaint(&error));
            if error.is::<usage::UsageError>() {
                ExitCode::from(USAGE)
            } else {
                ExitCode::FAILURE
            }
        }
    }
}
