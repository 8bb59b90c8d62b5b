//! The daemon as a whole.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tollgate_engine::Engine;

use crate::grpc::Grpc;
use crate::http::Http;
use crate::net::{Listener, Protocol, Workers, accept};
use crate::resp::Resp;
use crate::{ListenAddress, ServerError, ServerSettings};

/// A daemon that has its addresses, and does not serve yet.
pub struct Server {
    engine: Engine,
    settings: ServerSettings,
    http: Option<Listener>,
    grpc: Option<Listener>,
    redis: Option<Listener>,
}

/// Where a daemon listens, with the ports that were taken.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addresses {
    /// HTTP.
    pub http: Option<ListenAddress>,
    /// gRPC.
    pub grpc: Option<ListenAddress>,
    /// The Redis protocol.
    pub redis: Option<ListenAddress>,
}

impl Server {
    /// Takes the addresses. Connections that come before [`run`](Self::run) wait.
    ///
    /// # Errors
    ///
    /// There is no address, or one cannot be listened on.
    pub async fn bind(engine: Engine, settings: ServerSettings) -> Result<Self, ServerError> {
        let server = Self {
            http: listen("HTTP", settings.http.as_ref()).await?,
            grpc: listen("gRPC", settings.grpc.as_ref()).await?,
            redis: listen("the Redis protocol", settings.redis.as_ref()).await?,
            engine,
            settings,
        };
        if server.http.is_none() && server.grpc.is_none() && server.redis.is_none() {
            return Err(ServerError::NoListener);
        }
        Ok(server)
    }

    /// Where it listens.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        let address = |listener: &Option<Listener>| listener.as_ref()?.address().ok();
        Addresses {
            http: address(&self.http),
            grpc: address(&self.grpc),
            redis: address(&self.redis),
        }
    }

    /// Serves until `stop` is ready. Then it accepts no more, answers what has been asked, and ends
    /// when all connections have, or the time to drain is over; true if they had.
    ///
    /// # Errors
    ///
    /// The threads that serve cannot be made.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<bool, ServerError> {
        let Self {
            engine,
            settings,
            http,
            grpc,
            redis,
        } = self;
        let workers = Workers::start(settings.workers).map_err(ServerError::Worker)?;
        let surfaces = Surfaces {
            max_connections: settings.max_connections,
            workers: Arc::new(workers),
            drain: CancellationToken::new(),
            connections: TaskTracker::new(),
        };
        let stopping = async {
            stop.await;
            tracing::info!("draining: no more connections are accepted");
            surfaces.drain.cancel();
        };
        tokio::join!(
            surfaces.serve(http, Http::new(engine.clone(), &settings)),
            surfaces.serve(grpc, Grpc::new(engine.clone())),
            surfaces.serve(redis, Resp::new(engine, &settings)),
            stopping,
        );
        surfaces.connections.close();
        let all = tokio::time::timeout(settings.drain, surfaces.connections.wait()).await;
        // The threads end here, and with them what has not ended by itself. That blocks, but nothing
        // else is left to do.
        Ok(all.is_ok())
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("addresses", &self.addresses())
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

/// What all surfaces have in common.
struct Surfaces {
    max_connections: usize,
    workers: Arc<Workers>,
    drain: CancellationToken,
    connections: TaskTracker,
}

impl Surfaces {
    /// Accepts on a listener, if there is one, until it is time to drain.
    async fn serve<P: Protocol>(&self, listener: Option<Listener>, protocol: P) {
        let Some(listener) = listener else {
            return self.drain.cancelled().await;
        };
        accept(
            listener,
            Arc::new(protocol),
            self.max_connections,
            Arc::clone(&self.workers),
            self.drain.clone(),
            self.connections.clone(),
        )
        .await;
    }
}

async fn listen(
    surface: &'static str,
    address: Option<&ListenAddress>,
) -> Result<Option<Listener>, ServerError> {
    let Some(address) = address else {
        return Ok(None);
    };
    match Listener::bind(address).await {
        Ok(listener) => Ok(Some(listener)),
        Err(source) => Err(ServerError::Listen {
            surface,
            address: address.clone(),
            source,
        }),
    }
}
