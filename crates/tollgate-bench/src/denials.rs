//! A denial that is known in this process, beside asking a store for it.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use tollgate::{Charge, DenialCache, Limit, MemoryStore, Store};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;

use crate::report::{Bound, Report, Table};
use crate::{cores, keys, statistics, stopwatch};

/// Odd, so that a median is a measurement.
const REPETITIONS: usize = 7;
const KEYS: usize = 10_000;
/// Decisions without waiting in one repetition.
const CHECKS: usize = 1 << 20;
/// Decisions that a server makes in one repetition.
const CALLS: usize = 1 << 12;
/// Requests that wait for the server at the same time, and share its connection.
const AT_ONCE: usize = 32;
/// How many times faster than asking a store a known denial should be.
const ASKED: f64 = 20.0;

/// Measures denials by one limit, which every key has used up.
///
/// # Errors
///
/// If a store fails or admits, or a thread cannot be pinned.
pub fn run(report: &mut Report) -> Result<()> {
    let version = Command::new("redis-server").arg("--version").output();
    version.context("there is no redis-server; install it with: apt-get install redis-server")?;
    // Before any thread is pinned, so that the server is not.
    let server = RedisServer::start();
    let limit: Limit = "2/h".parse()?;
    let keys = keys::distinct(KEYS);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let redis = || RedisStore::open(&server.url()).map(Arc::new);

    let memory = MemoryStore::default();
    let cached_memory = DenialCache::new(MemoryStore::default());
    let (redis, cached_redis) = (redis()?, DenialCache::new(redis()?));
    runtime.block_on(async {
        exhaust(&memory, &limit, &keys).await?;
        exhaust(&cached_memory, &limit, &keys).await?;
        exhaust(&redis, &limit, &keys).await?;
        exhaust(&cached_redis, &limit, &keys).await
    })?;

    let mut samples = [const { Vec::new() }; 5];
    cores::on_core(0, || {
        for _ in 0..REPETITIONS {
            let [in_memory, hit, redis_hit, alone, together] = &mut samples;
            in_memory.push(at_once(&memory, &limit, &keys)?);
            hit.push(at_once(&cached_memory, &limit, &keys)?);
            redis_hit.push(at_once(&cached_redis, &limit, &keys)?);
            alone.push(one_by_one(&runtime, &redis, &limit, &keys)?);
            together.push(many_at_once(&runtime, &redis, &limit, &keys)?);
        }
        Ok(())
    })?;

    let medians = samples.map(|samples| statistics::median(&samples));
    let [_, _, hit, _, together] = medians;
    let names = [
        "MemoryStore",
        "DenialCache<MemoryStore>, known",
        "DenialCache<RedisStore>, known",
        "RedisStore, one by one",
        "RedisStore, 32 at once",
    ];
    let mut table = Table::new(
        "A denial: ns, and how many times that of one known",
        ["", "ns", "x"],
    );
    for (name, median) in names.into_iter().zip(medians) {
        table.row([
            name.to_owned(),
            format!("{median:.1}"),
            format!("{:.2}", median / hit),
        ]);
    }
    report.goal(
        "speed of a known denial against asking Redis, 32 at once",
        Bound::AtLeast(ASKED),
        together / hit,
    );
    table.print()
}

async fn exhaust(store: &impl Store, limit: &Limit, keys: &[String]) -> Result<()> {
    for key in keys {
        let charges = [Charge::new(limit, key, 1)];
        while store.decide(&charges).await?.is_allowed() {}
    }
    Ok(())
}

/// Nanoseconds of this thread for a denial that needs no waiting.
fn at_once(store: &impl Store, limit: &Limit, keys: &[String]) -> Result<f64> {
    let began = stopwatch::thread_time();
    for key in keys.iter().cycle().take(CHECKS) {
        let answer = store.decide_at_once(&[Charge::new(limit, key, 1)]);
        let denied = answer.context("a denial that should be known is not")??;
        ensure!(!denied.is_allowed(), "{key} was admitted");
    }
    Ok(nanos(
        stopwatch::thread_time().saturating_sub(began),
        CHECKS,
    ))
}

/// Nanoseconds by the wall's clock for a denial, each asked for when the last has come.
fn one_by_one(
    runtime: &Runtime,
    store: &Arc<RedisStore>,
    limit: &Limit,
    keys: &[String],
) -> Result<f64> {
    let began = stopwatch::wall();
    runtime.block_on(ask(store, limit, keys.iter().cycle().take(CALLS)))?;
    Ok(nanos(began.elapsed(), CALLS))
}

/// The same, where several tasks ask at the same time.
fn many_at_once(
    runtime: &Runtime,
    store: &Arc<RedisStore>,
    limit: &Limit,
    keys: &[String],
) -> Result<f64> {
    let began = stopwatch::wall();
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for task in 0..AT_ONCE {
            let (store, limit) = (Arc::clone(store), limit.clone());
            let keys: Vec<String> = keys
                .iter()
                .cycle()
                .skip(task * CALLS / AT_ONCE)
                .take(CALLS / AT_ONCE)
                .cloned()
                .collect();
            tasks.spawn(async move { ask(&store, &limit, &keys).await });
        }
        while let Some(done) = tasks.join_next().await {
            done??;
        }
        anyhow::Ok(())
    })?;
    Ok(nanos(began.elapsed(), CALLS))
}

async fn ask<'k>(
    store: &RedisStore,
    limit: &Limit,
    keys: impl IntoIterator<Item = &'k String>,
) -> Result<()> {
    for key in keys {
        let denied = store.decide(&[Charge::new(limit, key, 1)]).await?;
        ensure!(!denied.is_allowed(), "{key} was admitted");
    }
    Ok(())
}

fn nanos(elapsed: Duration, decisions: usize) -> f64 {
    elapsed.as_secs_f64() * 1e9 / decisions as f64
}
