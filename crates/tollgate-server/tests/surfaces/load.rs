//! Clients of all surfaces that ask without end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::task::JoinSet;
use tonic::Status;

use crate::clients::{Calls, Connection};
use crate::daemon::{Ports, within};

/// How many clients each surface has.
const CLIENTS: usize = 2;

/// What one surface has answered.
#[derive(Debug, Default)]
pub(crate) struct Answered {
    pub(crate) all: AtomicU64,
    pub(crate) admitted: AtomicU64,
    pub(crate) connections: AtomicU64,
}

impl Answered {
    fn count(&self, is_admitted: bool) {
        self.admitted
            .fetch_add(u64::from(is_admitted), Ordering::Relaxed);
        self.all.fetch_add(1, Ordering::Relaxed);
    }
}

/// Each surface asks about the user of its own name.
pub(crate) struct Load {
    surfaces: [Arc<Answered>; 3],
    stop: Arc<AtomicBool>,
    clients: JoinSet<()>,
}

impl Load {
    pub(crate) fn start(ports: Ports) -> Self {
        let surfaces: [Arc<Answered>; 3] = Default::default();
        let stop = Arc::new(AtomicBool::default());
        let mut clients = JoinSet::new();
        for _ in 0..CLIENTS {
            let [http, grpc, redis] = surfaces.clone();
            clients.spawn(ask_http(ports, http, Arc::clone(&stop)));
            clients.spawn(ask_grpc(ports, grpc, Arc::clone(&stop)));
            clients.spawn(ask_redis(ports, redis, Arc::clone(&stop)));
        }
        Self {
            surfaces,
            stop,
            clients,
        }
    }

    /// Waits until each surface has answered so many more.
    pub(crate) async fn await_answers(&mut self, more: u64) {
        for surface in self.surfaces.clone() {
            let enough = surface.all.load(Ordering::Relaxed) + more;
            while surface.all.load(Ordering::Relaxed) < enough {
                // A client that has failed says why.
                if let Some(ended) = self.clients.try_join_next() {
                    ended.unwrap();
                }
                tokio::task::yield_now().await;
            }
        }
    }

    /// Ends it: HTTP, gRPC and the Redis protocol. Fails if a request had no answer.
    pub(crate) async fn end(self) -> [Arc<Answered>; 3] {
        self.stop.store(true, Ordering::Relaxed);
        within(self.clients.join_all()).await;
        self.surfaces
    }
}

async fn ask_http(ports: Ports, answered: Arc<Answered>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let mut connection = Connection::open(ports.http).await.unwrap();
        answered.connections.fetch_add(1, Ordering::Relaxed);
        while !stop.load(Ordering::Relaxed) {
            let (is_admitted, ends) = connection.check("http").await.unwrap();
            answered.count(is_admitted);
            if ends {
                break;
            }
        }
    }
}

/// The channel connects again by itself. A call that it gave to a connection in the moment of GOAWAY
/// was never sent: other clients of gRPC send it elsewhere by themselves, and this one says so.
async fn ask_grpc(ports: Ports, answered: Arc<Answered>, stop: Arc<AtomicBool>) {
    let mut calls = Calls::open(ports.grpc).await;
    while !stop.load(Ordering::Relaxed) {
        match calls.should_rate_limit("grpc").await {
            Ok(is_admitted) => answered.count(is_admitted),
            Err(status) if was_never_sent(&status) => {}
            Err(status) => panic!("{status:?}"),
        }
    }
}

fn was_never_sent(status: &Status) -> bool {
    let source = std::error::Error::source(status);
    let source = source.and_then(std::error::Error::source);
    let error = source.and_then(|it| it.downcast_ref::<hyper::Error>());
    error.is_some_and(hyper::Error::is_canceled)
}

/// The protocol has no word for the end of a connection. What was sent into one that has ended was
/// not read, and is asked again.
async fn ask_redis(ports: Ports, answered: Arc<Answered>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let mut connection = Connection::open(ports.redis).await.unwrap();
        answered.connections.fetch_add(1, Ordering::Relaxed);
        while !stop.load(Ordering::Relaxed) {
            match connection.tg_check("redis").await {
                Ok(is_admitted) => answered.count(is_admitted),
                Err(_) => break,
            }
        }
    }
}
