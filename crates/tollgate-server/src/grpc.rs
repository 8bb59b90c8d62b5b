//! gRPC: Envoy's `RateLimitService` v3, health and reflection.

mod answer;
mod bounds;
mod codec;
mod connection;
mod counted;
mod deadline;
mod descriptor;
mod gathered;
mod generated;
mod health;
mod overrides;
mod rate_limit;
mod reflection;
mod services;
mod short;
mod wire;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::lifecycle::Lifecycle;
use crate::memory::Memory;
use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};
use crate::waiting::Waiting;
use counted::Counted;
use services::Services;

/// The gRPC surface.
pub(crate) struct Grpc {
    services: Services,
}

impl Grpc {
    pub(crate) fn new(
        engine: Engine,
        lifecycle: Lifecycle,
        surface: Arc<Surface>,
        waiting: Waiting,
        memory: Arc<Memory>,
    ) -> Self {
        Self {
            services: Services::new(Counted::new(engine, surface, waiting), lifecycle, memory),
        }
    }
}

impl Protocol for Grpc {
    const NAME: &'static str = "grpc";
    // The settings with which HTTP/2 begins, all as they are, and GOAWAY with ENHANCE_YOUR_CALM, by
    // which clients of gRPC know that the resources are exhausted (RFC 9113, sections 3.4 and 6.8).
    const REFUSAL: &'static [u8] = b"\0\0\0\x04\0\0\0\0\0\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x0b";

    async fn serve(self: Arc<Self>, stream: Stream, _peer: Peer, drain: CancellationToken) {
        connection::serve(&self.services, stream, drain).await;
    }
}
