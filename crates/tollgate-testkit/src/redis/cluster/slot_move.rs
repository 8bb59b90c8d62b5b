//! A slot on its way from one master to another.

use super::super::server::RedisServer;
use super::super::wait::until;
use super::Cluster;
use super::members::Member;

/// How many keys are asked for at once.
const KEYS: &str = "1000";

/// How long one key may take, in milliseconds.
const PATIENCE: &str = "10000";

/// A slot that is on its way. While it is, its old master answers for the keys that are still
/// there, and `ASK` for those that are not; a command with keys of both kinds is answered
/// `TRYAGAIN`, or by Redis 6.2 `ASK`, and then `TRYAGAIN` by the new master.
///
/// It stays so until [`SlotMove::finish`].
#[derive(Debug)]
#[must_use = "the slot stays on its way until the move is finished"]
pub struct SlotMove<'a> {
    cluster: &'a Cluster,
    slot: u16,
    from: usize,
    to: usize,
}

impl<'a> SlotMove<'a> {
    pub(super) fn begin(cluster: &'a Cluster, slot: u16, to: usize) -> Self {
        let from = cluster.master_of(slot);
        let this = Self {
            cluster,
            slot,
            from,
            to,
        };
        // In this order, so that nobody is sent to who would send back.
        let [source, destination] = [this.source(), this.destination()];
        this.set_slot(destination, &["IMPORTING", &Member::myself(source)]);
        this.set_slot(source, &["MIGRATING", &Member::myself(destination)]);
        this
    }

    /// The number of the old master.
    #[must_use]
    pub const fn from(&self) -> usize {
        self.from
    }

    /// The number of the new master.
    #[must_use]
    pub const fn to(&self) -> usize {
        self.to
    }

    /// Keys of the slot that the old master still has: all, if they are not more than a thousand.
    #[must_use]
    pub fn keys_left(&self) -> Vec<String> {
        let slot = self.slot.to_string();
        let keys = self
            .source()
            .command(&["CLUSTER", "GETKEYSINSLOT", &slot, KEYS]);
        keys.array().iter().map(super::super::Reply::text).collect()
    }

    /// Moves one key.
    ///
    /// # Panics
    ///
    /// If it cannot be moved.
    pub fn move_key(&self, key: &str) {
        let port = self.destination().port().to_string();
        let mut command = vec!["MIGRATE", "127.0.0.1", &port, key, "0", PATIENCE];
        if let Some(password) = self.destination().password() {
            command.extend(["AUTH", password]);
        }
        self.source().command(&command);
    }

    /// Moves what is left, makes the new master the slot's only one, and waits until every node
    /// that answers knows it.
    ///
    /// # Panics
    ///
    /// If a key cannot be moved.
    pub fn finish(self) {
        loop {
            let keys = self.keys_left();
            if keys.is_empty() {
                break;
            }
            keys.iter().for_each(|key| self.move_key(key));
        }
        let id = Member::myself(self.destination());
        self.set_slot(self.destination(), &["NODE", &id]);
        self.set_slot(self.source(), &["NODE", &id]);
        let nodes = self.cluster.answering();
        until("all nodes know where the slot is", || {
            nodes.iter().all(|node| {
                let members = Member::all(node);
                let master = members.iter().find(|member| member.has_slot(self.slot));
                master.is_some_and(|master| master.id == id)
            })
        });
    }

    fn set_slot(&self, node: &RedisServer, words: &[&str]) {
        let slot = self.slot.to_string();
        node.command(&[&["CLUSTER", "SETSLOT", &slot], words].concat());
    }

    fn source(&self) -> &'a RedisServer {
        &self.cluster.nodes()[self.from]
    }

    fn destination(&self) -> &'a RedisServer {
        &self.cluster.nodes()[self.to]
    }
}
