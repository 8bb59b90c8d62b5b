//! What surrounds the routes of a service: traces, a limit of time, and the net under a panic.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use crate::error::AppError;

/// Writes each request and its answer to the log.
pub fn traced(routes: Router) -> Router {
    routes.layer(
        TraceLayer::new_for_http()
            .make_span_with(span)
            .on_response(DefaultOnResponse::new().level(Level::INFO)),
    )
}

/// Answers 503 where the routes take longer than `limit`.
pub fn within(limit: Duration, routes: Router) -> Router {
    routes.layer(middleware::from_fn_with_state(limit, time_limit))
}

/// Answers 500 where a handler panics.
pub fn catching_panics(routes: Router) -> Router {
    routes.layer(CatchPanicLayer::custom(panicked))
}

/// The route's pattern instead of the path, which may hold an e-mail address; no query and no
/// header either.
fn span(request: &Request) -> Span {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("-", MatchedPath::as_str);
    tracing::info_span!("request", method = %request.method(), route)
}

async fn time_limit(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    match tokio::time::timeout(limit, next.run(request)).await {
        Ok(response) => response,
        Err(_) => AppError::Timeout.into_response(),
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that the layer asks for"
)]
fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message");
    AppError::internal(text.to_owned()).into_response()
}
