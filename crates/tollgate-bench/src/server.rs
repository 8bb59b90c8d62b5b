//! The daemon on each of its surfaces, beside servers that do less, and servers of others.

mod behind_redis;
mod calls;
mod check;
mod daemon;
mod empty;
mod footprint;
mod grpc;
mod hosted;
mod open_loop;
mod peers;
mod process;
mod resp;
mod rounds;
mod shape;
mod stalls;
mod tools;

use std::env;
use std::io::{self, Write};
use std::process::Command;

use anyhow::{Result, bail};

pub use self::empty::serve as serve_empty;
pub use self::hosted::serve as serve_hosted;
use crate::child::CHILD;
use crate::report::Report;

/// What can be measured by itself.
pub const PARTS: [&str; 7] = [
    "resp",
    "grpc",
    "http",
    "open-loop",
    "redis",
    "memory",
    "shape",
];

/// Compiles the daemon, and says what is missing.
///
/// # Errors
///
/// If it cannot be compiled, or a program that makes load is not there.
pub fn prepare() -> Result<()> {
    tools::require()?;
    daemon::compile()?;
    let missing = peers::missing();
    if !missing.is_empty() {
        writeln!(
            io::stdout().lock(),
            "left out, since they are not in the directory that TOLLGATE_PEERS names: {}",
            missing.join(", ")
        )?;
    }
    Ok(())
}

/// Measures one of the [`PARTS`].
///
/// # Errors
///
/// If there is no such part, or something fails in it.
pub fn run(part: &str, report: &mut Report) -> Result<()> {
    match part {
        "resp" => resp::run(report),
        "grpc" => calls::run(report),
        "http" => check::run(report),
        "open-loop" => open_loop::run(report),
        "redis" => behind_redis::run(report),
        "memory" => footprint::run(),
        "shape" => shape::run(),
        _ => bail!("no part is called {part:?}"),
    }
}

/// This program again, as a child.
fn child_command(arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(CHILD).args(arguments);
    Ok(command)
}
