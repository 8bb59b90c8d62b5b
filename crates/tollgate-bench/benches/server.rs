//! The daemon: runs the parts that are named as arguments, or all.

use anyhow::Result;
use tollgate_bench::report::{self, Report};
use tollgate_bench::{child, selection, server};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == child::CHILD
    {
        return child::run(rest);
    }
    let asked = selection::parts(&arguments, &server::PARTS)?;
    report::print_machine()?;
    server::prepare()?;
    selection::run_each(&asked, &mut Report::default(), server::run)
}
