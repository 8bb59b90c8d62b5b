//! A runtime for each core, or one over all of them.

use anyhow::{Context, Result};

use super::calls::LOADS;
use super::check::bodies;
use super::daemon::{DOMAIN, Daemon, Shape};
use super::process::Place;
use super::resp::THROTTLE;
use super::rounds::{HEADER, Load, Subject, rows, take_turns};
use super::{grpc, tools};
use crate::report::Table;

const SECONDS: u32 = 2;
const SHAPES: [(Shape, &str); 2] = [
    (Shape::RuntimeEach, "a runtime for each core"),
    (Shape::OneRuntime, "one runtime for all cores"),
];
const PLACES: [(Place, &str); 2] = [
    (Place::SecondCore, "a core of its own"),
    (Place::Anywhere, "all cores, shared with the load"),
];

/// Measures the daemon's library in both shapes, on one core and on all.
///
/// # Errors
///
/// If a program is missing or fails.
pub(super) fn run() -> Result<()> {
    let directory = tempfile::tempdir().context("making a directory")?;
    let message = directory.path().join("request");
    grpc::write(&message, &grpc::Request::about(DOMAIN, ["user:000001"]))?;
    let script = directory.path().join("check.lua");
    tools::write_wrk_script(&script, &bodies())?;
    let daemon_for = |shape, place| Daemon::start(shape, place, "memory:");
    for (place, on) in PLACES {
        let daemons = [
            daemon_for(SHAPES[0].0, place)?,
            daemon_for(SHAPES[1].0, place)?,
        ];
        let compare = |title: &str, load: &(dyn Fn(&Daemon) -> Result<Load> + Sync)| {
            let subjects: Vec<Subject> = SHAPES
                .into_iter()
                .zip(&daemons)
                .map(|((_, title), daemon)| Subject::new(title, daemon.process.id(), 0))
                .collect();
            let figures = take_turns(&subjects, |index, _| load(&daemons[index]))?;
            let mut table = Table::new(&format!("Shape: {title}, on {on}"), HEADER);
            for row in rows(&subjects, &figures) {
                table.row(row);
            }
            table.print()
        };
        for (pipeline, requests) in [(1, 200_000), (16, 1_600_000)] {
            compare(&format!("redis-benchmark -P {pipeline} -c 50"), &|daemon| {
                tools::redis_benchmark(daemon.ports.resp, pipeline, requests, &THROTTLE)
            })?;
        }
        for (connections, streams) in LOADS {
            compare(&format!("h2load {connections} × {streams}"), &|daemon| {
                tools::h2load(daemon.ports.grpc, &message, connections, streams, SECONDS)
            })?;
        }
        compare("wrk -t1 -c32", &|daemon| {
            tools::wrk(daemon.ports.http, &script, SECONDS)
        })?;
    }
    Ok(())
}
