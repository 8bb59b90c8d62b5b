//! What is spoken, and by whom it is served.

use std::sync::Arc;

use tokio_util::task::TaskTracker;
use tollgate_engine::Engine;

use super::Listeners;
use crate::ServerSettings;
use crate::grpc::Grpc;
use crate::http::{Http, Known, Operations, OperationsOnly};
use crate::lifecycle::Lifecycle;
use crate::memory::Memory;
use crate::metrics::Surface;
use crate::net::{Certificates, Door, Listener, Protocol, Workers};
use crate::resp::Resp;
use crate::settings::SurfaceName;
use crate::trace::Tracer;
use crate::waiting::Waiting;

/// All surfaces, and what they have in common.
pub(super) struct Surfaces<'a> {
    engine: Engine,
    settings: &'a ServerSettings,
    certificates: Option<Certificates>,
    workers: Arc<Workers>,
    lifecycle: Lifecycle,
    connections: TaskTracker,
    counts: Counts,
    operations: Operations,
}

/// What each surface counts.
struct Counts {
    http: Arc<Surface>,
    grpc: Arc<Surface>,
    redis: Arc<Surface>,
    operations: Arc<Surface>,
}

impl Counts {
    fn new(max: usize, tracer: &Tracer) -> Self {
        let surface = |name| Surface::traced(name, max, tracer.clone());
        Self {
            http: surface("http"),
            grpc: surface("grpc"),
            redis: surface("redis"),
            operations: surface("operations"),
        }
    }

    /// Those of the listeners that there are.
    fn of(&self, listeners: &Listeners) -> Vec<Arc<Surface>> {
        let present = [
            (&self.http, listeners.http.is_some()),
            (&self.grpc, listeners.grpc.is_some()),
            (&self.redis, listeners.redis.is_some()),
            (&self.operations, listeners.operations.is_some()),
        ];
        let present = present.into_iter().filter(|(_, is_present)| *is_present);
        present.map(|(surface, _)| Arc::clone(surface)).collect()
    }
}

/// What surfaces are made of beside their settings.
pub(super) struct Parts {
    pub(super) engine: Engine,
    pub(super) certificates: Option<Certificates>,
    pub(super) workers: Workers,
    pub(super) lifecycle: Lifecycle,
    pub(super) tracer: Tracer,
}

impl<'a> Surfaces<'a> {
    pub(super) fn new(parts: Parts, settings: &'a ServerSettings, listeners: &Listeners) -> Self {
        let counts = Counts::new(settings.max_requests, &parts.tracer);
        let operations = Operations::new(Known {
            engine: parts.engine.clone(),
            lifecycle: parts.lifecycle.clone(),
            surfaces: counts.of(listeners),
            certificates: parts.certificates.clone(),
            metrics: settings.metrics.clone(),
            tracer: parts.tracer,
        });
        Self {
            engine: parts.engine,
            settings,
            certificates: parts.certificates,
            workers: Arc::new(parts.workers),
            lifecycle: parts.lifecycle,
            connections: TaskTracker::new(),
            counts,
            operations,
        }
    }

    /// What operators ask.
    pub(super) const fn operations(&self) -> &Operations {
        &self.operations
    }

    /// Accepts on all listeners that there are, until their doors close.
    pub(super) async fn serve(&self, listeners: Listeners) {
        let operations = &self.operations;
        let Counts {
            http,
            grpc,
            redis,
            operations: watched,
        } = &self.counts;
        let engine = || self.engine.clone();
        let waiting = Waiting::new(self.engine.store_settings().max_waiting);
        tokio::join!(
            self.open(
                listeners.http,
                Http::new(engine(), self.settings, operations, http, &waiting),
                Arc::clone(http),
                self.certificates(SurfaceName::Http),
            ),
            self.open(
                listeners.grpc,
                Grpc::new(
                    engine(),
                    self.lifecycle.clone(),
                    Arc::clone(grpc),
                    waiting.clone(),
                    Memory::new(self.settings.max_request_memory),
                ),
                Arc::clone(grpc),
                self.certificates(SurfaceName::Grpc),
            ),
            self.open(
                listeners.redis,
                Resp::new(engine(), self.settings, Arc::clone(redis), &waiting),
                Arc::clone(redis),
                self.certificates(SurfaceName::Redis),
            ),
            self.open(
                listeners.operations,
                OperationsOnly::new(operations, self.settings, watched),
                Arc::clone(watched),
                None,
            ),
        );
    }

    /// Waits until nobody is served any more.
    pub(super) async fn end(&self) {
        self.connections.close();
        self.connections.wait().await;
    }

    /// How many are served.
    pub(super) fn connections(&self) -> usize {
        self.connections.len()
    }

    /// Those that a surface encrypts with.
    fn certificates(&self, surface: SurfaceName) -> Option<Certificates> {
        let is_plain = self.settings.plain.contains(&surface);
        self.certificates.clone().filter(|_| !is_plain)
    }

    async fn open<P: Protocol>(
        &self,
        listener: Option<Listener>,
        protocol: P,
        surface: Arc<Surface>,
        certificates: Option<Certificates>,
    ) {
        let Some(listener) = listener else {
            return;
        };
        // What comes through a Unix socket comes over no network.
        let certificates = certificates.filter(|_| listener.is_tcp());
        let mut door = Door::new(
            protocol,
            surface,
            certificates,
            Arc::clone(&self.workers),
            self.settings,
        );
        door.closing = self.lifecycle.closing().clone();
        door.drain = self.lifecycle.drain().clone();
        door.connections = self.connections.clone();
        door.stand_open(listener).await;
    }
}
