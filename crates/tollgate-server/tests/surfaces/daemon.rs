//! A daemon with all surfaces.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tollgate_engine::Engine;
use tollgate_server::{Addresses, ListenAddress, Server, ServerSettings};
use tollgate_testkit::RedisServer;

/// Where each surface listens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ports {
    pub(crate) http: SocketAddr,
    pub(crate) grpc: SocketAddr,
    pub(crate) redis: SocketAddr,
}

pub(crate) struct Daemon {
    pub(crate) ports: Ports,
    pub(crate) engine: Engine,
    pub(crate) file: PathBuf,
    stop: oneshot::Sender<()>,
    running: JoinHandle<bool>,
    _folder: TempDir,
}

impl Daemon {
    pub(crate) async fn start(policies: &str, change: impl FnOnce(&mut ServerSettings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tollgate.toml");
        fs::write(&file, policies).unwrap();
        let engine = Engine::open(&file).unwrap_or_else(|error| panic!("{error}"));
        let mut settings = ServerSettings::default();
        let any = || Some("127.0.0.1:0".parse().unwrap());
        (settings.http, settings.grpc, settings.redis) = (any(), any(), any());
        settings.workers = 1;
        change(&mut settings);
        let server = Server::bind(engine.clone(), settings).await.unwrap();
        let ports = Ports::of(&server.addresses());
        let (stop, stopped) = oneshot::channel::<()>();
        let running = server.run(async move { drop(stopped.await) });
        Self {
            ports,
            engine,
            file,
            stop,
            running: tokio::spawn(async { running.await.unwrap() }),
            _folder: folder,
        }
    }

    /// Tells it to stop, and gives what waits for its end.
    pub(crate) fn leave(self) -> JoinHandle<bool> {
        self.stop.send(()).unwrap();
        self.running
    }

    /// Stops it; true if all connections have ended by themselves.
    pub(crate) async fn stop(self) -> bool {
        within(self.leave()).await.unwrap()
    }
}

impl Ports {
    fn of(addresses: &Addresses) -> Self {
        let port = |address: &Option<ListenAddress>| match address {
            Some(ListenAddress::Tcp(address)) => *address,
            other => panic!("{other:?}"),
        };
        Self {
            http: port(&addresses.http),
            grpc: port(&addresses.grpc),
            redis: port(&addresses.redis),
        }
    }

    /// Has another daemon listen there too.
    pub(crate) fn share(self, settings: &mut ServerSettings) {
        settings.reuse_port = true;
        settings.http = Some(ListenAddress::Tcp(self.http));
        settings.grpc = Some(ListenAddress::Tcp(self.grpc));
        settings.redis = Some(ListenAddress::Tcp(self.redis));
    }
}

/// The beginning of a policy file whose counts are in Redis.
pub(crate) fn in_redis(server: &RedisServer) -> String {
    format!("[store]\nurl = '{}'\ntimeout = '30s'\n", server.url())
}

/// Waits, but not for ever.
pub(crate) async fn within<T>(future: impl Future<Output = T>) -> T {
    timeout(Duration::from_secs(60), future).await.unwrap()
}
