//! `/v1/check`, beside a server that reads the same JSON and says yes.

use anyhow::{Context, Result};

use super::daemon::{Daemon, Shape};
use super::process::{Place, Process, free_port};
use super::rounds::{HEADER, Subject, rows, take_turns};
use super::{child_command, tools};
use crate::keys;
use crate::report::{Bound, Report, Table};

const SECONDS: u32 = 2;
/// As many users as a script for `wrk` has room for.
const USERS: usize = 1_000;

/// Measures the daemon and the empty server.
///
/// # Errors
///
/// If a program is missing or fails.
pub(super) fn run(report: &mut Report) -> Result<()> {
    let directory = tempfile::tempdir().context("making a directory")?;
    let script = directory.path().join("check.lua");
    tools::write_wrk_script(&script, &bodies())?;
    let port = free_port()?;
    let command = child_command(&["empty", "http", &port.to_string()])?;
    let empty = Process::start(Place::SecondCore, command, &[port])?;
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, "memory:")?;
    let subjects = [
        Subject::new("empty axum server", empty.id(), port),
        Subject::new(
            "tollgate, /v1/check",
            daemon.process.id(),
            daemon.ports.http,
        ),
    ];
    let figures = take_turns(&subjects, |_, subject| {
        tools::wrk(subject.port, &script, SECONDS)
    })?;
    let title = "HTTP: wrk -t1 -c32, POST of JSON, in memory, the server on a core of its own";
    let mut table = Table::new(title, HEADER);
    for row in rows(&subjects, &figures) {
        table.row(row);
    }
    table.print()?;
    if let [empty, ours] = figures[..] {
        let at_least = Bound::AtLeast(0.85);
        let rate = ours.rate / empty.rate;
        report.goal("HTTP: requests/s of an empty server", at_least, rate);
        report.goal("HTTP: the same by CPU time", at_least, empty.cpu / ours.cpu);
    }
    Ok(())
}

/// What is posted: a request of each user.
pub(super) fn bodies() -> Vec<String> {
    let body = |user| format!(r#"{{"attributes":{{"path":"/orders","user":"{user}"}}}}"#);
    (0..USERS).map(keys::name).map(body).collect()
}
