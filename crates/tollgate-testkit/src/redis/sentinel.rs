//! A master and its replica, watched by sentinels.

mod watcher;

use super::builder::RedisServerBuilder;
use super::engine::Engine;
use super::server::RedisServer;
use super::wait::until;
use watcher::{CALM, HASTE, Watcher};

/// A master and a replica, and three sentinels of which two must agree that the master is gone.
///
/// Nobody takes the place of the master until a test lets that happen, see [`Self::let_fail_over`], or
/// tells a sentinel to: a master on a machine that stands still for a moment is silent too.
#[derive(Debug)]
pub struct Sentinel {
    watchers: Vec<Watcher>,
    servers: [RedisServer; 2],
}

impl Sentinel {
    /// By what the sentinels know the master.
    pub const MASTER: &str = "tollgate";

    /// Starts everything, and waits until the replica follows and the sentinels know each other.
    ///
    /// # Panics
    ///
    /// If there is no such program, or they do not come together.
    #[must_use]
    pub fn start(engine: Engine) -> Self {
        Self::start_like(&RedisServer::builder().engine(engine), None)
    }

    /// The same, with servers that have these options, and sentinels that ask for a password of
    /// their own if there is one.
    ///
    /// # Panics
    ///
    /// If there is no such program, or they do not come together.
    #[must_use]
    pub fn start_like(servers: &RedisServerBuilder, sentinel_password: Option<&str>) -> Self {
        let servers = [servers.start(), servers.start()];
        follow(&servers[1], &servers[0]);
        let watchers = (0..Watcher::ALL)
            .map(|_| Watcher::start(&servers[0], sentinel_password))
            .collect();
        let this = Self { watchers, servers };
        this.settle();
        this
    }

    /// Where the sentinels are, with their password if they have one.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.watchers.iter().map(Watcher::url).collect()
    }

    /// The ports of the sentinels.
    #[must_use]
    pub fn ports(&self) -> Vec<u16> {
        self.watchers.iter().map(Watcher::port).collect()
    }

    /// The two servers; the first was the master at the beginning.
    #[must_use]
    pub const fn servers(&self) -> &[RedisServer; 2] {
        &self.servers
    }

    /// One of the two servers, to do something to it.
    pub const fn server_mut(&mut self, server: usize) -> &mut RedisServer {
        &mut self.servers[server]
    }

    /// The port of the master, as the first sentinel that runs knows it.
    #[must_use]
    pub fn master_port(&self) -> u16 {
        self.running().next().map_or(0, Watcher::master_port)
    }

    /// The number of the master among the servers, as the sentinels know it.
    ///
    /// # Panics
    ///
    /// If they know neither.
    #[must_use]
    pub fn master(&self) -> usize {
        let port = self.master_port();
        let master = self.servers.iter().position(|server| server.port() == port);
        master.expect("the master is one of the two")
    }

    /// Kills the master, and waits until the replica has taken its place: the number of that.
    ///
    /// # Panics
    ///
    /// If it does not, or no sentinel runs.
    pub fn fail_master(&mut self) -> usize {
        let failed = self.master();
        self.servers[failed].kill();
        self.await_promotion(failed)
    }

    /// Holds the master: its clients wait for it. The number of it.
    ///
    /// When it goes on, it takes itself for the master; only after ten seconds and more do the
    /// sentinels make it a replica.
    pub fn hang_master(&self) -> usize {
        let held = self.master();
        self.servers[held].hang();
        held
    }

    /// From now on, until [`Self::await_promotion`] returns, a master that is silent for half a second
    /// is taken for gone.
    ///
    /// # Panics
    ///
    /// If a sentinel that runs cannot be told.
    pub fn let_fail_over(&self) {
        self.running()
            .for_each(|watcher| watcher.set_patience(HASTE));
    }

    /// Lets the other server take the place of a master that is gone or hangs, and waits until it is
    /// the master and all sentinels know it: the number of that.
    ///
    /// # Panics
    ///
    /// If it does not become one.
    pub fn await_promotion(&self, failed: usize) -> usize {
        self.let_fail_over();
        let promoted = 1 - failed;
        let server = &self.servers[promoted];
        until("the sentinels have made the replica master", || {
            server.info("role").as_deref() == Some("master")
                && self
                    .running()
                    .all(|watcher| watcher.master_port() == server.port())
        });
        self.running()
            .for_each(|watcher| watcher.set_patience(CALM));
        promoted
    }

    /// Waits until the sentinels that run know each other and a replica that follows.
    ///
    /// # Panics
    ///
    /// If they do not.
    pub fn settle(&self) {
        until("the sentinels know each other and the replica", || {
            self.running().all(Watcher::knows_all)
        });
    }

    /// Kills a sentinel. With two of them left, a master that is gone is still replaced.
    pub fn kill_sentinel(&mut self, sentinel: usize) {
        self.watchers[sentinel].kill();
    }

    /// The ids of the processes that run: of the sentinels, then of the servers.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let sentinels = self.watchers.iter().filter_map(Watcher::process_id);
        let servers = self.servers.iter().filter_map(RedisServer::process_id);
        sentinels.chain(servers).collect()
    }

    fn running(&self) -> impl Iterator<Item = &Watcher> {
        self.watchers.iter().filter(|watcher| watcher.is_running())
    }
}

fn follow(replica: &RedisServer, master: &RedisServer) {
    replica.command(&["REPLICAOF", "127.0.0.1", &master.port().to_string()]);
    until("the replica follows", || {
        replica.info("master_link_status").as_deref() == Some("up")
    });
}
