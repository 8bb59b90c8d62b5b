//! What Prometheus reads.

use std::fmt::{Error, Write as _};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Operations;
use crate::metrics;

/// The format, with the version that it is in.
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// `GET /metrics`: those of the engine, brought up to date, and the daemon's own.
pub(super) async fn show(State(operations): State<Operations>) -> Response {
    match operations.exposition() {
        Ok(text) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

impl Operations {
    /// All metrics, as Prometheus reads them: version 0.0.4 of its text format.
    pub(crate) fn exposition(&self) -> Result<String, Error> {
        self.engine().record_metrics();
        let mut text = self.recorded();
        metrics::write(&mut text, self.surfaces(), self.lifecycle().is_leaving())?;
        self.tracer().write_metrics(&mut text)?;
        if let Some(end) = self.certificate_ends() {
            let name = "tollgate_server_certificate_expiry_timestamp_seconds";
            writeln!(text, "# HELP {name} Until when the certificate is valid.")?;
            writeln!(text, "# TYPE {name} gauge")?;
            writeln!(text, "{name} {end}")?;
        }
        Ok(text)
    }
}
