//! The load: tasks that each decide again as soon as they have an answer.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::runtime::Runtime;
use tokio::time::Instant;

use super::subject::Subject;
use crate::statistics::all_but_one_in;

/// What one run saw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    pub(super) decisions: u64,
    /// Decisions a second.
    pub(super) rate: f64,
    /// The median of a decision's time, in microseconds.
    pub(super) p50: f64,
    /// What one in a hundred takes longer than.
    pub(super) p99: f64,
}

/// Runs `tasks` tasks for a while.
pub(super) fn put_on<S: Subject>(
    runtime: &Runtime,
    subject: &Arc<S>,
    tasks: usize,
    duration: Duration,
) -> Result<Load> {
    runtime.block_on(async {
        let begin = Instant::now();
        let end = begin + duration;
        let running: Vec<_> = (0..tasks)
            .map(|task| tokio::spawn(one(Arc::clone(subject), task, end)))
            .collect();
        let mut times = Vec::new();
        for task in running {
            times.append(&mut task.await.context("a task panicked")??);
        }
        let elapsed = begin.elapsed();
        times.sort_unstable();
        ensure!(!times.is_empty(), "nothing was decided");
        let micros = |nanos: u64| nanos as f64 / 1e3;
        Ok(Load {
            decisions: u64::try_from(times.len())?,
            rate: times.len() as f64 / elapsed.as_secs_f64(),
            p50: micros(all_but_one_in(&times, 2)),
            p99: micros(all_but_one_in(&times, 100)),
        })
    })
}

async fn one<S: Subject>(subject: Arc<S>, task: usize, end: Instant) -> Result<Vec<u64>> {
    let mut times = Vec::new();
    let mut begin = Instant::now();
    let mut number = task.wrapping_mul(7_919);
    while begin < end {
        number = number.wrapping_add(1);
        subject.decide(number % super::subject::KEYS).await?;
        let now = Instant::now();
        times.push(u64::try_from((now - begin).as_nanos())?);
        begin = now;
    }
    Ok(times)
}
