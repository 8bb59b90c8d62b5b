//! What surrounds every route: traces, CORS, limits of time and size, and the
//! net under a panic.

use std::any::Any;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_http::trace::{DefaultOnResponse, TraceLayer};
use tracing::{Level, Span};

use crate::config::{Config, CorsOrigins};
use crate::error::AppError;

/// Puts the layers around `routes`, the last one outermost.
pub(crate) fn wrap(routes: Router, config: &Config) -> Router {
    let routes = routes
        .layer(CatchPanicLayer::custom(panicked))
        .layer(DefaultBodyLimit::max(config.body_limit))
        .layer(middleware::from_fn_with_state(
            config.request_timeout,
            time_limit,
        ));
    // Outside of the handlers, so that a preflight request never reaches one.
    let routes = match cors(&config.cors) {
        Some(cors) => routes.layer(cors),
        None => routes,
    };
    routes.layer(
        TraceLayer::new_for_http()
            .make_span_with(span)
            .on_response(DefaultOnResponse::new().level(Level::INFO)),
    )
}

/// The route's pattern instead of the path, which may hold an e-mail address; no
/// query and no header either.
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

/// No layer at all where nobody is allowed: browsers then refuse by themselves.
fn cors(origins: &CorsOrigins) -> Option<CorsLayer> {
    let origins = match origins {
        CorsOrigins::Any => AllowOrigin::any(),
        CorsOrigins::List(list) if list.is_empty() => return None,
        CorsOrigins::List(list) => AllowOrigin::list(list.clone()),
    };
    let layer = CorsLayer::new()
        .allow_origin(origins)
        .allow_methods([
            Method::GET,
            Method::POST,
            Method::PUT,
            Method::PATCH,
            Method::DELETE,
        ])
        .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
        .expose_headers([header::RETRY_AFTER])
        .max_age(Duration::from_secs(60 * 60));
    Some(layer)
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
