//! The tasks that export.

mod metrics;
mod traces;

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::OpenTelemetry;
use super::client::{Client, Failure};
use super::health::Health;
use super::message::{Attribute, PartialSuccess, Resource, Scope};
use super::settings::{Signal, Target, TracesExport};
use super::spans::Waiting;
use super::tracer::{Shared, Tracer};
use crate::http::Operations;

/// How long the end of the daemon waits for the last exports.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the daemon exports, if anything, from when it has its addresses to its end.
#[derive(Debug)]
pub(crate) struct Exporting {
    settings: Option<OpenTelemetry>,
    shared: Arc<Shared>,
    tasks: JoinSet<()>,
    ending: CancellationToken,
}

impl Exporting {
    pub(crate) fn nothing() -> Self {
        Self::new(None)
    }

    pub(crate) fn new(settings: Option<OpenTelemetry>) -> Self {
        let traces = settings.as_ref().and_then(|it| it.traces.as_ref());
        let (max, batch) = traces.map_or((0, 1), |it| (it.batches.max_waiting, it.batches.max));
        Self {
            shared: Arc::new(Shared {
                sampler: traces.map(|it| it.sampler),
                waiting: Waiting::new(max, batch),
                tally: super::tally::Tally::default(),
            }),
            settings,
            tasks: JoinSet::new(),
            ending: CancellationToken::new(),
        }
    }

    /// What makes spans.
    pub(crate) fn tracer(&self) -> Tracer {
        match &self.settings {
            Some(_) => Tracer::new(Arc::clone(&self.shared)),
            None => Tracer::nothing(),
        }
    }

    /// Begins to export, in the runtime that calls it.
    pub(crate) fn start(&mut self, operations: &Operations) {
        let Some(settings) = self.settings.take() else {
            return;
        };
        let OpenTelemetry {
            resource,
            metrics,
            traces,
            started,
        } = settings;
        let resource = Resource {
            attributes: resource
                .attributes()
                .map(|(name, value)| Attribute::text(name, value))
                .collect(),
        };
        // What two signals do not reach in the same place is told once.
        let mut healths: Vec<(String, Arc<Health>)> = Vec::new();
        let mut link = |target: Target| {
            let place = format!("{}:{}", target.endpoint.host(), target.endpoint.port());
            let known = healths.iter().find(|(it, _)| *it == place);
            let health = known.map_or_else(Arc::default, |(_, health)| Arc::clone(health));
            healths.push((place, Arc::clone(&health)));
            Link {
                client: Client::new(target),
                health,
                shared: Arc::clone(&self.shared),
                resource: resource.clone(),
                is_partly_told: false,
            }
        };
        if let Some(metrics) = metrics {
            let task = metrics::Task {
                link: link(metrics.target),
                interval: metrics.interval,
                started: super::nanos(super::since_epoch(started)),
                operations: operations.clone(),
            };
            self.tasks.spawn(task.run(self.ending.clone()));
        }
        if let Some(TracesExport {
            target, batches, ..
        }) = traces
        {
            let task = traces::Task {
                link: link(target),
                batches,
            };
            self.tasks.spawn(task.run(self.ending.clone()));
        }
    }

    /// Exports what is left, if that does not take long.
    pub(crate) async fn end(mut self) {
        self.ending.cancel();
        let all = async { while self.tasks.join_next().await.is_some() {} };
        // What has not ended is aborted.
        let _ = timeout(FAREWELL, all).await;
    }
}

/// What exports one signal.
struct Link {
    client: Client,
    health: Arc<Health>,
    shared: Arc<Shared>,
    resource: Resource,
    /// That something of an export was not wanted is told once.
    is_partly_told: bool,
}

impl Link {
    async fn export(&mut self, message: &impl prost::Message) -> Result<(), Failure> {
        let result = self.client.export(message).await;
        let signal = self.signal();
        self.shared.tally.count(signal, result.is_ok());
        match result {
            Ok(partly) => {
                self.health.taken(signal);
                self.taken_partly(partly);
                Ok(())
            }
            Err(failure) => {
                self.health.not_taken(self.client.target(), &failure);
                Err(failure)
            }
        }
    }

    fn taken_partly(&mut self, partly: Option<PartialSuccess>) {
        let Some(PartialSuccess { rejected, message }) = partly else {
            return;
        };
        if self.signal() == Signal::Traces {
            self.waiting()
                .count_dropped(rejected.try_into().unwrap_or(0));
        }
        if !self.is_partly_told {
            self.is_partly_told = true;
            let signal = self.signal().name();
            let said = crate::attributes::shown(&message);
            tracing::warn!(
                signal,
                rejected,
                said,
                "a collector took only a part of an export"
            );
        }
    }

    fn signal(&self) -> Signal {
        self.client.target().signal
    }

    fn waiting(&self) -> &Waiting {
        &self.shared.waiting
    }

    fn is_failing(&self) -> bool {
        self.health.is_failing(self.signal())
    }
}

/// What tells it.
fn scope() -> Scope {
    Scope {
        name: "tollgate".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
    }
}
