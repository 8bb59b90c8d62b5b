//! Metrics, every so often.

use std::time::Duration;

use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use super::{Link, scope};
use crate::http::Operations;
use crate::opentelemetry::exposition::{self, Times};
use crate::opentelemetry::message::{Metrics, ResourceMetrics, ScopeMetrics};

pub(super) struct Task {
    pub(super) link: Link,
    pub(super) interval: Duration,
    /// When counters were zero, in nanoseconds since the epoch.
    pub(super) started: u64,
    pub(super) operations: Operations,
}

impl Task {
    /// Exports until the end, and once more then. An export that is not taken is not repeated: the
    /// next one has all that it had.
    pub(super) async fn run(mut self, ending: CancellationToken) {
        let mut ticks = interval(self.interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => self.export().await,
                () = ending.cancelled() => break,
            }
        }
        if !self.link.is_failing() {
            self.export().await;
        }
    }

    async fn export(&mut self) {
        let now = super::super::since_epoch(super::super::wall_clock());
        let times = Times {
            start: self.started,
            now: super::super::nanos(now),
        };
        let Ok(text) = self.operations.exposition() else {
            return;
        };
        let message = Metrics {
            resources: vec![ResourceMetrics {
                resource: Some(self.link.resource.clone()),
                scopes: vec![ScopeMetrics {
                    scope: Some(scope()),
                    metrics: exposition::read(&text, times),
                }],
            }],
        };
        // What went wrong is in the log.
        let _ = self.link.export(&message).await;
    }
}
