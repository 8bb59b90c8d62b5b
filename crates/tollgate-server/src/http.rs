//! HTTP: forward-auth of proxies, `/v1/check`, and what operators ask.

mod connection;
mod farewell;
mod health;
mod metrics;
mod operations;

use std::sync::Arc;

use axum::Router;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::lifecycle::Lifecycle;
use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};

pub(crate) use operations::{Known, Operations, OperationsOnly};

/// What a client is told when there are too many connections.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 27\r\nconnection: close\r\n\r\n\
    too many connections here.\n";

/// The HTTP surface.
pub(crate) struct Http {
    routes: Router,
    lifecycle: Lifecycle,
    _surface: Arc<Surface>,
}

impl Http {
    pub(crate) fn new(_engine: Engine, operations: &Operations, surface: Arc<Surface>) -> Self {
        Self {
            routes: operations.routes(),
            lifecycle: operations.lifecycle().clone(),
            _surface: surface,
        }
    }
}

impl Protocol for Http {
    const NAME: &'static str = "HTTP";
    const REFUSAL: &'static [u8] = REFUSAL;

    async fn serve(self: Arc<Self>, stream: Stream, peer: Peer, drain: CancellationToken) {
        let (routes, lifecycle) = (self.routes.clone(), self.lifecycle.clone());
        connection::serve(routes, lifecycle, stream, peer, drain).await;
    }
}
