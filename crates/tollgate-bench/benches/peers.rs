//! Runs the parts that are named as arguments, or all.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use tollgate_bench::report::{self, Report};
use tollgate_bench::{
    allocations, child, denials, growth, in_process, matching, memory, middleware, outages, sweep,
};

const PARTS: [&str; 9] = [
    "in-process",
    "memory",
    "allocations",
    "growth",
    "sweep",
    "middleware",
    "matching",
    "denials",
    "outages",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == child::CHILD
    {
        return child::run(rest);
    }
    // cargo adds `--bench`.
    let asked: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    for part in &asked {
        ensure!(
            PARTS.contains(part),
            "no part is called {part:?}: the parts are {PARTS:?}"
        );
    }
    report::print_machine()?;
    let mut report = Report::default();
    let mut failed = Vec::new();
    for part in PARTS {
        if !(asked.is_empty() || asked.contains(&part)) {
            continue;
        }
        if let Err(error) = run(part, &mut report) {
            failed.push(format!("{part}: {error:#}"));
        }
    }
    report.finish()?;
    ensure!(failed.is_empty(), "failed: {}", failed.join("; "));
    Ok(())
}

fn run(part: &str, report: &mut Report) -> Result<()> {
    let counted = Path::new(env!("CARGO_BIN_EXE_counted"));
    match part {
        "in-process" => in_process::run(report),
        "memory" => memory::run(report, counted),
        "allocations" => allocations::run(report, counted),
        "growth" => growth::run(report),
        "sweep" => sweep::run(),
        "middleware" => middleware::run(report),
        "matching" => matching::run(report),
        "denials" => denials::run(report),
        "outages" => outages::run(report),
        _ => bail!("no part is called {part:?}"),
    }
}
