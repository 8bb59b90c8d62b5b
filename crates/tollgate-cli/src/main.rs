//! The command `tollgate`: arguments in, words out.

mod arguments;
mod output;
mod try_limits;

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
        Command::Try(arguments) => try_limits::run(arguments),
    };
    match result {
        Ok(code) => code,
        Err(error) if output::reader_has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "tollgate: {error:#}");
            ExitCode::FAILURE
        }
    }
}
