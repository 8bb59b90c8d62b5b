//! Parts that need a process of their own: this program again, told what to do by its arguments.

use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::{growth, middleware, replay, server, sweep};

/// The first argument of a child.
pub const CHILD: &str = "child";

/// Does what `arguments` say, those after [`CHILD`].
///
/// # Errors
///
/// If they make no sense, or the part fails.
pub fn run(arguments: &[String]) -> Result<()> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["growth", limiter] => answer(&growth::child(limiter)?),
        ["sweep", kind] => answer(&sweep::child(kind)?),
        ["replay", log, curves] => answer(&replay::replay_child(log, curves)?),
        ["server", variant] => middleware::serve(variant),
        ["empty", kind, port] => server::serve_empty(kind, port),
        ["daemon", shape, policies, http, grpc, resp] => {
            server::serve_hosted(shape, policies, [http, grpc, resp])
        }
        _ => bail!("a child was started with {arguments:?}, which means nothing"),
    }
}

/// Prints what [`ask`] will read.
///
/// # Errors
///
/// If standard output is closed.
pub fn answer(figures: &[f64]) -> Result<()> {
    let line: Vec<String> = figures.iter().map(f64::to_string).collect();
    writeln!(io::stdout().lock(), "{}", line.join(" "))?;
    Ok(())
}

/// Runs `program` to its end, and reads the `N` figures that it [`answer`]s with.
///
/// # Errors
///
/// If it cannot be started, fails, or answers anything else.
pub fn ask<const N: usize>(program: &Path, arguments: &[&str]) -> Result<[f64; N]> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("starting {}", program.display()))?;
    ensure!(
        output.status.success(),
        "{} {arguments:?} failed: {}",
        program.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let figures: Vec<f64> = text
        .split_whitespace()
        .map(str::parse)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{arguments:?} answered {text:?}"))?;
    figures
        .try_into()
        .ok()
        .with_context(|| format!("{arguments:?} answered {text:?}, not {N} figures"))
}

/// [`ask`]s this program.
///
/// # Errors
///
/// As [`ask`].
pub fn ask_self<const N: usize>(arguments: &[&str]) -> Result<[f64; N]> {
    let program = std::env::current_exe().context("finding this program's own file")?;
    let arguments: Vec<&str> = [CHILD].iter().chain(arguments).copied().collect();
    ask(&program, &arguments)
}
