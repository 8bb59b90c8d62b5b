//! What surrounds every route: traces, CORS, limits of time and size, and the
//! net under a panic.

use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, header};
use examples_common::layers::{catching_panics, traced, within};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::config::{Config, CorsOrigins};

/// Puts the layers around `routes`, the last one outermost.
pub(crate) fn wrap(routes: Router, config: &Config) -> Router {
    let routes = catching_panics(routes).layer(DefaultBodyLimit::max(config.body_limit));
    let routes = within(config.request_timeout, routes);
    // Outside of the handlers, so that a preflight request never reaches one.
    traced(match cors(&config.cors) {
        Some(cors) => routes.layer(cors),
        None => routes,
    })
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
