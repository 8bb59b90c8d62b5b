//! HTTP: forward-auth of proxies, `/v1/check`, and what operators ask.

mod admin;
mod body;
mod check;
mod connection;
mod fields;
mod forward_auth;
mod health;
mod json;
mod openapi;
mod problem;
mod seldom;

use std::sync::Arc;

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::attributes::shown;
use crate::net::{Peer, Protocol, Stream};
use crate::{AdminToken, ServerSettings};
use problem::Problem;

/// The HTTP surface.
pub(crate) struct Http {
    routes: Router,
}

impl Http {
    pub(crate) fn new(engine: Engine, settings: &ServerSettings) -> Self {
        Self {
            routes: routes(engine, settings),
        }
    }
}

/// What all routes have in common.
struct Shared {
    engine: Engine,
    admin_token: Option<AdminToken>,
    max_body: usize,
    /// Of callers that are no proxies.
    untrusted: seldom::Seldom,
    /// Of proxies that do not say what they should.
    unclear: seldom::Seldom,
}

/// Everything that is spoken over HTTP, as a service: what a [`Server`](crate::Server) serves on its
/// HTTP listener, without one.
///
/// Whoever calls it says where a request comes from, by the extension
/// [`Peer`](tollgate_http::Peer); without one, forward-auth believes nothing.
pub fn routes(engine: Engine, settings: &ServerSettings) -> Router {
    let health = Router::new()
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .with_state(engine.clone());
    let shared = Arc::new(Shared {
        engine,
        admin_token: settings.admin_token.clone(),
        max_body: settings.max_body,
        untrusted: seldom::Seldom::new(),
        unclear: seldom::Seldom::new(),
    });
    Router::new()
        .merge(check::routes())
        .merge(forward_auth::routes())
        .merge(admin::routes())
        .with_state(shared)
        .route("/openapi.json", get(openapi::document))
        .merge(health)
        .fallback(no_such_path)
        .method_not_allowed_fallback(no_such_method)
}

async fn no_such_path(uri: Uri) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        format!(
            "there is nothing at `{}`; `GET /openapi.json` tells what there is",
            shown(uri.path())
        ),
    )
}

/// The router adds `Allow`.
async fn no_such_method(method: Method, uri: Uri) -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!(
            "`{}` is not asked by {}; the field `Allow` says by what",
            shown(uri.path()),
            shown(method.as_str())
        ),
    )
}

impl Protocol for Http {
    const NAME: &'static str = "HTTP";

    async fn serve(self: Arc<Self>, stream: Stream, peer: Peer, drain: CancellationToken) {
        connection::serve(self.routes.clone(), stream, peer, drain).await;
    }
}
