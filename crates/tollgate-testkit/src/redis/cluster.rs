//! A cluster of one's own: three masters with a replica each.

mod formation;
mod members;
mod slot_move;

use super::builder::RedisServerBuilder;
use super::engine::Engine;
use super::server::RedisServer;
use super::wait::until;
use members::Member;
pub use slot_move::SlotMove;

/// How many slots every cluster has.
pub const SLOTS: u16 = 16_384;

/// Longer than a machine with other things to do keeps a node silent, in milliseconds.
const CALM: &str = "120000";

/// Three masters with one replica each. Nodes have numbers: at first 0, 1 and 2 are masters with a
/// third of the slots each, in order, and 3, 4 and 5 are their replicas.
///
/// Nobody takes the place of a master until a test lets that happen, see [`Self::let_fail_over`]:
/// nodes of a machine that stands still for a moment are silent too.
#[derive(Debug)]
pub struct Cluster {
    nodes: Vec<RedisServer>,
}

impl Cluster {
    /// How many nodes there are.
    pub const NODES: usize = 6;

    /// Starts a cluster, and waits until all nodes agree on it.
    ///
    /// # Panics
    ///
    /// If there is no such program, or the nodes do not come together.
    #[must_use]
    pub fn start(engine: Engine) -> Self {
        Self::start_like(&RedisServer::builder().engine(engine))
    }

    /// The same, with nodes that have these options.
    ///
    /// # Panics
    ///
    /// If there is no such program, or the nodes do not come together.
    #[must_use]
    pub fn start_like(options: &RedisServerBuilder) -> Self {
        let cluster = Self {
            nodes: formation::start_nodes(options, Self::NODES),
        };
        formation::form(&cluster);
        cluster.settle();
        cluster.set_patience(CALM);
        cluster
    }

    /// Where all nodes are.
    #[must_use]
    pub fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(RedisServer::url).collect()
    }

    /// All nodes, by their numbers.
    #[must_use]
    pub fn nodes(&self) -> &[RedisServer] {
        &self.nodes
    }

    /// A node, to do something to it.
    pub fn node_mut(&mut self, node: usize) -> &mut RedisServer {
        &mut self.nodes[node]
    }

    /// The slot of a key.
    #[must_use]
    pub fn slot_of(&self, key: &str) -> u16 {
        let slot = self.any_node().command(&["CLUSTER", "KEYSLOT", key]);
        u16::try_from(slot.integer()).expect("a slot is below 16384")
    }

    /// The number of the node that has this slot.
    ///
    /// # Panics
    ///
    /// If none has, as a node that answers sees it.
    #[must_use]
    pub fn master_of(&self, slot: u16) -> usize {
        let members = Member::all(self.any_node());
        let master = members.iter().find(|member| member.has_slot(slot));
        self.number(master.unwrap_or_else(|| panic!("nobody has slot {slot}")))
    }

    /// The numbers of all nodes that have slots.
    #[must_use]
    pub fn masters(&self) -> Vec<usize> {
        let members = Member::all(self.any_node());
        let masters = members.iter().filter(|member| member.has_slots());
        masters.map(|member| self.number(member)).collect()
    }

    /// The other node of a pair of master and replica.
    #[must_use]
    pub const fn partner_of(&self, node: usize) -> usize {
        (node + Self::NODES / 2) % Self::NODES
    }

    /// Kills a master, and waits until its replica has taken its place: the number of that.
    ///
    /// # Panics
    ///
    /// If the replica does not.
    pub fn fail_master(&mut self, node: usize) -> usize {
        self.nodes[node].kill();
        self.await_promotion(node)
    }

    /// Holds a master. Its clients wait for it, until the others take it for dead; see
    /// [`Self::let_fail_over`] and [`Self::await_promotion`].
    pub fn hang_master(&self, node: usize) {
        self.nodes[node].hang();
    }

    /// From now on, until [`Self::await_promotion`] returns, a node that is silent for a second is
    /// taken for dead, and the replica of a master takes its place.
    ///
    /// # Panics
    ///
    /// If a node that answers cannot be told.
    pub fn let_fail_over(&self) {
        self.set_patience(formation::HASTE);
    }

    /// Lets the replica of a master that is gone or hangs take its place, and waits until every node
    /// that answers knows it: the number of the new master.
    ///
    /// # Panics
    ///
    /// If the replica does not.
    #[must_use]
    pub fn await_promotion(&self, failed: usize) -> usize {
        self.let_fail_over();
        let promoted = self.partner_of(failed);
        let nodes = self.answering();
        until("the replica is master", || {
            nodes.iter().all(|node| {
                is_whole(node)
                    && Member::all(node).iter().all(|member| {
                        let number = self.number(member);
                        (number != failed || !member.has_slots())
                            && (number != promoted || member.has_slots())
                    })
            })
        });
        self.set_patience(CALM);
        promoted
    }

    /// Starts a node again that was killed, and waits until it is a replica that has all that its
    /// master has.
    ///
    /// # Panics
    ///
    /// If it is not.
    pub fn start_again(&mut self, node: usize) {
        self.nodes[node].start_again();
        self.settle();
    }

    /// Waits until all nodes that answer agree on the cluster, and all replicas among them follow.
    ///
    /// # Panics
    ///
    /// If they do not, or a slot has no master.
    pub fn settle(&self) {
        let nodes = self.answering();
        until("the nodes agree on the cluster", || {
            nodes.iter().all(|node| is_whole(node)) && {
                let views = nodes.iter().map(|node| Member::seen_by(node));
                let views: Vec<_> = views.collect();
                views.iter().all(|view| *view == views[0])
            }
        });
        until("all replicas follow", || {
            nodes.iter().all(|node| {
                let is_linked = || node.info("master_link_status").as_deref() == Some("up");
                node.info("role").as_deref() == Some("master") || is_linked()
            })
        });
    }

    /// Begins to move a slot to another master, and stops there: keys that are not there yet are
    /// asked for at the other, by the answer `ASK`.
    pub fn begin_move(&self, slot: u16, to: usize) -> SlotMove<'_> {
        SlotMove::begin(self, slot, to)
    }

    /// Moves a slot with all its keys to another master: the old one says `MOVED` from then on.
    ///
    /// # Panics
    ///
    /// If a key cannot be moved.
    pub fn move_slot(&self, slot: u16, to: usize) {
        self.begin_move(slot, to).finish();
    }

    /// How many milliseconds the nodes that answer wait for another.
    fn set_patience(&self, patience: &str) {
        for node in self.answering() {
            node.set_config(formation::PATIENCE, patience);
        }
    }

    /// All nodes that run and do not hang.
    fn answering(&self) -> Vec<&RedisServer> {
        self.nodes.iter().filter(|node| node.answers()).collect()
    }

    fn any_node(&self) -> &RedisServer {
        let node = self.nodes.iter().find(|node| node.answers());
        node.expect("one node at least answers")
    }

    fn number(&self, member: &Member) -> usize {
        let number = self
            .nodes
            .iter()
            .position(|node| node.port() == member.port);
        number.expect("the cluster knows only its own nodes")
    }
}

/// True if the node sees a master for every slot.
fn is_whole(node: &RedisServer) -> bool {
    let info = node.try_command(&["CLUSTER", "INFO"]);
    info.is_ok_and(|info| info.text().contains("cluster_state:ok"))
}
