//! The Redis store: what the server, the client library and the store itself cost.

mod benchmark;
mod load;
mod server;
mod subject;

use std::time::Duration;

use anyhow::{Context, Result};
use tokio::runtime::{Builder, Runtime};

use self::benchmark::Benchmark;
pub(crate) use self::benchmark::rate;
use self::load::Load;
use self::server::Server;
use self::subject::{Bare, Case, Store};
use crate::report::{Bound, Report, Table};
use crate::statistics::median;

const ROUNDS: usize = 7;
const PART: Duration = Duration::from_millis(700);
const MANY: usize = 64;

/// Measures every subject in turn, several times round, on a server of its own.
///
/// # Errors
///
/// If there is no `redis-server` or `redis-benchmark`, or one of the calls fails.
pub fn run(report: &mut Report) -> Result<()> {
    let server = Server::start()?;
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("starting a runtime")?;
    throughput(report, &server, &runtime)?;
    costs(report, &server, &runtime)
}

/// Decisions a second, and how long one takes.
fn throughput(report: &mut Report, server: &Server, runtime: &Runtime) -> Result<()> {
    let benchmark = Benchmark::prepare(server)?;
    let bare = runtime.block_on(Bare::connect(server))?;
    let store = runtime.block_on(Store::connect(server, Case::ONE))?;
    let (mut singly, mut piped) = (Vec::new(), Vec::new());
    let mut samples: [Vec<Load>; 4] = Default::default();
    for _ in 0..ROUNDS {
        singly.push(benchmark.run(1)?);
        piped.push(benchmark.run(16)?);
        for (index, samples) in samples.iter_mut().enumerate() {
            samples.push(match index {
                0 => load::put_on(runtime, &bare, 1, PART)?,
                1 => load::put_on(runtime, &store, 1, PART)?,
                2 => load::put_on(runtime, &bare, MANY, PART)?,
                _ => load::put_on(runtime, &store, MANY, PART)?,
            });
        }
    }
    let (singly, piped) = (median(&singly), median(&piped));
    let mut table = Table::new(
        "Redis: decisions of one limit",
        ["", "decisions/s", "of -P 16", "p50 µs", "p99 µs"],
    );
    for (name, rate) in [
        ("redis-benchmark -P 1, 50 clients", singly),
        ("redis-benchmark -P 16, 50 clients", piped),
    ] {
        let share = format!("{:.2}", rate / piped);
        table.row([name.to_owned(), format!("{rate:.0}"), share]);
    }
    let names = [
        "bare EVALSHA, 1 task",
        "RedisStore, 1 task",
        "bare EVALSHA, 64 tasks",
        "RedisStore, 64 tasks",
    ];
    let middle = |samples: &[Load], of: fn(&Load) -> f64| {
        median(&samples.iter().map(of).collect::<Vec<_>>())
    };
    for (name, samples) in names.into_iter().zip(&samples) {
        let rate = middle(samples, |load| load.rate);
        table.row([
            name.to_owned(),
            format!("{rate:.0}"),
            format!("{:.2}", rate / piped),
            format!("{:.1}", middle(samples, |load| load.p50)),
            format!("{:.1}", middle(samples, |load| load.p99)),
        ]);
    }
    table.print()?;
    let [bare, store, _, many] = &samples;
    let rate = middle(many, |load| load.rate);
    report.goal(
        "decisions/s with 64 tasks, of redis-benchmark -P 16",
        Bound::AtLeast(0.8),
        rate / piped,
    );
    report.goal(
        "decisions/s with 64 tasks, of redis-benchmark -P 1",
        Bound::AtLeast(1.5),
        rate / singly,
    );
    report.goal(
        "µs added to the median of a bare EVALSHA, 1 task",
        Bound::AtMost(50.0),
        middle(store, |load| load.p50) - middle(bare, |load| load.p50),
    );
    Ok(())
}

/// What decisions cost the server.
fn costs(report: &mut Report, server: &Server, runtime: &Runtime) -> Result<()> {
    let mut stores = Vec::new();
    for case in Case::ALL {
        stores.push((case, runtime.block_on(Store::connect(server, case))?));
    }
    let mut samples = vec![[const { Vec::new() }; 4]; stores.len()];
    for _ in 0..ROUNDS {
        for ((_, store), samples) in stores.iter().zip(&mut samples) {
            for (tasks, index) in [(1, 0), (MANY, 2)] {
                let before = runtime.block_on(server.usage())?;
                let load = load::put_on(runtime, store, tasks, PART)?;
                let after = runtime.block_on(server.usage())?;
                let decisions = load.decisions as f64;
                samples[index].push((after.script - before.script) / decisions);
                samples[index + 1].push((after.processor - before.processor) / decisions);
            }
        }
    }
    let mut table = Table::new(
        "Redis: µs of the server for a decision, within the script and in all",
        ["", "1 task", "in all", "64 tasks", "in all", "of one limit"],
    );
    let middles: Vec<[f64; 4]> = samples
        .iter()
        .map(|samples| samples.each_ref().map(|samples| median(samples)))
        .collect();
    let one = middles.first().copied().unwrap_or([f64::NAN; 4]);
    for ((case, _), middles) in stores.iter().zip(&middles) {
        let mut row = vec![case.title.to_owned()];
        row.extend(middles.map(|middle| format!("{middle:.2}")));
        row.push(format!("{:.2}", middles[3] / one[3]));
        table.row(row);
        if *case == Case::FOUR {
            let columns = [
                "script, 1 task",
                "in all, 1 task",
                "script, 64",
                "in all, 64",
            ];
            for (column, (four, one)) in columns.into_iter().zip(middles.iter().zip(one)) {
                report.goal(
                    format!("server time for four limits, of one ({column})"),
                    Bound::AtMost(2.0),
                    four / one,
                );
            }
        }
    }
    table.print()
}
