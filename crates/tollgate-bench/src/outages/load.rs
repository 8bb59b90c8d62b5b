//! A load that does not wait for answers: requests come by the clock, however late the earlier ones
//! are, so that those that would have come during a stall are counted too.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use tokio::runtime::{Handle, Runtime};
use tokio::task::{JoinError, JoinSet};
use tollgate_policy::Reason;

use super::fault::pause;
use super::sample::{Sample, Seen, Timer};
use super::subject::{Choice, DEADLINE, Subject};
use crate::stopwatch::wall;

/// The time between two requests: 1,000 a second.
const INTERVAL: Duration = Duration::from_millis(1);

/// Requests that come until they are told to end.
pub(super) struct Load {
    should_end: Arc<AtomicBool>,
    thread: JoinHandle<Result<Coming, JoinError>>,
}

/// Of so many requests one has a bare timer beside it.
const TIMED: usize = 4;

/// Requests that have come.
struct Coming {
    running: JoinSet<Sample>,
    timing: JoinSet<Timer>,
    seen: Seen,
}

impl Coming {
    /// Keeps what has ended, so that it does not pile up.
    fn collect(&mut self) -> Result<(), JoinError> {
        while let Some(sample) = self.running.try_join_next() {
            self.seen.samples.push(sample?);
        }
        while let Some(timer) = self.timing.try_join_next() {
            self.seen.timers.push(timer?);
        }
        Ok(())
    }
}

impl Load {
    /// Begins. Memory for so much time is taken, and touched, at once.
    pub(super) fn start(subject: &Arc<Subject>, runtime: &Handle, lasts: Duration) -> Self {
        let should_end = Arc::new(AtomicBool::new(false));
        let (end, subject, runtime) = (
            Arc::clone(&should_end),
            Arc::clone(subject),
            runtime.clone(),
        );
        let seen = room_for(lasts);
        let thread = thread::spawn(move || {
            let mut coming = Coming {
                running: JoinSet::new(),
                timing: JoinSet::new(),
                seen,
            };
            let mut due = wall();
            for number in 0.. {
                if end.load(Ordering::Relaxed) {
                    break;
                }
                due += INTERVAL;
                pause(due.saturating_duration_since(wall()));
                let subject = Arc::clone(&subject);
                coming
                    .running
                    .spawn_on(async move { one(&subject, number, due).await }, &runtime);
                if number % TIMED == 0 {
                    coming.timing.spawn_on(bare_timer(), &runtime);
                }
                coming.collect()?;
            }
            Ok(coming)
        });
        Self { should_end, thread }
    }

    /// Ends, and waits for the last answers.
    pub(super) fn finish(self, runtime: &Runtime) -> Result<Seen> {
        self.should_end.store(true, Ordering::Relaxed);
        let coming = self.thread.join();
        let mut coming = coming.map_err(|_| anyhow!("the load panicked"))??;
        runtime.block_on(async {
            while let Some(sample) = coming.running.join_next().await {
                coming.seen.samples.push(sample?);
            }
            while let Some(timer) = coming.timing.join_next().await {
                coming.seen.timers.push(timer?);
            }
            Ok(coming.seen)
        })
    }
}

async fn one(subject: &Subject, number: usize, due: Instant) -> Sample {
    let begun = wall();
    let (choice, decision) = subject.decide(number).await;
    Sample {
        choice,
        reason: decision.reason(),
        due,
        begun,
        ended: wall(),
    }
}

async fn bare_timer() -> Timer {
    let begun = wall();
    tokio::time::sleep(DEADLINE).await;
    let ended = wall();
    Timer { begun, ended }
}

fn room_for(lasts: Duration) -> Seen {
    let now = wall();
    let sample = Sample {
        choice: Choice::Deny,
        reason: Reason::Allowed,
        due: now,
        begun: now,
        ended: now,
    };
    let timer = Timer {
        begun: now,
        ended: now,
    };
    let requests = usize::try_from(lasts.as_millis() / INTERVAL.as_millis()).unwrap_or(0);
    let mut seen = Seen {
        samples: vec![sample; requests],
        timers: vec![timer; requests / TIMED],
    };
    seen.samples.clear();
    seen.timers.clear();
    seen
}
