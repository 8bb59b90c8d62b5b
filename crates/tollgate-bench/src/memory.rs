//! What a key costs in memory, each limiter in a fresh process.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::slice;

use anyhow::{Context, Result, ensure};
use stats_alloc::INSTRUMENTED_SYSTEM;

use crate::child;
use crate::limiters::{self, Answer, NAMES, Subject, Tollgate};
use crate::report::{Bound, Report, Table};

const KEYS: usize = 1_000_000;

/// Measures every limiter, each in a process made of `counted`.
///
/// # Errors
///
/// If a process fails.
pub fn run(report: &mut Report, counted: &Path) -> Result<()> {
    let mut table = Table::new(
        "Memory at 1 M keys: bytes a key",
        [
            "limiter",
            "resident",
            "x",
            "at its peak",
            "asked of the allocator",
        ],
    );
    let mut ours = f64::NAN;
    for name in NAMES {
        let [resident, peak, allocated] = child::ask(counted, &["memory", name])?;
        if name == Tollgate::NAME {
            ours = resident;
            report.goal(
                "bytes a key at 1 M keys, resident",
                Bound::AtMost(48.0),
                resident,
            );
        }
        table.row([
            name.to_owned(),
            format!("{resident:.1}"),
            format!("{:.2}", resident / ours),
            format!("{peak:.1}"),
            format!("{allocated:.1}"),
        ]);
    }
    table.print()
}

/// Shows a million keys to the limiter called `name`, and answers with its bytes a key: resident,
/// resident at most, and asked of the allocator.
///
/// # Errors
///
/// If the limiter does not admit all, or `/proc` cannot be read.
pub fn child(name: &str) -> Result<[f64; 3]> {
    let mut key = String::with_capacity(32);
    let resident = kibibytes("VmRSS")?;
    let allocated = held();
    let limiter = limiters::by_name(name, Answer::Allow)?;
    for number in 0..KEYS {
        key.clear();
        write!(key, "user:{number:06}")?;
        let admitted = limiter.check_each(slice::from_ref(&key));
        ensure!(admitted == 1, "{name} denied {key}, which its limit allows");
    }
    let per_key = |bytes: f64| bytes / KEYS as f64;
    Ok([
        per_key(1024.0 * (kibibytes("VmRSS")? - resident)),
        per_key(1024.0 * (kibibytes("VmHWM")? - resident)),
        per_key(held() - allocated),
    ])
}

/// The bytes that the counting allocator has given out and not got back.
fn held() -> f64 {
    let stats = INSTRUMENTED_SYSTEM.stats();
    stats.bytes_allocated as f64 - stats.bytes_deallocated as f64
}

/// A size of this process, by its name in `/proc/self/status`.
pub(crate) fn kibibytes(name: &str) -> Result<f64> {
    let status = fs::read_to_string("/proc/self/status")
        .context("reading /proc/self/status: memory is measured on Linux only")?;
    status
        .lines()
        .filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
        .find_map(|size| size.trim().strip_suffix(" kB")?.parse().ok())
        .with_context(|| format!("/proc/self/status has no size {name}"))
}
