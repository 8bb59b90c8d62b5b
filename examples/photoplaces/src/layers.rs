//! What surrounds every route, from the outside in: traces, a limit of time, who asks, the place
//! of the rate limiter, a limit of size, and the net under a panic.
//!
//! The caller is known before the limiter runs, so that policies can count by user; an invalid
//! session is refused by handlers only, so that the limiter counts it first. The net is inside of
//! the limiter, so that it sees the 500 of a panic like any other answer.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware;
use examples_common::layers::{catching_panics, traced, within};

use crate::caller;
use crate::state::AppState;

/// Puts the layers around `routes`. `limit` adds the rate limiter, which sees each request with
/// the [attributes](tollgate_http::RequestAttributes) of its user, if it has one.
pub fn wrap(
    routes: Router<AppState>,
    state: AppState,
    limit: impl FnOnce(Router) -> Router,
) -> Router {
    let config = state.config.clone();
    let routes = catching_panics(routes.with_state(state.clone()))
        .layer(DefaultBodyLimit::max(config.body_limit));
    let routes = limit(routes).layer(middleware::from_fn_with_state(state, caller::resolve));
    traced(within(config.request_timeout, routes))
}
