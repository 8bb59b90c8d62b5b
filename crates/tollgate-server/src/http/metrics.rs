//! What Prometheus reads.

use std::fmt::Write as _;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Operations;
use crate::metrics;

/// The format, with the version that it is in.
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// `GET /metrics`: those of the engine, brought up to date, and the daemon's own.
pub(super) async fn show(State(operations): State<Operations>) -> Response {
    operations.engine().record_metrics();
    let mut text = operations.recorded();
    match write(&operations, &mut text) {
        Ok(()) => ([(header::CONTENT_TYPE, CONTENT_TYPE)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn write(operations: &Operations, text: &mut String) -> std::fmt::Result {
    metrics::write(
        text,
        operations.surfaces(),
        operations.lifecycle().is_leaving(),
    )?;
    if let Some(end) = operations.certificate_ends() {
        let name = "tollgate_server_certificate_expiry_timestamp_seconds";
        writeln!(text, "# HELP {name} Until when the certificate is valid.")?;
        writeln!(text, "# TYPE {name} gauge")?;
        writeln!(text, "{name} {end}")?;
    }
    Ok(())
}
