//! What a store is opened on.

use tollgate_testkit::redis::{Cluster, Engine, Proxy, RedisServer, Sentinel};

/// Servers, and how clients find them.
pub(super) trait World {
    /// The URL of a store on them.
    fn url(&self) -> String;

    /// The ports to which a store may connect.
    fn ports(&self) -> Vec<u16>;
}

impl World for RedisServer {
    fn url(&self) -> String {
        Self::url(self)
    }

    fn ports(&self) -> Vec<u16> {
        vec![self.port()]
    }
}

/// A server behind a network that fails.
pub(super) struct Behind {
    pub(super) proxy: Proxy,
    /// Ends after the proxy.
    pub(super) _server: RedisServer,
}

impl Behind {
    pub(super) fn start() -> Self {
        let server = RedisServer::start();
        Self {
            proxy: Proxy::to(&server),
            _server: server,
        }
    }
}

impl World for Behind {
    fn url(&self) -> String {
        self.proxy.url()
    }

    fn ports(&self) -> Vec<u16> {
        vec![self.proxy.port()]
    }
}

/// A master and its replica, and which one failed.
pub(super) struct Watched {
    pub(super) sentinel: Sentinel,
    pub(super) failed: usize,
}

impl Watched {
    pub(super) fn start() -> Self {
        let sentinel = Sentinel::start(Engine::redis_7());
        let failed = sentinel.master();
        Self { sentinel, failed }
    }

    pub(super) fn kill(&mut self) {
        self.sentinel.let_fail_over();
        self.failed = self.sentinel.master();
        self.sentinel.server_mut(self.failed).kill();
    }

    pub(super) fn hang(&mut self) {
        self.sentinel.let_fail_over();
        self.failed = self.sentinel.hang_master();
    }

    pub(super) fn await_promotion(&mut self) {
        self.sentinel.await_promotion(self.failed);
    }
}

impl World for Watched {
    fn url(&self) -> String {
        let hosts = hosts(&self.sentinel.ports());
        format!("redis-sentinel://{hosts}/{}", Sentinel::MASTER)
    }

    fn ports(&self) -> Vec<u16> {
        let servers = self.sentinel.servers().iter().map(RedisServer::port);
        servers.chain(self.sentinel.ports()).collect()
    }
}

/// A cluster, whose first master fails.
pub(super) struct Clustered(pub(super) Cluster);

impl Clustered {
    const FAILED: usize = 0;

    pub(super) fn start() -> Self {
        Self(Cluster::start(Engine::redis_7()))
    }

    pub(super) fn kill(&mut self) {
        self.0.let_fail_over();
        self.0.node_mut(Self::FAILED).kill();
    }

    pub(super) fn hang(&mut self) {
        self.0.let_fail_over();
        self.0.hang_master(Self::FAILED);
    }

    pub(super) fn await_promotion(&mut self) {
        let _promoted = self.0.await_promotion(Self::FAILED);
    }

    /// Moves every slot of the first master that has keys, one after the other.
    pub(super) fn move_slots(&mut self) {
        let node = &self.0.nodes()[Self::FAILED];
        let keys = node.keys_under("");
        let mut slots: Vec<_> = keys.iter().map(|key| self.0.slot_of(&key.key)).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots.into_iter().take(MOVED) {
            self.0.move_slot(slot, 1);
        }
    }
}

/// How many slots are moved.
const MOVED: usize = 100;

impl World for Clustered {
    fn url(&self) -> String {
        format!("redis-cluster://{}", hosts(&self.ports()))
    }

    fn ports(&self) -> Vec<u16> {
        self.0.nodes().iter().map(RedisServer::port).collect()
    }
}

fn hosts(ports: &[u16]) -> String {
    let hosts = ports.iter().map(|port| format!("127.0.0.1:{port}"));
    hosts.collect::<Vec<_>>().join(",")
}
