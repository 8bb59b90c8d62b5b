//! How often a check allocates.

use std::path::Path;

use anyhow::{Result, ensure};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region};

use crate::limiters::{self, Answer, Limiter, NAMES, Subject, Tollgate};
use crate::report::{Bound, Report, Table};
use crate::{child, keys};

/// Few enough that a limiter's table has done growing.
const KNOWN_KEYS: usize = 1_000;
const ROUNDS: usize = 100;
const NEW_KEYS: usize = 100_000;

/// Measures every limiter, each in a process made of `counted`.
///
/// # Errors
///
/// If a process fails.
pub fn run(report: &mut Report, counted: &Path) -> Result<()> {
    let mut table = Table::new(
        "Allocations a check",
        ["limiter", "allow", "deny", "key seen for the first time"],
    );
    for name in NAMES {
        let [allow, deny, new] = child::ask(counted, &["allocations", name])?;
        if name == Tollgate::NAME {
            report.goal(
                "allocations a decision, allowed or denied",
                Bound::AtMost(0.0),
                allow.max(deny),
            );
        }
        table.row([
            name.to_owned(),
            format!("{allow:.3}"),
            format!("{deny:.3}"),
            format!("{new:.3}"),
        ]);
    }
    table.print()
}

/// Answers with the allocations a check of the limiter called `name`: allowed, denied, and of a key
/// that it sees for the first time.
///
/// # Errors
///
/// If this process does not count allocations, or the limiter refuses its limit.
pub fn child(name: &str) -> Result<[f64; 3]> {
    let known = keys::distinct(KNOWN_KEYS);
    ensure!(
        INSTRUMENTED_SYSTEM.stats().allocations > 0,
        "this process does not count allocations: run the program `counted`"
    );
    let [allow, deny] = Answer::ALL.map(|answer| {
        let limiter = limiters::by_name(name, answer)?;
        limiters::populate(&*limiter, &known, answer)?;
        Ok::<f64, anyhow::Error>(counted(&*limiter, &known, ROUNDS))
    });
    let new = counted(
        &*limiters::by_name(name, Answer::Allow)?,
        &keys::distinct(NEW_KEYS),
        1,
    );
    Ok([allow?, deny?, new])
}

fn counted(limiter: &dyn Limiter, keys: &[String], rounds: usize) -> f64 {
    let region = Region::new(&INSTRUMENTED_SYSTEM);
    for _ in 0..rounds {
        limiter.check_each(keys);
    }
    let change = region.change();
    (change.allocations + change.reallocations) as f64 / (rounds * keys.len()) as f64
}
