//! What surrounds every route, from the outside in: traces, a limit of time, who asks, the place
//! of the rate limiter, a limit of size, and the net under a panic.
//!
//! The caller is known before the limiter runs, so that policies can count by user; an invalid
//! session is refused by handlers only, so that the limiter counts it first. The net is inside of
//! the limiter, so that it sees the 500 of a panic like any other answer.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use crate::caller;
use crate::error::AppError;
use crate::state::AppState;

/// Puts the layers around `routes`. `limit` adds the rate limiter, which sees each request with
/// the [attributes](tollgate_http::RequestAttributes) of its user, if it has one.
pub fn wrap(
    routes: Router<AppState>,
    state: AppState,
    limit: impl FnOnce(Router) -> Router,
) -> Router {
    let config = state.config.clone();
    let routes = routes
        .with_state(state.clone())
        .layer(CatchPanicLayer::custom(panicked))
        .layer(DefaultBodyLimit::max(config.body_limit));
    limit(routes)
        .layer(middleware::from_fn_with_state(state, caller::resolve))
        .layer(middleware::from_fn_with_state(
            config.request_timeout,
            time_limit,
        ))
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                .on_response(DefaultOnResponse::new().level(Level::INFO)),
        )
}

/// The route's pattern instead of the path; no query and no header either.
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
