//! The clock by which requests come.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use tokio::task::{LocalSet, yield_now};

use super::ask::Ask;
use crate::stopwatch::wall;

/// What a run saw, in nanoseconds, each sorted.
pub(super) struct Seen {
    /// From when a request was due to its answer.
    pub(super) latencies: Vec<u64>,
    /// From when it was due to when the client turned to it: the client's part of the above.
    pub(super) lateness: Vec<u64>,
}

/// Asks `rate` times a second for so many seconds: by the clock, at intervals as of callers who do
/// not know of each other.
///
/// It never sleeps, since timers are not exact enough: between requests it lets answers be read.
pub(super) async fn keep<A: Ask>(ask: Arc<A>, rate: f64, seconds: u32) -> Result<Seen> {
    let dues = dues(rate, seconds);
    let answered = Rc::new(RefCell::new(Vec::with_capacity(dues.len())));
    let failure = Rc::new(RefCell::new(None));
    let mut lateness = Vec::with_capacity(dues.len());
    let tasks = LocalSet::new();
    let running = tasks.run_until(async {
        let begin = wall();
        let mut calls = 0_usize;
        for (number, due) in dues.iter().enumerate() {
            let due = begin + *due;
            while wall() < due {
                yield_now().await;
            }
            lateness.push(nanos_since(due));
            calls += 1;
            let (ask, answered) = (Arc::clone(&ask), Rc::clone(&answered));
            let failure = Rc::clone(&failure);
            tokio::task::spawn_local(async move {
                match ask.ask(number).await {
                    Ok(()) => answered.borrow_mut().push(nanos_since(due)),
                    Err(error) => drop(failure.borrow_mut().get_or_insert(error)),
                }
            });
        }
        while answered.borrow().len() < calls && failure.borrow().is_none() {
            yield_now().await;
        }
    });
    running.await;
    drop(tasks);
    if let Some(error) = failure.borrow_mut().take() {
        return Err(error);
    }
    let mut latencies = answered.take();
    ensure!(!latencies.is_empty(), "nothing was asked");
    latencies.sort_unstable();
    lateness.sort_unstable();
    Ok(Seen {
        latencies,
        lateness,
    })
}

/// When requests are due, from the begin: the same for the same rate.
fn dues(rate: f64, seconds: u32) -> Vec<Duration> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut dues = Vec::new();
    let mut due = 0.0;
    loop {
        due -= (1.0 - random.f64()).ln() / rate;
        if due >= f64::from(seconds) {
            return dues;
        }
        dues.push(Duration::from_secs_f64(due));
    }
}

fn nanos_since(instant: Instant) -> u64 {
    u64::try_from(instant.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[test]
    fn as_many_are_due_as_the_rate_says() {
        let dues = dues(10_000.0, 3);
        assert!((29_000..31_000).contains(&dues.len()), "{}", dues.len());
        assert!(dues.is_sorted());
    }

    /// Answers nobody until the last has asked.
    struct Stalled(tokio::sync::Notify);

    impl Ask for Stalled {
        async fn ask(&self, number: usize) -> Result<()> {
            ensure!(number < usize::MAX);
            self.0.notified().await;
            Ok(())
        }
    }

    #[test]
    fn a_stall_is_in_the_latency_of_all_that_came_meanwhile() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let seen = runtime.block_on(async {
            let ask = Arc::new(Stalled(tokio::sync::Notify::new()));
            let stalled = Arc::clone(&ask);
            let end = async {
                let begin = wall();
                while begin.elapsed() < Duration::from_millis(1_100) {
                    yield_now().await;
                }
                stalled.0.notify_waiters();
                pending::<()>().await;
            };
            tokio::select! {
                seen = keep(ask, 100.0, 1) => seen.unwrap(),
                () = end => unreachable!(),
            }
        });
        // Those that were due first waited for about a second, those due last for a tenth.
        let first = seen.latencies[seen.latencies.len() - 1];
        assert!(first > 900_000_000, "{first}");
        assert!(seen.latencies[0] >= 100_000_000);
    }
}
