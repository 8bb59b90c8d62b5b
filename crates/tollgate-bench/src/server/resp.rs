//! The Redis protocol, beside a Redis that only counts.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use anyhow::{Context, Result, ensure};
use tollgate_testkit::RedisServer;

use super::daemon::{Daemon, Shape};
use super::process::{Place, address, pin};
use super::rounds::{HEADER, Subject, rows, take_turns};
use super::{peers, tools};
use crate::report::{Bound, Report, Table};

/// More than a run can use, for a key that `redis-benchmark` draws.
pub(super) const THROTTLE: [&str; 5] = [
    "CL.THROTTLE",
    "key:__rand_int__",
    "1000000000",
    "1000000000",
    "3600",
];
/// Requests of a run, without pipelines and with those of sixteen: about two seconds.
const REQUESTS: [(u32, u64); 2] = [(1, 200_000), (16, 1_600_000)];
/// What throttlecrab is asked in pipelines, which it answers so slowly.
const FEW: u64 = 40_000;

/// Measures the daemon, Redis, and throttlecrab's server if it is there.
///
/// # Errors
///
/// If a program is missing or fails.
pub(super) fn run(report: &mut Report) -> Result<()> {
    let daemon = Daemon::start(Shape::Command, Place::SecondCore, "memory:")?;
    let redis = RedisServer::start();
    let redis_process = redis.process_id().context("Redis does not run")?;
    pin(redis_process)?;
    let throttlecrab = peers::throttlecrab()?;
    let mut commands = vec![vec!["INCR", "key:__rand_int__"], THROTTLE.to_vec()];
    let mut subjects = vec![
        Subject::new("redis-server, INCR", redis_process, redis.port()),
        Subject::new(
            "tollgate, CL.THROTTLE",
            daemon.process.id(),
            daemon.ports.resp,
        ),
    ];
    if let Some(peer) = &throttlecrab {
        let mut command = THROTTLE.to_vec();
        command[0] = "THROTTLE";
        commands.push(command);
        let title = "throttlecrab-server, THROTTLE";
        subjects.push(Subject::new(title, peer.process.id(), peer.port));
    }
    for (pipeline, requests) in REQUESTS {
        let figures = take_turns(&subjects, |index, subject| {
            let is_slow = index == 2 && pipeline > 1;
            let requests = if is_slow { FEW } else { requests };
            tools::redis_benchmark(subject.port, pipeline, requests, &commands[index])
        })?;
        let title = format!(
            "Redis protocol: redis-benchmark -P {pipeline} -c 50, 100 k keys, the server on a core of its own"
        );
        let mut table = Table::new(&title, HEADER);
        for row in rows(&subjects, &figures) {
            table.row(row);
        }
        table.print()?;
        if let [redis, ours, ..] = figures[..] {
            let asked = if pipeline == 1 { 0.95 } else { 0.6 };
            report.goal(
                format!("RESP -P {pipeline}: requests/s of Redis's INCR"),
                Bound::AtLeast(asked),
                ours.rate / redis.rate,
            );
            report.goal(
                format!("RESP -P {pipeline}: the same by CPU time"),
                Bound::AtLeast(asked),
                redis.cpu / ours.cpu,
            );
        }
    }
    ensure_admits(daemon.ports.resp, 0..1)
}

/// Asks once about each key, a thousand at a time.
///
/// # Errors
///
/// If one is not admitted.
pub(super) fn ensure_admits(port: u16, keys: std::ops::Range<u32>) -> Result<()> {
    const TOGETHER: usize = 1_000;
    let mut stream = TcpStream::connect(address(port)).context("connecting")?;
    stream.set_nodelay(true)?;
    let mut answers = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    let keys: Vec<u32> = keys.collect();
    for keys in keys.chunks(TOGETHER) {
        let mut commands = String::new();
        for key in keys {
            commands.push_str(&format!(
                "CL.THROTTLE user:{key:07} 1000000000 1000000000 3600\r\n"
            ));
        }
        stream.write_all(commands.as_bytes())?;
        for _ in keys {
            // An array of five numbers, of which the first says whether it was limited.
            for (index, expected) in ["*5", ":0", "", "", "", ""].into_iter().enumerate() {
                line.clear();
                answers.read_line(&mut line)?;
                ensure!(
                    line.ends_with('\n') && line.starts_with(expected),
                    "line {index} of an answer is {line:?}"
                );
            }
        }
    }
    Ok(())
}
