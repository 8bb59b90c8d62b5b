//! gRPC: Envoy's `RateLimitService` v3, health and reflection.

mod answer;
mod bounds;
mod codec;
mod connection;
mod deadline;
mod descriptor;
mod gathered;
mod generated;
mod health;
mod overrides;
mod rate_limit;
mod reflection;
mod services;

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use crate::net::{Peer, Protocol, Stream};
use services::Services;

/// The gRPC surface.
pub(crate) struct Grpc {
    services: Services,
}

impl Grpc {
    pub(crate) fn new(engine: Engine) -> Self {
        Self {
            services: Services::new(engine),
        }
    }
}

impl Protocol for Grpc {
    const NAME: &'static str = "gRPC";

    async fn serve(self: Arc<Self>, stream: Stream, _peer: Peer, drain: CancellationToken) {
        connection::serve(&self.services, stream, drain).await;
    }
}
