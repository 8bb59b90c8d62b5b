//! What it costs to make room: governor's `retain_recent`, which its users must call now and then,
//! beside what a full Tollgate store does by itself at each new key.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use tollgate::{Limiter, MemoryStore};

use crate::growth::Times;
use crate::report::Table;
use crate::{child, cores, keys, statistics, stopwatch};

const KEYS: usize = 1_000_000;
const NEW_KEYS: usize = 100_000;
const REPETITIONS: usize = 5;

/// The name of each scenario, and its title.
const SCENARIOS: [(&str, &str); 5] = [
    (
        "governor-keeps-all",
        "governor, retain_recent that drops nothing",
    ),
    (
        "governor-drops-all",
        "governor, retain_recent that drops all",
    ),
    (
        "tollgate-unused",
        "tollgate, full of unused counts, 100 k new keys",
    ),
    (
        "tollgate-used",
        "tollgate, full of used counts, 100 k new keys",
    ),
    (
        "tollgate-denied",
        "tollgate, full of denied keys, 100 k new keys",
    ),
];

/// Measures every scenario in turn, several times, each time in a fresh process.
///
/// # Errors
///
/// If a process fails.
pub fn run() -> Result<()> {
    let mut samples = vec![[const { Vec::new() }; 3]; SCENARIOS.len()];
    for _ in 0..REPETITIONS {
        for ((name, _), samples) in SCENARIOS.iter().zip(&mut samples) {
            let figures: [f64; 3] = child::ask_self(&["sweep", name])?;
            for (samples, figure) in samples.iter_mut().zip(figures) {
                samples.push(figure);
            }
        }
    }
    let mut table = Table::new(
        "Making room at 1 M keys: milliseconds",
        ["", "the whole", "worst check, wall", "its thread's own"],
    );
    for ((_, title), samples) in SCENARIOS.iter().zip(&samples) {
        let cells = samples.each_ref().map(|samples| {
            let nanos = statistics::median(samples);
            if nanos.is_nan() {
                "-".to_owned()
            } else {
                format!("{:.3}", nanos / 1e6)
            }
        });
        table.row([(*title).to_owned()].into_iter().chain(cells));
    }
    table.print()
}

/// Answers with the nanoseconds of the whole, and of the worst check meanwhile: by the wall's time,
/// and by its thread's own, NaN where that says nothing.
///
/// # Errors
///
/// If there is no such scenario, or a thread cannot be pinned.
pub fn child(scenario: &str) -> Result<[f64; 3]> {
    match scenario {
        "governor-keeps-all" => governor(Quota::per_hour(NonZeroU32::MIN)),
        "governor-drops-all" => governor(
            Quota::with_period(Duration::from_nanos(1)).context("a quota without a period")?,
        ),
        "tollgate-unused" => tollgate("1000000000/s", 1),
        "tollgate-used" => tollgate("10/h", 1),
        "tollgate-denied" => tollgate("2/h", 3),
        _ => bail!("no sweep is called {scenario:?}"),
    }
}

/// One thread sweeps, another goes on checking. That one waits for locks, so its own time says
/// nothing.
fn governor(quota: Quota) -> Result<[f64; 3]> {
    let limiter: DefaultKeyedRateLimiter<String> = RateLimiter::keyed(quota);
    let keys = keys::random(KEYS, KEYS, 1);
    for key in &keys::distinct(KEYS) {
        let _ = limiter.check_key(key);
    }
    let swept = AtomicBool::new(false);
    thread::scope(|scope| {
        let sweeper = scope.spawn(|| {
            let whole = cores::pin(1).map(|()| {
                let begun = stopwatch::wall();
                limiter.retain_recent();
                begun.elapsed()
            });
            // In any case, or the other thread would go on for ever.
            swept.store(true, Ordering::Release);
            whole
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
            .map_err(|_| anyhow!("the sweeping thread panicked"))??;
        Ok([
            whole.as_secs_f64() * 1e9,
            worst.as_secs_f64() * 1e9,
            f64::NAN,
        ])
    })
}

/// One thread brings new keys to a store that is full of keys checked `checks` times each.
fn tollgate(limit: &str, checks: usize) -> Result<[f64; 3]> {
    let store = MemoryStore::builder().max_keys(KEYS).build();
    let limiter = Limiter::builder(store).limit(limit.parse()?).build()?;
    let keys = keys::distinct(KEYS + NEW_KEYS);
    let (known, new) = keys.split_at(KEYS);
    for key in known {
        for _ in 0..checks {
            limiter.check_now(key)?;
        }
    }
    cores::on_core(0, || {
        let mut times = Times::with_capacity(NEW_KEYS);
        let begun = stopwatch::thread_time();
        for key in new {
            times.time(|| limiter.check_now(key))?;
        }
        let whole = stopwatch::thread_time().saturating_sub(begun);
        ensure!(
            limiter.store().evictions() >= NEW_KEYS,
            "only {} keys were dropped for {NEW_KEYS} new ones",
            limiter.store().evictions()
        );
        let [own, _, wall, _] = times.summary();
        Ok([whole.as_secs_f64() * 1e9, wall, own])
    })
}
