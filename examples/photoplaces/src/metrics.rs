//! What operators see of the limiter: `GET /metrics`, as Prometheus reads it.
//!
//! The route is for the inside: it tells how much is going on, though nothing of anyone. Keep it from
//! the public in the proxy.

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::get;
pub use tollgate_engine::Metrics;

use crate::rate_limit::RateLimits;

/// The format, with the version that it is in.
const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// `GET /metrics`, which brings those of `limits` up to date. It is neither limited nor logged.
pub fn routes(metrics: Metrics, limits: RateLimits) -> Router {
    Router::new()
        .route("/metrics", get(show))
        .with_state((metrics, limits))
}

async fn show(State((metrics, limits)): State<(Metrics, RateLimits)>) -> impl IntoResponse {
    limits.record_metrics();
    ([(header::CONTENT_TYPE, CONTENT_TYPE)], metrics.render())
}
