//! Requests that come by the clock, whatever became of the earlier ones.
//!
//! Each has an instant at which it is due, and its latency counts from then: if the server or the
//! client is late, so is the answer, and nothing is left out of what is measured.

mod ask;
mod schedule;

use std::sync::Arc;

use anyhow::{Context, Result};
use tokio::runtime::Builder;

use self::ask::{Ask, Calls, Lines, Posts};
use self::schedule::{Seen, keep};
use super::calls::LOADS;
use super::check::bodies;
use super::daemon::{DOMAIN, Daemon, Shape};
use super::process::{Place, Process, free_port};
use super::resp::THROTTLE;
use super::rounds::{Load, Subject, take_turns};
use super::{child_command, grpc, stalls, tools};
use crate::cores;
use crate::report::{Bound, Report, Table};
use crate::statistics::{all_but_one_in, median};

/// How often each surface has its turn.
const ROUNDS: usize = 5;
const SECONDS: u32 = 2;

/// The surfaces, by the load that finds out how much each can do.
const SURFACES: [&str; 3] = ["Redis protocol", "gRPC", "HTTP"];

/// The servers that say yes to everything, for each of the surfaces that has one.
const EMPTY: [Option<&str>; 3] = [None, Some("grpc"), Some("http")];

/// Finds out what each surface can do, and then asks it at half of that.
///
/// # Errors
///
/// If a program is missing, or a request fails.
pub(super) fn run(report: &mut Report) -> Result<()> {
    stalls::show()?;
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, "memory:")?;
    let most = most(&daemon)?;
    let mut table = Table::new(
        "Open loop: Poisson arrivals at half of what closed loops reached; µs from the instant when due",
        [
            "",
            "most/s",
            "asked/s",
            "p50",
            "p99",
            "p99.9",
            "worst",
            "p99 sent late",
        ],
    );
    for (index, surface) in SURFACES.into_iter().enumerate() {
        let rate = most[index] / 2.0;
        let ports = daemon.ports;
        let port = [ports.resp, ports.grpc, ports.http][index];
        let (p99, row) = measure(surface, index, port, rate)?;
        let most = format!("{:.0}", most[index]);
        table.row([&[surface.to_owned(), most][..], &row].concat());
        report.goal(
            format!("{surface}, open loop at half of the most: p99 in ms"),
            Bound::AtMost(2.0),
            p99 / 1e3,
        );
        // What of it is the client's and the system's.
        if let Some(kind) = EMPTY[index] {
            let port = free_port()?;
            let command = child_command(&["empty", kind, &port.to_string()])?;
            let _empty = Process::start(Place::SecondCore, command, &[port])?;
            let (_, row) = measure(surface, index, port, rate)?;
            let title = format!("  an empty server of {kind}");
            table.row([&[title, String::new()][..], &row].concat());
        }
    }
    table.print()
}

/// The p99 of a server at a rate, in microseconds, and the row that tells of it.
fn measure(surface: &str, index: usize, port: u16, rate: f64) -> Result<(f64, Vec<String>)> {
    let mut seen = Vec::new();
    for round in 0..=ROUNDS {
        // One more than counted, in which connections are made and keys are new.
        let it =
            cores::on_core(0, || once(index, port, rate)).with_context(|| surface.to_owned())?;
        if round > 0 {
            seen.push(it);
        }
    }
    let middle = |of: &dyn Fn(&Seen) -> u64| {
        let samples: Vec<f64> = seen.iter().map(|it| of(it) as f64 / 1e3).collect();
        median(&samples)
    };
    let latency = |share| middle(&|it| all_but_one_in(&it.latencies, share));
    let p99 = latency(100);
    let figures = [
        rate,
        latency(2),
        p99,
        latency(1_000),
        latency(usize::MAX),
        middle(&|it| all_but_one_in(&it.lateness, 100)),
    ];
    Ok((p99, figures.map(|figure| format!("{figure:.0}")).to_vec()))
}

/// Requests a second of closed loops, without pipelines.
fn most(daemon: &Daemon) -> Result<[f64; 3]> {
    let directory = tempfile::tempdir().context("making a directory")?;
    let message = directory.path().join("request");
    grpc::write(&message, &grpc::Request::about(DOMAIN, ["user:000001"]))?;
    let script = directory.path().join("check.lua");
    tools::write_wrk_script(&script, &bodies())?;
    let [_, (connections, streams)] = LOADS;
    let ports = daemon.ports;
    let of = |port, load: &(dyn Fn() -> Result<Load> + Sync)| -> Result<f64> {
        let subject = [Subject::new("tollgate", daemon.process.id(), port)];
        let figures = take_turns(&subject, |_, _| load())?;
        Ok(figures[0].rate)
    };
    Ok([
        of(ports.resp, &|| {
            tools::redis_benchmark(ports.resp, 1, 200_000, &THROTTLE)
        })?,
        of(ports.grpc, &|| {
            tools::h2load(ports.grpc, &message, connections, streams, SECONDS)
        })?,
        of(ports.http, &|| tools::wrk(ports.http, &script, SECONDS))?,
    ])
}

fn once(surface: usize, port: u16, rate: f64) -> Result<Seen> {
    // Answers are looked for after whatever else is done, as one that waits in the socket counts.
    let runtime = Builder::new_current_thread()
        .enable_all()
        .event_interval(1)
        .build()?;
    runtime.block_on(async {
        match surface {
            0 => run_with(Lines::connect(port).await?, rate).await,
            1 => run_with(Calls::connect(port).await?, rate).await,
            _ => run_with(Posts::connect(port).await?, rate).await,
        }
    })
}

async fn run_with<A: Ask>(ask: A, rate: f64) -> Result<Seen> {
    keep(Arc::new(ask), rate, SECONDS).await
}
