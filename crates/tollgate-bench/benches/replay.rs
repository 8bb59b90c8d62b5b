//! Access logs: runs the parts that are named as arguments, or all.

use anyhow::Result;
use tollgate_bench::report::{self, Report};
use tollgate_bench::{child, replay, selection};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some((first, rest)) = arguments.split_first()
        && first == child::CHILD
    {
        return child::run(rest);
    }
    let asked = selection::parts(&arguments, &replay::PARTS)?;
    report::print_machine()?;
    replay::prepare()?;
    selection::run_each(&asked, &mut Report::default(), replay::run)
}
