//! The Redis store, beside `redis-benchmark` on the same server with the same script.

use anyhow::Result;
use tollgate_bench::redis;
use tollgate_bench::report::{self, Report};

fn main() -> Result<()> {
    report::print_machine()?;
    let mut report = Report::default();
    redis::run(&mut report)?;
    report.finish()
}
