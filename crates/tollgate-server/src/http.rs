//! HTTP: forward-auth of proxies, `/v1/check`, and what operators ask.

mod connection;
mod health;

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::net::{Peer, Protocol, Stream};

/// The HTTP surface.
pub(crate) struct Http {
    routes: Router,
}

impl Http {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            routes: routes(engine),
        }
    }
}

fn routes(engine: Engine) -> Router {
    Router::new()
        .route("/livez", get(health::live))
        .route("/readyz", get(health::ready))
        .with_state(engine)
}

impl Protocol for Http {
    const NAME: &'static str = "HTTP";

    async fn serve(self: Arc<Self>, stream: Stream, peer: Peer, drain: CancellationToken) {
        connection::serve(self.routes.clone(), stream, peer, drain).await;
    }
}
