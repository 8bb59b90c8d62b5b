//! Runs the parts that are named as arguments, or all.

use std::path::Path;

use anyhow::{Result, bail};
use tollgate_bench::report::{self, Report};
use tollgate_bench::{
    allocations, child, denials, growth, in_process, matching, memory, middleware, outages,
    selection, sweep,
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
    let asked = selection::parts(&arguments, &PARTS)?;
    report::print_machine()?;
    let mut report = Report::default();
    selection::run_each(&asked, &mut report, run)
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
