//! The parts that need an allocator which counts.

use std::alloc::System;

use anyhow::{Result, bail};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use tollgate_bench::{allocations, child, memory};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["memory", limiter] => child::answer(&memory::child(limiter)?),
        ["allocations", limiter] => child::answer(&allocations::child(limiter)?),
        _ => bail!("usage: counted memory|allocations LIMITER"),
    }
}
