//! What is exported by OTLP.

#[cfg(not(feature = "opentelemetry"))]
mod nothing;

#[cfg(not(feature = "opentelemetry"))]
pub(super) use nothing::Exports;

#[cfg(feature = "opentelemetry")]
mod otlp {
    use anyhow::Context;
    use tollgate_server::{OpenTelemetry, Server};

    use crate::arguments::Serve;

    /// Metrics, spans, both, or nothing.
    pub(in super::super) struct Exports(Option<OpenTelemetry>);

    impl Exports {
        pub(in super::super) fn read(arguments: &Serve) -> anyhow::Result<Self> {
            let endpoint = arguments.exports.otlp_endpoint.as_deref();
            let endpoint = endpoint.filter(|it| !it.is_empty());
            let read = OpenTelemetry::from_environment(endpoint);
            Ok(Self(read.context("cannot export by OTLP")?))
        }

        /// The server, which exports it.
        pub(in super::super) fn of(self, server: Server) -> Server {
            let Some(exports) = self.0 else {
                return server;
            };
            exports.log();
            server.exporting(exports)
        }
    }
}

#[cfg(feature = "opentelemetry")]
pub(super) use otlp::Exports;
