//! The process's metrics, as Prometheus reads them.

use std::time::Duration;

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};

/// In seconds: around what a store nearby takes, and around the default time-out.
const STORE_SECONDS: [f64; 10] = [
    0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0,
];
/// How often what was measured is summed up, so that it does not pile up if nobody asks.
const UPKEEP: Duration = Duration::from_secs(5);

/// No metrics can be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MetricsError {
    /// The recorder cannot be built.
    #[error("the recorder of metrics cannot be built")]
    Build(#[from] BuildError),
    /// The process has another recorder.
    #[error("the process records metrics already")]
    Installed,
}

/// The metrics of decisions, reloads and stores of this process. Clones are the same.
#[derive(Clone, Debug)]
pub struct Metrics(PrometheusHandle);

impl Metrics {
    /// Begins to record. To be called once, before an [`Engine`](crate::Engine) is opened:
    /// what is counted before is lost.
    ///
    /// # Errors
    ///
    /// The process records metrics already.
    pub fn install() -> Result<Self, MetricsError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(
                Matcher::Full("tollgate_store_seconds".to_owned()),
                &STORE_SECONDS,
            )?
            .build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder).map_err(|_| MetricsError::Installed)?;
        tollgate::describe_store_metrics();
        tollgate_policy::describe_metrics();
        Ok(Self(handle))
    }

    /// As Prometheus reads them: version 0.0.4 of its text format. Call
    /// [`record_metrics`](crate::Engine::record_metrics) before.
    #[must_use]
    pub fn render(&self) -> String {
        self.0.render()
    }

    /// Sums up what was measured, again and again. Never ends.
    pub async fn upkeep(self) {
        let mut ticks = tokio::time::interval(UPKEEP);
        loop {
            ticks.tick().await;
            self.0.run_upkeep();
        }
    }
}
