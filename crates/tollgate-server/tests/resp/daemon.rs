//! A daemon to speak to.

use std::fs;
use std::net::SocketAddr;

use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tollgate::{ManualClock, Timestamp};
use tollgate_engine::Engine;
use tollgate_server::{ListenAddress, Server, ServerError, ServerSettings};

use crate::wire::Connection;

pub(crate) const POLICIES: &str = "
[[policy]]
name = 'login'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['2/min fixed-window']
on_store_failure = 'deny'

[[policy]]
name = 'upload'
match = { path = '/upload' }
key = ['user']
limits = ['100/min burst 100']

[[policy]]
name = 'secret'
match = { path = '/secret' }
key = ['user']
limits = ['1/min fixed-window']
hide_numbers = true

[[policy]]
name = 'closed'
match = { path = '/closed' }
block = true
";

/// A daemon that speaks the Redis protocol, by a clock that stands still until it is moved.
pub(crate) struct Daemon {
    pub(crate) address: SocketAddr,
    pub(crate) clock: ManualClock,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<Result<bool, ServerError>>,
    _folder: TempDir,
}

impl Daemon {
    pub(crate) async fn start() -> Self {
        Self::with(POLICIES, |_| {}).await
    }

    pub(crate) async fn with(policies: &str, set: impl FnOnce(&mut ServerSettings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tollgate.toml");
        fs::write(&path, policies).unwrap();
        let clock = ManualClock::new(Timestamp::from_secs(1_000_020));
        let engine = Engine::builder(path).clock(clock.clone()).open().unwrap();
        let mut settings = ServerSettings::default();
        settings.redis = Some("127.0.0.1:0".parse().unwrap());
        settings.workers = 1;
        set(&mut settings);
        let server = Server::bind(engine, settings).await.unwrap();
        let Some(ListenAddress::Tcp(address)) = server.addresses().redis else {
            panic!("no address");
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
        Self {
            address,
            clock,
            stop: Some(stop),
            running,
            _folder: folder,
        }
    }

    pub(crate) async fn connect(&self) -> Connection {
        Connection::open(self.address).await
    }

    /// Tells it to stop.
    pub(crate) fn stop(&mut self) {
        drop(self.stop.take());
    }

    /// Waits until it has ended; true if all connections had.
    pub(crate) async fn ended(self) -> bool {
        self.running.await.unwrap().unwrap()
    }
}
