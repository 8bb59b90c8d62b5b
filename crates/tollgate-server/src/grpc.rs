//! gRPC: Envoy's `RateLimitService` v3, health and reflection.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};

/// The gRPC surface.
pub(crate) struct Grpc {
    _engine: Engine,
    _surface: Arc<Surface>,
}

impl Grpc {
    pub(crate) const fn new(engine: Engine, surface: Arc<Surface>) -> Self {
        Self {
            _engine: engine,
            _surface: surface,
        }
    }
}

impl Protocol for Grpc {
    const NAME: &'static str = "gRPC";

    async fn serve(self: Arc<Self>, _stream: Stream, _peer: Peer, drain: CancellationToken) {
        drain.cancelled().await;
    }
}
