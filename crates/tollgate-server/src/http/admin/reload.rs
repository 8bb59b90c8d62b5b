//! `POST /v1/reload`.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::http::{HeaderMap, Response, StatusCode};
use serde::Serialize;
use tokio::task::spawn_blocking;
use tollgate_policy::file::Severity;

use super::guard::admit;
use super::in_force::lines;
use crate::http::Shared;
use crate::http::problem::Problem;

/// A file that was read again.
#[derive(Serialize)]
struct Reloaded {
    generation: u64,
    warnings: Vec<String>,
    /// Fields of `[store]` that wait for the next start.
    not_applied: Vec<&'static str>,
}

/// Reads the policy file and puts it in force.
pub(super) async fn reload(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
) -> Result<Response<Body>, Problem> {
    admit(&shared, &headers)?;
    let engine = shared.engine.clone();
    let reloaded = blocking(move || {
        engine.reload().map(|reload| Reloaded {
            generation: engine.generation(),
            warnings: lines(&reload.file.warnings, Severity::Warning),
            not_applied: reload.not_applied,
        })
    });
    match reloaded.await? {
        Ok(reloaded) => json_response(&reloaded),
        Err(found) => Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "the policy file cannot be used; what was in force stays",
        )
        .found(
            lines(&found, Severity::Error),
            lines(&found, Severity::Warning),
        )),
    }
}

/// Runs what may block.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let done = spawn_blocking(work).await;
    // A panic there is in the log.
    done.map_err(|_| {
        let detail = "it went wrong inside the daemon; the log says how";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)
    })
}

/// What is told once in a while.
pub(super) fn json_response(value: &impl Serialize) -> Result<Response<Body>, Problem> {
    let json = serde_json::to_vec(value)
        .map_err(|error| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let mut response = Response::new(Body::from(json));
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    Ok(response)
}
