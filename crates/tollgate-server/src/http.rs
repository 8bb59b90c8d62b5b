//! HTTP: forward-auth of proxies, `/v1/check`, and what operators ask.

mod admin;
mod answer;
mod body;
mod check;
mod connection;
mod counted;
mod fields;
mod forward_auth;
mod head_timer;
mod health;
mod json;
mod metrics;
mod openapi;
mod operations;
mod problem;

use std::sync::Arc;

use axum::Router;
use axum::http::{Method, StatusCode, Uri};
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::attributes::shown;
use crate::memory::Memory;
use crate::metrics::{Outcome, Surface};
use crate::net::{Peer, Protocol, Stream};
use crate::seldom::Seldom;
use crate::waiting::Waiting;
use crate::{AdminToken, ServerSettings};
use answer::Routes;
use connection::Common;
use problem::Problem;

pub(crate) use operations::{Known, Operations, OperationsOnly};

/// What a client is told when there are too many connections.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 27\r\nconnection: close\r\n\r\n\
    too many connections here.\n";

/// The HTTP surface.
pub(crate) struct Http {
    routes: Routes,
    common: Common,
}

impl Http {
    pub(crate) fn new(
        engine: Engine,
        settings: &ServerSettings,
        operations: &Operations,
        surface: &Arc<Surface>,
        waiting: &Waiting,
    ) -> Self {
        Self {
            routes: routes_beside(operations.routes(), engine, settings, (surface, waiting)),
            common: Common {
                lifecycle: operations.lifecycle().clone(),
                surface: Arc::clone(surface),
                memory: Memory::new(settings.max_request_memory),
            },
        }
    }
}

/// What all routes have in common.
struct Shared {
    engine: Engine,
    admin_token: Option<AdminToken>,
    max_body: usize,
    surface: Arc<Surface>,
    waiting: Waiting,
    /// Of callers that are no proxies.
    untrusted: Seldom,
    /// Of proxies that do not say what they should.
    unclear: Seldom,
}

/// Decisions over HTTP, as a service: what a [`Server`](crate::Server) serves on its HTTP listener
/// beside what operators ask, without one.
///
/// Whoever calls it says where a request comes from, by the extension
/// [`Peer`](tollgate_http::Peer); without one, forward-auth believes nothing.
pub fn routes(engine: Engine, settings: &ServerSettings) -> Router {
    // Nobody sees its counts, but the bound holds.
    let surface = Surface::new("http", settings.max_requests);
    let waiting = Waiting::new(engine.store_settings().max_waiting);
    routes_beside(Router::new(), engine, settings, (&surface, &waiting)).all
}

/// The same, and others, with the same answers to what is none of them.
fn routes_beside(
    others: Router,
    engine: Engine,
    settings: &ServerSettings,
    (surface, waiting): (&Arc<Surface>, &Waiting),
) -> Routes {
    let shared = Arc::new(Shared {
        engine,
        admin_token: settings.admin_token.clone(),
        max_body: settings.max_body,
        surface: Arc::clone(surface),
        waiting: waiting.clone(),
        untrusted: Seldom::new(),
        unclear: Seldom::new(),
    });
    let others = others
        .merge(admin::routes().with_state(Arc::clone(&shared)))
        .route("/openapi.json", get(openapi::document));
    let (no_path, no_method) = (Arc::clone(surface), Arc::clone(surface));
    let all = Router::new()
        .merge(check::routes())
        .merge(forward_auth::routes())
        .with_state(Arc::clone(&shared))
        .merge(counted::as_other(others, surface))
        .fallback(move |uri: Uri| {
            no_path.count(Outcome::Invalid);
            std::future::ready(no_such_path(&uri))
        })
        .method_not_allowed_fallback(move |method: Method, uri: Uri| {
            no_method.count(Outcome::Invalid);
            std::future::ready(no_such_method(&method, &uri))
        });
    Routes { shared, all }
}

fn no_such_path(uri: &Uri) -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        format!(
            "there is nothing at `{}`; `GET /openapi.json` tells what there is",
            shown(uri.path())
        ),
    )
}

/// The router adds `Allow`.
fn no_such_method(method: &Method, uri: &Uri) -> Problem {
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
    const NAME: &'static str = "http";
    const REFUSAL: &'static [u8] = REFUSAL;

    async fn serve(self: Arc<Self>, stream: Stream, peer: Peer, drain: CancellationToken) {
        let (routes, common) = (self.routes.clone(), self.common.clone());
        connection::serve(routes, common, stream, peer, drain).await;
    }
}
