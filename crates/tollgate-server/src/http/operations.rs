//! What operators ask: part of HTTP, and a surface of its own.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;

use super::connection::Common;
use super::{connection, counted, health, metrics};
use crate::lifecycle::Lifecycle;
use crate::memory::Memory;
use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};
use crate::trace::Tracer;
use crate::{Certificates, Metrics, ServerSettings};

/// What there is to be told. Clones are the same.
#[derive(Clone)]
pub(crate) struct Operations(Arc<Known>);

/// What it is told from.
pub(crate) struct Known {
    pub(crate) engine: Engine,
    pub(crate) lifecycle: Lifecycle,
    pub(crate) surfaces: Vec<Arc<Surface>>,
    pub(crate) certificates: Option<Certificates>,
    pub(crate) metrics: Option<Metrics>,
    pub(crate) tracer: Tracer,
}

impl Operations {
    pub(crate) fn new(known: Known) -> Self {
        Self(Arc::new(known))
    }

    /// `/livez`, `/readyz` and `/metrics`.
    pub(crate) fn routes(&self) -> Router {
        Router::new()
            .route("/livez", get(health::live))
            .route("/readyz", get(health::ready))
            .route("/metrics", get(metrics::show))
            .with_state(self.clone())
    }

    pub(super) fn engine(&self) -> &Engine {
        &self.0.engine
    }

    pub(crate) fn lifecycle(&self) -> &Lifecycle {
        &self.0.lifecycle
    }

    pub(super) fn surfaces(&self) -> &[Arc<Surface>] {
        &self.0.surfaces
    }

    pub(super) fn tracer(&self) -> &Tracer {
        &self.0.tracer
    }

    /// What the recorder has, if there is one.
    pub(super) fn recorded(&self) -> String {
        self.0
            .metrics
            .as_ref()
            .map_or_else(String::new, Metrics::render)
    }

    /// In seconds since the epoch, if there is a certificate.
    pub(super) fn certificate_ends(&self) -> Option<u64> {
        self.0.certificates.as_ref()?.not_after()
    }
}

/// The surface that answers nothing else.
pub(crate) struct OperationsOnly {
    routes: Router,
    common: Common,
}

impl OperationsOnly {
    pub(crate) fn new(
        operations: &Operations,
        settings: &ServerSettings,
        surface: &Arc<Surface>,
    ) -> Self {
        Self {
            routes: counted::as_other(operations.routes(), surface),
            common: Common {
                lifecycle: operations.lifecycle().clone(),
                surface: Arc::clone(surface),
                memory: Memory::new(settings.max_request_memory),
            },
        }
    }
}

impl Protocol for OperationsOnly {
    const NAME: &'static str = "operations";
    const REFUSAL: &'static [u8] = super::REFUSAL;

    async fn serve(self: Arc<Self>, stream: Stream, peer: Peer, drain: CancellationToken) {
        let (routes, common) = (self.routes.clone(), self.common.clone());
        connection::serve(routes, common, stream, peer, drain).await;
    }
}
