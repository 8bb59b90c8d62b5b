//! Whether the service can do its work.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use tollgate::Store;

use crate::state::AppState;

/// A prober wants an answer, also when Redis gives none.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /health`.
pub fn routes() -> Router<AppState> {
    Router::new().route("/health", get(health))
}

#[derive(Serialize)]
struct Health {
    /// `ok`; `degraded` without Redis; `unavailable` without the database.
    status: &'static str,
    database: &'static str,
    /// Left out where none is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    redis: Option<&'static str>,
    /// The same, as the limiter sees it, which waits less and may have to do other things there.
    #[serde(skip_serializing_if = "Option::is_none")]
    limiter: Option<&'static str>,
}

/// Without the database: 503. Without Redis: 200, though nobody can log in or be recognised,
/// since every process shares it and finds it again by itself; to take this one out of service or
/// to restart it would help nobody.
async fn health(State(state): State<AppState>) -> impl IntoResponse {
    let (database, redis, limiter) = tokio::join!(
        state.db.answers(),
        redis_answers(&state),
        limiter_answers(&state)
    );
    let (code, status) = match (database, redis, limiter) {
        (false, ..) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
        (true, Some(false), _) | (true, _, Some(false)) => (StatusCode::OK, "degraded"),
        (true, ..) => (StatusCode::OK, "ok"),
    };
    let body = Health {
        status,
        database: in_words(database),
        redis: redis.map(in_words),
        limiter: limiter.map(in_words),
    };
    (code, Json(body))
}

const fn in_words(answers: bool) -> &'static str {
    if answers { "ok" } else { "unreachable" }
}

/// Whether the limiter can count. `None` where no Redis is configured.
async fn limiter_answers(state: &AppState) -> Option<bool> {
    state.redis.as_ref()?;
    let probe = state.limiter.policies().store().probe().await;
    if let Err(error) = &probe {
        tracing::warn!(%error, "the limiter cannot count");
    }
    Some(probe.is_ok())
}

/// `None` where no Redis is configured.
async fn redis_answers(state: &AppState) -> Option<bool> {
    let probe = state.redis.as_ref()?.ping();
    Some(matches!(
        tokio::time::timeout(PATIENCE, probe).await,
        Ok(Ok(()))
    ))
}
