//! Spans, in batches.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_util::sync::CancellationToken;

use super::{Link, scope};
use crate::opentelemetry::message::{ResourceSpans, ScopeSpans, Traces};
use crate::opentelemetry::settings::Batches;

/// The longest wait before a batch is tried again.
const LONGEST: Duration = Duration::from_secs(30);

pub(super) struct Task {
    pub(super) link: Link,
    pub(super) batches: Batches,
}

impl Task {
    /// Exports until the end, and what is left then.
    pub(super) async fn run(mut self, ending: CancellationToken) {
        let mut ticks = interval(self.batches.delay);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = self.link.shared.waiting.full.notified() => {}
                () = ending.cancelled() => break,
            }
            self.export_all(&ending).await;
        }
        if !self.link.is_failing() {
            self.export_all(&ending).await;
        }
    }

    /// Exports what waits, until nothing does, or it is the end and something was not taken.
    async fn export_all(&mut self, ending: &CancellationToken) {
        loop {
            let spans = self.link.waiting().take();
            if spans.is_empty() {
                return;
            }
            let count = u64::try_from(spans.len()).unwrap_or(u64::MAX);
            let message = Traces {
                resources: vec![ResourceSpans {
                    resource: Some(self.link.resource.clone()),
                    scopes: vec![ScopeSpans {
                        scope: Some(scope()),
                        spans: spans.into_iter().map(Into::into).collect(),
                    }],
                }],
            };
            if !self.export(&message, ending).await {
                self.link.waiting().count_dropped(count);
            }
            if ending.is_cancelled() && self.link.is_failing() {
                return;
            }
        }
    }

    /// Exports a batch, as often as it takes; false if it is never taken. What comes meanwhile waits,
    /// as far as there is room.
    async fn export(&mut self, message: &Traces, ending: &CancellationToken) -> bool {
        let mut wait = self.batches.delay.min(LONGEST);
        loop {
            let Err(failure) = self.link.export(message).await else {
                return true;
            };
            if !failure.is_passing || ending.is_cancelled() {
                return false;
            }
            // Not all daemons at the same moment.
            let jitter = wait.mul_f64(fastrand::f64() / 4.0);
            let pause = failure.wait.unwrap_or_default().max(wait + jitter);
            tokio::select! {
                () = sleep(pause) => {}
                () = ending.cancelled() => return false,
            }
            wait = (wait * 2).min(LONGEST);
        }
    }
}
