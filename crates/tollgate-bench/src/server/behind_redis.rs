//! gRPC with the counts in Redis.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::runtime::{Builder, Runtime};
use tollgate_testkit::RedisServer;

use super::calls::{LOADS, ensure_all_admit};
use super::daemon::{DOMAIN, Daemon, Shape};
use super::process::{Place, address};
use super::rounds::{HEADER, ROUNDS, Subject, rows, take_turns};
use super::{grpc, peers, tools};
use crate::cores;
use crate::report::{Bound, Report, Table};
use crate::statistics::{all_but_one_in, median};
use crate::stopwatch::wall;

const SECONDS: u32 = 2;
/// Calls of a turn, one after the other.
const CALLS: usize = 2_000;
/// Descriptors of a call.
const COUNTS: [usize; 2] = [1, 10];

/// Measures calls a second beside limitador's server, and what further descriptors cost.
///
/// # Errors
///
/// If a program is missing or fails.
pub(super) fn run(report: &mut Report) -> Result<()> {
    // Where the system likes: it shares the load's core when both others are busy.
    let mut redis = RedisServer::start();
    let measured = measure(report, &redis);
    // Not asked to end, since it is looked through then for counts that stay, which limitador leaves.
    redis.kill();
    measured
}

fn measure(report: &mut Report, redis: &RedisServer) -> Result<()> {
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, &redis.url())?;
    throughput(report, redis, &daemon)?;
    descriptors(report, redis, &daemon)
}

fn throughput(report: &mut Report, redis: &RedisServer, daemon: &Daemon) -> Result<()> {
    let directory = tempfile::tempdir().context("making a directory")?;
    let message = directory.path().join("request");
    let request = grpc::Request::about(DOMAIN, ["user:000001"]);
    grpc::write(&message, &request)?;
    let limitador = peers::limitador(directory.path(), Some(&redis.url()))?;
    let (process, port) = (daemon.process.id(), daemon.ports.grpc);
    let mut subjects = vec![Subject::new("tollgate", process, port)];
    if let Some(peer) = &limitador {
        let title = "limitador-server, redis";
        subjects.push(Subject::new(title, peer.process.id(), peer.port));
    }
    ensure_all_admit(&subjects, &request)?;
    for (connections, streams) in LOADS {
        let figures = take_turns(&subjects, |_, subject| {
            tools::h2load(subject.port, &message, connections, streams, SECONDS)
        })?;
        let load = format!("{connections} × {streams}");
        let mut table = Table::new(&format!("gRPC: h2load {load}, with Redis behind"), HEADER);
        for row in rows(&subjects, &figures) {
            table.row(row);
        }
        table.print()?;
        let ratio = match figures[..] {
            [ours, limitador] => ours.rate / limitador.rate,
            _ => f64::NAN,
        };
        report.goal(
            format!("gRPC {load} with Redis: calls/s of limitador-server"),
            Bound::AtLeast(3.0),
            ratio,
        );
    }
    Ok(())
}

/// One call after the other, so that none can share a call of the store with another.
fn descriptors(report: &mut Report, redis: &RedisServer, daemon: &Daemon) -> Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let client = runtime.block_on(grpc::Client::connect(address(daemon.ports.grpc)))?;
    let mut medians = COUNTS.map(|_| Vec::new());
    let mut calls = COUNTS.map(|_| 0);
    for round in 0..=ROUNDS {
        for (index, count) in COUNTS.into_iter().enumerate() {
            let before = script_calls(redis)?;
            let median = cores::on_core(0, || ask_about(&runtime, &client, count))?;
            if round > 0 {
                medians[index].push(median);
                calls[index] += script_calls(redis)? - before;
            }
        }
    }
    let [one, ten] = medians.each_ref().map(|samples| median(samples));
    let mut table = Table::new(
        "gRPC with Redis behind, one call after the other",
        [
            "descriptors",
            "p50 µs",
            "of one",
            "calls of the store a call",
        ],
    );
    let asked = (ROUNDS * CALLS) as f64;
    for ((count, micros), calls) in COUNTS.into_iter().zip([one, ten]).zip(calls) {
        let calls = calls as f64 / asked;
        table.row([
            count.to_string(),
            format!("{micros:.1}"),
            format!("{:.2}", micros / one),
            format!("{calls:.3}"),
        ]);
        report.goal(
            format!("calls of the store a call with {count} descriptors"),
            Bound::AtMost(1.0),
            calls,
        );
    }
    table.print()?;
    report.goal(
        "latency of ten descriptors, of one",
        Bound::AtMost(1.5),
        ten / one,
    );
    Ok(())
}

/// The median of a call's time in microseconds.
fn ask_about(runtime: &Runtime, client: &grpc::Client, descriptors: usize) -> Result<f64> {
    runtime.block_on(async {
        let mut times = Vec::with_capacity(CALLS);
        for number in 0..CALLS {
            let users = (0..descriptors).map(|it| format!("user:{:06}", number + it));
            let message = grpc::framed(&grpc::Request::about(DOMAIN, users));
            let begin = wall();
            client.ask(message.into()).await?;
            times.push(nanos(begin.elapsed()));
        }
        times.sort_unstable();
        Ok(all_but_one_in(&times, 2) as f64 / 1e3)
    })
}

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// How often a script was called since the server began.
fn script_calls(redis: &RedisServer) -> Result<u64> {
    let info = redis.command(&["INFO", "commandstats"]);
    let info = info.text();
    let calls = info.lines().find_map(|line| {
        let calls = line.strip_prefix("cmdstat_evalsha:calls=")?;
        calls.split(',').next()?.parse().ok()
    });
    let calls = calls.context("Redis says nothing of EVALSHA")?;
    ensure!(calls > 0, "the daemon does not ask Redis");
    Ok(calls)
}
