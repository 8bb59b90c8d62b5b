//! The daemon as a whole.

mod addresses;
mod listeners;
mod surfaces;

use std::future::pending;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use tollgate_engine::Engine;

use crate::lifecycle::Lifecycle;
use crate::net::{Certificates, Listener, Workers};
use crate::trace::Exporting;
use crate::{ServerError, ServerSettings, SurfaceName};

pub use addresses::Addresses;
use listeners::Listeners;
use surfaces::{Parts, Surfaces};

/// What a client may need from connecting to asking: those who connected last are told to go only
/// after it, unless nobody is waited for at all.
const LINGER: Duration = Duration::from_millis(250);

/// A daemon that has its addresses, and does not serve yet.
pub struct Server {
    engine: Engine,
    settings: ServerSettings,
    certificates: Option<Certificates>,
    listeners: Listeners,
    exporting: Exporting,
}

impl Server {
    /// Takes the addresses and the certificates. Connections that come before [`run`](Self::run)
    /// wait.
    ///
    /// # Errors
    ///
    /// There is no address, one cannot be listened on, or the certificates cannot be used.
    pub async fn bind(engine: Engine, settings: ServerSettings) -> Result<Self, ServerError> {
        let certificates = settings.tls.clone().map(Certificates::open).transpose()?;
        Ok(Self {
            listeners: Listeners::bind(&settings).await?,
            engine,
            settings,
            certificates,
            exporting: Exporting::nothing(),
        })
    }

    /// Exports what it counts and decides while it serves.
    #[cfg(feature = "opentelemetry")]
    #[must_use]
    pub fn exporting(self, exports: crate::OpenTelemetry) -> Self {
        Self {
            exporting: Exporting::new(Some(exports)),
            ..self
        }
    }

    /// Where it listens.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        self.listeners.addresses()
    }

    /// The surfaces whose clients must encrypt.
    #[must_use]
    pub fn encrypted(&self) -> Vec<SurfaceName> {
        if self.certificates.is_none() {
            return Vec::new();
        }
        let listeners = &self.listeners;
        let surfaces = [
            (SurfaceName::Http, &listeners.http),
            (SurfaceName::Grpc, &listeners.grpc),
            (SurfaceName::Redis, &listeners.redis),
        ];
        let encrypted = surfaces.into_iter().filter(|(name, listener)| {
            let is_tcp = listener.as_ref().is_some_and(Listener::is_tcp);
            is_tcp && !self.settings.plain.contains(name)
        });
        encrypted.map(|(name, _)| name).collect()
    }

    /// True if their clients must have certificates.
    #[must_use]
    pub fn needs_client_certificates(&self) -> bool {
        let files = self.settings.tls.as_ref();
        files.is_some_and(|files| files.client_ca.is_some()) && !self.encrypted().is_empty()
    }

    /// The certificates, which are read again by whoever holds this.
    #[must_use]
    pub fn certificates(&self) -> Option<Certificates> {
        self.certificates.clone()
    }

    /// Serves until `stop` is ready. Then it is not ready any more, accepts no more after
    /// `drain_delay`, answers what has been asked, and ends when all connections have, or the time
    /// to drain is over; true if they had.
    ///
    /// # Errors
    ///
    /// The threads that serve cannot be made.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<bool, ServerError> {
        self.run_until(stop, pending()).await
    }

    /// The same, but once `hurry` is ready, nothing is delayed any more.
    ///
    /// # Errors
    ///
    /// The threads that serve cannot be made.
    pub async fn run_until(
        self,
        stop: impl Future<Output = ()>,
        hurry: impl Future<Output = ()>,
    ) -> Result<bool, ServerError> {
        let workers = Workers::start(self.settings.workers).map_err(ServerError::Worker)?;
        let lifecycle = Lifecycle::default();
        let upkeep = self.settings.metrics.clone().map(|metrics| {
            // Ends with this.
            tokio_util::task::AbortOnDropHandle::new(tokio::spawn(metrics.upkeep()))
        });
        let mut exporting = self.exporting;
        let parts = Parts {
            engine: self.engine,
            certificates: self.certificates,
            workers,
            lifecycle: lifecycle.clone(),
            tracer: exporting.tracer(),
        };
        let surfaces = Surfaces::new(parts, &self.settings, &self.listeners);
        exporting.start(surfaces.operations());
        let stopping = stop_in_steps(&lifecycle, self.settings.drain_delay, stop, hurry);
        tokio::join!(surfaces.serve(self.listeners), stopping);
        let all = timeout(self.settings.drain, surfaces.end()).await;
        let left = surfaces.connections();
        exporting.end().await;
        drop(upkeep);
        match all {
            Ok(()) => tracing::info!("ended: no connection was cut off"),
            Err(_) => tracing::warn!(
                connections = left,
                "ended: connections were cut off that did not end within --drain"
            ),
        }
        // The threads end here, and with them what has not ended by itself. That blocks, but nothing
        // else is left to do.
        Ok(all.is_ok())
    }
}

async fn stop_in_steps(
    lifecycle: &Lifecycle,
    delay: Duration,
    stop: impl Future<Output = ()>,
    hurry: impl Future<Output = ()>,
) {
    stop.await;
    lifecycle.leave();
    let slowly = async {
        if !delay.is_zero() {
            tracing::info!(
                ?delay,
                "not ready any more: draining begins after the delay"
            );
            sleep(delay).await;
        }
        lifecycle.closing().cancel();
        sleep(LINGER.min(delay)).await;
    };
    tokio::select! {
        () = slowly => {}
        () = hurry => lifecycle.closing().cancel(),
    }
    tracing::info!("draining: no more connections are accepted");
    lifecycle.drain().cancel();
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("addresses", &self.addresses())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
