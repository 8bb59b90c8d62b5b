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
use crate::waiting::Waiting;

/// All surfaces, and what they have in common.
pub(super) struct Surfaces<'a> {
    engine: Engine,
    settings: &'a ServerSettings,
    certificates: Option<Certificates>,
    workers: Arc<Workers>,
    lifecycle: Lifecycle,
    connections: TaskTracker,
}

impl<'a> Surfaces<'a> {
    pub(super) fn new(
        engine: Engine,
        settings: &'a ServerSettings,
        certificates: Option<Certificates>,
        workers: Arc<Workers>,
        lifecycle: Lifecycle,
    ) -> Self {
        Self {
            engine,
            settings,
            certificates,
            workers,
            lifecycle,
            connections: TaskTracker::new(),
        }
    }

    /// Accepts on all listeners that there are, until their doors close.
    pub(super) async fn serve(&self, listeners: Listeners) {
        let max = self.settings.max_requests;
        let [http, grpc, redis] = ["http", "grpc", "redis"].map(|name| Surface::new(name, max));
        let watched = Surface::new("operations", max);
        let present = [
            (&http, listeners.http.is_some()),
            (&grpc, listeners.grpc.is_some()),
            (&redis, listeners.redis.is_some()),
            (&watched, listeners.operations.is_some()),
        ];
        let operations = Operations::new(Known {
            engine: self.engine.clone(),
            lifecycle: self.lifecycle.clone(),
            surfaces: present
                .into_iter()
                .filter(|(_, is_present)| *is_present)
                .map(|(surface, _)| Arc::clone(surface))
                .collect(),
            certificates: self.certificates.clone(),
            metrics: self.settings.metrics.clone(),
        });
        let engine = || self.engine.clone();
        let waiting = Waiting::new(self.engine.store_settings().max_waiting);
        tokio::join!(
            self.open(
                listeners.http,
                Http::new(engine(), self.settings, &operations, &http, &waiting),
                http,
                self.certificates(SurfaceName::Http),
            ),
            self.open(
                listeners.grpc,
                Grpc::new(
                    engine(),
                    self.lifecycle.clone(),
                    Arc::clone(&grpc),
                    waiting.clone(),
                    Memory::new(self.settings.max_request_memory),
                ),
                grpc,
                self.certificates(SurfaceName::Grpc),
            ),
            self.open(
                listeners.redis,
                Resp::new(engine(), self.settings, Arc::clone(&redis), &waiting),
                redis,
                self.certificates(SurfaceName::Redis),
            ),
            self.open(
                listeners.operations,
                OperationsOnly::new(&operations, self.settings, &watched),
                watched,
                None,
            ),
        );
    }

    /// Waits until nobody is served any more.
    pub(super) async fn end(&self) {
        self.connections.close();
        self.connections.wait().await;
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
