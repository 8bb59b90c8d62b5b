//! What it costs to make room: governor's `retain_recent`, which its users must call, beside what
//! happens by itself in a full Tollgate store.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::report::Table;
use crate::{child, cores, keys, statistics, stopwatch};

const KEYS: usize = 1_000_000;
const REPETITIONS: usize = 5;
const SCENARIOS: [(&str, &str); 2] = [
    (
        "governor-keeps-all",
        "governor, retain_recent that drops nothing",
    ),
    (
        "governor-drops-all",
        "governor, retain_recent that drops all",
    ),
];

/// Measures every scenario in turn, several times, each time in a fresh process.
///
/// # Errors
///
/// If a process fails.
pub fn run() -> Result<()> {
    let mut table = Table::new(
        "Making room at 1 M keys: milliseconds",
        ["", "the whole", "worst check meanwhile"],
    );
    for (name, title) in SCENARIOS {
        let mut whole = Vec::new();
        let mut worst = Vec::new();
        for _ in 0..REPETITIONS {
            let [this_whole, this_worst] = child::ask_self(&["sweep", name])?;
            whole.push(this_whole);
            worst.push(this_worst);
        }
        table.row([
            title.to_owned(),
            format!("{:.2}", statistics::median(&whole) / 1e6),
            format!("{:.3}", statistics::median(&worst) / 1e6),
        ]);
    }
    table.print()
}

/// Answers with the nanoseconds of the whole, and of the worst check meanwhile.
///
/// # Errors
///
/// If there is no such scenario, or a thread cannot be pinned.
pub fn child(scenario: &str) -> Result<[f64; 2]> {
    match scenario {
        "governor-keeps-all" => governor(Quota::per_hour(NonZeroU32::MIN)),
        "governor-drops-all" => governor(
            Quota::with_period(Duration::from_nanos(1)).context("a quota without a period")?,
        ),
        _ => bail!("no sweep is called {scenario:?}"),
    }
}

/// One thread sweeps, the other goes on checking.
fn governor(quota: Quota) -> Result<[f64; 2]> {
    let limiter: DefaultKeyedRateLimiter<String> = RateLimiter::keyed(quota);
    let keys = keys::random(KEYS, KEYS, 1);
    for key in &keys::distinct(KEYS) {
        let _ = limiter.check_key(key);
    }
    let swept = AtomicBool::new(false);
    thread::scope(|scope| {
        let sweeper = scope.spawn(|| {
            cores::pin(1)?;
            let begun = stopwatch::wall();
            limiter.retain_recent();
            let whole = begun.elapsed();
            swept.store(true, Ordering::Release);
            Ok::<Duration, anyhow::Error>(whole)
        });
        let worst = cores::on_core(0, || {
            let mut worst = Duration::ZERO;
            for key in keys.iter().cycle() {
                if swept.load(Ordering::Acquire) {
                    break;
                }
                let begun = stopwatch::wall();
                let _ = limiter.check_key(key);
                worst = worst.max(begun.elapsed());
            }
            Ok(worst)
        })?;
        let whole = sweeper
            .join()
            .map_err(|_| anyhow!("the sweeping thread panicked"))?
            .context("sweeping")?;
        Ok([whole.as_secs_f64() * 1e9, worst.as_secs_f64() * 1e9])
    })
}
