//! What the daemon takes of the machine's memory.

use anyhow::Result;

use super::daemon::{Daemon, Shape};
use super::process::Place;
use super::resp::ensure_admits;
use crate::report::Table;

const KEYS: u32 = 1_000_000;

/// Looks at a daemon that was never asked, and shows it a million keys.
///
/// # Errors
///
/// If one of them is not admitted, or `/proc` cannot be read.
pub(super) fn run() -> Result<()> {
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, "memory:")?;
    let idle = daemon.resident()?;
    ensure_admits(daemon.ports.resp, 0..KEYS)?;
    let full = daemon.resident()?;
    let mut table = Table::new("The daemon's resident set", ["", "MiB", "bytes a key"]);
    table.row(["idle".to_owned(), format!("{:.1}", idle / 1024.0)]);
    table.row([
        "with 1 M keys".to_owned(),
        format!("{:.1}", full / 1024.0),
        format!("{:.1}", (full - idle) * 1024.0 / f64::from(KEYS)),
    ]);
    table.print()
}
