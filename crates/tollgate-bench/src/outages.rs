//! Tollgate on a store that fails: what requests get, how long they wait, what it costs, and when
//! the store decides again. On real servers, under a load that does not wait for answers.

mod fault;
mod figures;
mod load;
mod process;
mod sample;
mod subject;
mod world;

use std::env;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::report::{Report, Table};
use fault::{Fault, Named};
use figures::Figures;

/// How long a fault lasts that lasts as long as one likes, in seconds.
const SECONDS: &str = "OUTAGE_SECONDS";
/// Which faults: those whose names contain this.
const ONLY: &str = "OUTAGE_ONLY";

const DEFAULT_SECONDS: u64 = 5;

/// Breaks servers in every way there is, one after the other.
///
/// # Errors
///
/// If a fault could not be measured; and if a request got what its policy does not say, more was
/// counted twice than may be, or memory or connections grew beyond their bounds. Times alone are no
/// error: they depend on the machine.
pub fn run(report: &mut Report) -> Result<()> {
    let lasting = seconds()?;
    let only = env::var(ONLY).unwrap_or_default();
    let mut waits = Table::new(
        "Outages: what requests got, and how long they waited in ms, from the fault until the \
         store decided everything again",
        figures::WAITS,
    );
    let mut costs = Table::new(
        "Outages: when the store decided again, and what it cost",
        figures::COSTS,
    );
    let mut broken = Vec::new();
    let mut skipped = Vec::new();
    for Named { name, measure } in fault::all() {
        if !name.contains(&only) {
            continue;
        }
        let fault = Fault { name, lasting };
        match measure(fault) {
            Ok(Some(figures)) => note(&figures, &mut waits, &mut costs, report, &mut broken),
            Ok(None) => skipped.push(name),
            Err(error) => broken.push(format!("{name}: {error:#}")),
        }
    }
    waits.print()?;
    costs.print()?;
    if !skipped.is_empty() {
        let mut table = Table::new("Outages that this store cannot have", [""; 0]);
        skipped.iter().for_each(|name| table.row([*name]));
        table.print()?;
    }
    ensure!(broken.is_empty(), "{}", broken.join("; "));
    Ok(())
}

fn note(
    figures: &Figures,
    waits: &mut Table,
    costs: &mut Table,
    report: &mut Report,
    broken: &mut Vec<String>,
) {
    waits.row(figures.waits());
    costs.row(figures.costs());
    figures.goals(report);
    broken.extend(figures.broken());
}

fn seconds() -> Result<Duration> {
    let Ok(text) = env::var(SECONDS) else {
        return Ok(Duration::from_secs(DEFAULT_SECONDS));
    };
    let seconds = text
        .parse()
        .with_context(|| format!("{SECONDS} is {text:?}, which is no number of seconds"))?;
    Ok(Duration::from_secs(seconds))
}
