//! gRPC: Envoy's `RateLimitService` v3, health and reflection.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::net::{Peer, Protocol, Stream};

/// The gRPC surface.
pub(crate) struct Grpc {
    _engine: Engine,
}

impl Grpc {
    pub(crate) const fn new(engine: Engine) -> Self {
        Self { _engine: engine }
    }
}

impl Protocol for Grpc {
    const NAME: &'static str = "gRPC";

    async fn serve(self: Arc<Self>, _stream: Stream, _peer: Peer, drain: CancellationToken) {
        drain.cancelled().await;
    }
}
