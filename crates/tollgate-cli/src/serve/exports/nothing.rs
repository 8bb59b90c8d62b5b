//! Nothing can be exported: says so where it is asked for.

use std::env;

use tollgate_server::Server;

use crate::arguments::Serve;

/// Variables that ask for it.
const ASKING: [&str; 3] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];

/// Nothing.
pub(in super::super) struct Exports(());

impl Exports {
    /// An option is meant for this command, and an error. A variable may be there for every process
    /// of a machine, and is a warning.
    pub(in super::super) fn read(arguments: &Serve) -> anyhow::Result<Self> {
        let endpoint = arguments.exports.otlp_endpoint.as_deref();
        if endpoint.is_some_and(|it| !it.is_empty()) {
            anyhow::bail!(
                "--otlp-endpoint: this command was built without OpenTelemetry; build it with \
                 `--features opentelemetry`, or leave the option out"
            );
        }
        let is_set = |name: &&&str| env::var_os(**name).is_some_and(|value| !value.is_empty());
        if let Some(variable) = ASKING.iter().find(is_set) {
            tracing::warn!(
                variable,
                "nothing is exported: this command was built without OpenTelemetry; build it with \
                 `--features opentelemetry`"
            );
        }
        Ok(Self(()))
    }

    pub(in super::super) fn of(self, server: Server) -> Server {
        server
    }
}
