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
    // The settings with which HTTP/2 begins, all as they are, and GOAWAY with ENHANCE_YOUR_CALM, by
    // which clients of gRPC know that the resources are exhausted (RFC 9113, sections 3.4 and 6.8).
    const REFUSAL: &'static [u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x0b";

    async fn serve(self: Arc<Self>, _stream: Stream, _peer: Peer, drain: CancellationToken) {
        drain.cancelled().await;
    }
}
