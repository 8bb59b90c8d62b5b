//! How nodes become a cluster.

use std::thread;

use super::super::builder::RedisServerBuilder;
use super::super::server::RedisServer;
use super::super::wait::until;
use super::members::Member;
use super::{Cluster, SLOTS};

/// What says how many milliseconds a node is silent until it is taken for dead.
pub(super) const PATIENCE: &str = "cluster-node-timeout";

/// So short that news of nodes, which are told the sooner the shorter this is, do not take long, and
/// neither does a failover.
pub(super) const HASTE: &str = "1000";

/// What makes a server a node. Before the options, which may say otherwise.
const SETTINGS: [(&str, &str); 5] = [
    ("cluster-enabled", "yes"),
    ("cluster-config-file", "nodes.conf"),
    (PATIENCE, HASTE),
    // A replica takes its master's place however long they were apart.
    ("cluster-replica-validity-factor", "0"),
    ("repl-ping-replica-period", "1"),
];

pub(super) fn start_nodes(options: &RedisServerBuilder, nodes: usize) -> Vec<RedisServer> {
    let options = options.clone().config_before(&SETTINGS);
    thread::scope(|scope| {
        let starting: Vec<_> = (0..nodes)
            .map(|_| scope.spawn(|| options.start()))
            .collect();
        let started = starting.into_iter().map(|node| {
            // The message was printed by the thread that panicked.
            node.join().expect("the node starts")
        });
        started.collect()
    })
}

/// Gives the first half of the nodes the slots, and each of the others a master.
pub(super) fn form(cluster: &Cluster) {
    let nodes = cluster.nodes();
    let (masters, replicas) = nodes.split_at(nodes.len() / 2);
    for (epoch, node) in (1..).zip(nodes) {
        let epoch: i64 = epoch;
        // Without it, they would have to find out whose word counts.
        node.command(&["CLUSTER", "SET-CONFIG-EPOCH", &epoch.to_string()]);
    }
    for (master, slots) in masters.iter().zip(shares(masters.len())) {
        let command = ["CLUSTER", "ADDSLOTS"].map(ToOwned::to_owned);
        let slots = slots.iter().map(ToString::to_string);
        master.command(&command.into_iter().chain(slots).collect::<Vec<_>>());
    }
    introduce(nodes);
    for (master, replica) in masters.iter().zip(replicas) {
        replica.command(&["CLUSTER", "REPLICATE", &Member::myself(master)]);
    }
    let replicas: Vec<_> = masters.iter().map(Member::myself).collect();
    until("every master has its replica", || {
        nodes.iter().all(|node| {
            let members = Member::all(node);
            replicas
                .iter()
                .all(|id| members.iter().any(|member| member.follows(id)))
        })
    });
}

fn shares(masters: usize) -> Vec<Vec<u16>> {
    let slots: Vec<_> = (0..SLOTS).collect();
    let share = slots.len().div_ceil(masters);
    slots.chunks(share).map(<[u16]>::to_vec).collect()
}

/// Every node to every other: gossip would do it with less, but later.
fn introduce(nodes: &[RedisServer]) {
    for (index, node) in nodes.iter().enumerate() {
        for other in &nodes[index + 1..] {
            node.command(&["CLUSTER", "MEET", "127.0.0.1", &other.port().to_string()]);
        }
    }
    until("the nodes know each other", || {
        nodes.iter().all(|node| {
            let members = Member::all(node);
            members.len() == nodes.len() && members.iter().all(Member::is_known)
        })
    });
}
