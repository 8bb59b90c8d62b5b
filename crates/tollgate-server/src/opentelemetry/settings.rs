//! What is exported, whereto, and how: by the variables of OpenTelemetry.

mod endpoint;
mod error;
mod headers;
mod resource;
mod sampler;
mod target;
mod variables;

use std::env::{self, VarError};
use std::time::{Duration, SystemTime};

pub use error::OpenTelemetryError;

pub(super) use endpoint::Endpoint;
pub(super) use resource::Resource;
pub(super) use sampler::Sampler;
pub(super) use target::{Protocol, Target};
use variables::Variables;

/// How often metrics are exported (`OTEL_METRIC_EXPORT_INTERVAL`).
const METRIC_INTERVAL: Duration = Duration::from_secs(60);

/// What the daemon exports by OTLP: metrics, spans, or both. Made from the variables that
/// OpenTelemetry has for it, so that it is configured like all else.
///
/// Headers that it carries are in no `Debug`.
#[derive(Clone, Debug)]
pub struct OpenTelemetry {
    pub(super) resource: Resource,
    pub(super) metrics: Option<MetricsExport>,
    pub(super) traces: Option<TracesExport>,
    /// When what is counted began to be.
    pub(super) started: SystemTime,
}

/// What is exported of metrics.
#[derive(Clone, Debug)]
pub(super) struct MetricsExport {
    pub(super) target: Target,
    pub(super) interval: Duration,
}

/// What is exported of spans.
#[derive(Clone, Debug)]
pub(super) struct TracesExport {
    pub(super) target: Target,
    pub(super) sampler: Sampler,
    pub(super) batches: Batches,
}

/// How spans go together (`OTEL_BSP_…`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Batches {
    /// How long a span waits for others.
    pub(super) delay: Duration,
    /// How many wait at most; what comes then is dropped.
    pub(super) max_waiting: usize,
    /// How many go together at most.
    pub(super) max: usize,
}

impl OpenTelemetry {
    /// What the variables of the process say. `endpoint` is a collector that was named otherwise, and
    /// takes the place of `OTEL_EXPORTER_OTLP_ENDPOINT`. `None` if nothing is to be exported: no
    /// endpoint is named, and no exporter, or `OTEL_SDK_DISABLED` is `true`.
    ///
    /// Blocks: reads certificates. To be called before what is counted begins.
    ///
    /// # Errors
    ///
    /// A variable says what cannot be done; the error names it, and what can.
    pub fn from_environment(endpoint: Option<&str>) -> Result<Option<Self>, OpenTelemetryError> {
        Self::from_variables(endpoint, |name| env::var(name))
    }

    /// The same from other variables than the process's.
    ///
    /// # Errors
    ///
    /// As [`from_environment`](Self::from_environment).
    pub fn from_variables(
        endpoint: Option<&str>,
        variable: impl Fn(&str) -> Result<String, VarError>,
    ) -> Result<Option<Self>, OpenTelemetryError> {
        let variables = Variables::new(&variable);
        if variables.is_true("OTEL_SDK_DISABLED")? {
            return Ok(None);
        }
        let metrics = match Target::read(&variables, Signal::Metrics, endpoint)? {
            Some(target) => Some(MetricsExport::read(&variables, target)?),
            None => None,
        };
        let traces = match Target::read(&variables, Signal::Traces, endpoint)? {
            Some(target) => Some(TracesExport::read(&variables, target)?),
            None => None,
        };
        if metrics.is_none() && traces.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            resource: Resource::read(&variables)?,
            metrics,
            traces,
            started: super::wall_clock(),
        }))
    }

    /// Logs what is exported, and where to: for the begin of a service.
    pub fn log(&self) {
        let shown = |target: Option<&Target>| {
            target.map_or_else(|| "off".to_owned(), |target| target.endpoint.to_string())
        };
        tracing::info!(
            metrics = shown(self.metrics.as_ref().map(|it| &it.target)),
            traces = shown(self.traces.as_ref().map(|it| &it.target)),
            "exporting by OTLP"
        );
    }
}

impl MetricsExport {
    fn read(variables: &Variables<'_>, target: Target) -> Result<Self, OpenTelemetryError> {
        variables.supported(
            "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
            &["cumulative"],
        )?;
        variables.supported(
            "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION",
            &["explicit_bucket_histogram"],
        )?;
        let interval = variables.millis("OTEL_METRIC_EXPORT_INTERVAL")?;
        Ok(Self {
            target,
            interval: interval.unwrap_or(METRIC_INTERVAL),
        })
    }
}

impl TracesExport {
    fn read(variables: &Variables<'_>, target: Target) -> Result<Self, OpenTelemetryError> {
        Ok(Self {
            target,
            sampler: Sampler::read(variables)?,
            batches: Batches::read(variables)?,
        })
    }
}

impl Batches {
    fn read(variables: &Variables<'_>) -> Result<Self, OpenTelemetryError> {
        let delay = variables.millis("OTEL_BSP_SCHEDULE_DELAY")?;
        let max_waiting = variables.number("OTEL_BSP_MAX_QUEUE_SIZE")?.unwrap_or(2048);
        let max = variables.number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE")?;
        Ok(Self {
            delay: delay.unwrap_or(Duration::from_secs(5)),
            max_waiting,
            // No more can ever be there.
            max: max.unwrap_or(512).min(max_waiting),
        })
    }
}

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Metrics,
    Traces,
}

impl Signal {
    /// As it stands in the names of variables.
    const fn in_variables(self) -> &'static str {
        match self {
            Self::Metrics => "METRICS",
            Self::Traces => "TRACES",
        }
    }

    /// As it stands in logs, metrics and paths.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Metrics => "metrics",
            Self::Traces => "traces",
        }
    }

    /// The method of gRPC that takes it.
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Metrics => "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export",
            Self::Traces => "/opentelemetry.proto.collector.trace.v1.TraceService/Export",
        }
    }
}

#[cfg(test)]
mod tests;
