//! Whether the service can do its work.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::state::AppState;

/// A prober wants an answer, also when the database gives none.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health`.
pub fn routes() -> Router<AppState> {
    Router::new().route("/health", get(health))
}

#[derive(Serialize)]
struct Health {
    status: &'static str,
    database: &'static str,
}

async fn health(State(state): State<AppState>) -> impl IntoResponse {
    let probe = sqlx::query("SELECT 1").execute(state.db.pool());
    match tokio::time::timeout(PATIENCE, probe).await {
        Ok(Ok(_)) => (
            StatusCode::OK,
            Json(Health {
                status: "ok",
                database: "ok",
            }),
        ),
        failed => {
            tracing::warn!(?failed, "the database does not answer");
            let body = Health {
                status: "unavailable",
                database: "unreachable",
            };
            (StatusCode::SERVICE_UNAVAILABLE, Json(body))
        }
    }
}
