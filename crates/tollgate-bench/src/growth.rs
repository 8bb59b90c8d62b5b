//! The worst check while a limiter grows to 1 million keys: what a caller waits when a table is
//! made anew.

use std::slice;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::limiters::{self, Answer, NAMES, Subject, Tollgate};
use crate::report::{Bound, Report, Table};
use crate::{child, cores, keys, statistics, stopwatch};

const KEYS: usize = 1_000_000;
const REPETITIONS: usize = 5;

/// Measures every limiter in turn, several times, each time in a fresh process.
///
/// # Errors
///
/// If a process fails.
pub fn run(report: &mut Report) -> Result<()> {
    let mut samples = vec![[const { Vec::new() }; 4]; NAMES.len()];
    for _ in 0..REPETITIONS {
        for (name, samples) in NAMES.iter().zip(&mut samples) {
            let figures: [f64; 4] = child::ask_self(&["growth", name])?;
            for (samples, figure) in samples.iter_mut().zip(figures) {
                samples.push(figure);
            }
        }
    }
    let mut table = Table::new(
        "Growing to 1 M keys: microseconds of one check (its thread's own time; the wall's is also \
         what the system gave to others)",
        ["limiter", "worst", "p99.99", "worst, wall", "p99.99, wall"],
    );
    for (name, samples) in NAMES.iter().zip(&samples) {
        let medians = samples.each_ref().map(|s| statistics::median(s) / 1e3);
        if *name == Tollgate::NAME {
            report.goal(
                "worst insert while growing to 1 M keys, ms",
                Bound::AtMost(1.0),
                medians[0] / 1e3,
            );
        }
        let cells = medians.map(|micros| format!("{micros:.1}"));
        table.row([name.to_string()].into_iter().chain(cells));
    }
    table.print()
}

/// Answers with nanoseconds of one check: the worst and all but one in ten thousand, by the
/// thread's time and by the wall's.
///
/// # Errors
///
/// If the limiter does not admit every key.
pub fn child(name: &str) -> Result<[f64; 4]> {
    let keys = keys::distinct(KEYS);
    let mut times = Times::with_capacity(KEYS);
    cores::on_core(0, || {
        let limiter = limiters::by_name(name, Answer::Allow)?;
        for key in &keys {
            let admitted = times.time(|| limiter.check_each(slice::from_ref(key)));
            ensure!(admitted == 1, "{name} denied {key}, which its limit allows");
        }
        Ok(())
    })?;
    Ok(times.summary())
}

/// The times of single checks.
#[derive(Debug)]
pub(crate) struct Times {
    own: Vec<u64>,
    wall: Vec<u64>,
}

impl Times {
    /// Room for `checks`, so that noting a time never waits for memory.
    pub(crate) fn with_capacity(checks: usize) -> Self {
        let room = || {
            // Written once, so that the pages are there.
            let mut room = vec![1; checks];
            room.clear();
            room
        };
        Self {
            own: room(),
            wall: room(),
        }
    }

    pub(crate) fn time<T>(&mut self, check: impl FnOnce() -> T) -> T {
        let own = stopwatch::thread_time();
        let wall = stopwatch::wall();
        let answer = check();
        self.wall.push(nanos(wall.elapsed()));
        self.own
            .push(nanos(stopwatch::thread_time().saturating_sub(own)));
        answer
    }

    /// The worst and p99.99 by the thread's time, then by the wall's.
    pub(crate) fn summary(mut self) -> [f64; 4] {
        let [own, wall] = [&mut self.own, &mut self.wall].map(|times| {
            times.sort_unstable();
            let worst = times.last().copied().unwrap_or_default();
            let most = statistics::all_but_one_in(times, 10_000);
            [worst as f64, most as f64]
        });
        [own[0], own[1], wall[0], wall[1]]
    }
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}
