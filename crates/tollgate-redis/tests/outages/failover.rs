//! Masters that are lost, and replicas that take their place: without a restart of anyone here.

use tollgate_testkit::redis::{Cluster, Engine, RedisServer, Sentinel, until};

use crate::given::{Choice, Instance, UNITS, connections};

fn sentinel_url(sentinel: &Sentinel) -> String {
    let ports = sentinel.ports().into_iter();
    format!("redis-sentinel://{}/{}", hosts(ports), Sentinel::MASTER)
}

fn cluster_url(cluster: &Cluster) -> String {
    let ports = cluster.nodes().iter().map(RedisServer::port);
    format!("redis-cluster://{}", hosts(ports))
}

fn hosts(ports: impl Iterator<Item = u16>) -> String {
    let hosts: Vec<_> = ports.map(|port| format!("127.0.0.1:{port}")).collect();
    hosts.join(",")
}

/// Counts four of each client's ten, and waits until the replica knows that.
async fn count_some(instance: &Instance, replica: &RedisServer) {
    for choice in Choice::ALL {
        assert_eq!(instance.admitted(choice, "k", 4).await, 4);
    }
    until("the replica has what was counted", || {
        replica.command(&["DBSIZE"]).integer() >= 3
    });
}

/// What is left of ten after four, and after up to so many more.
async fn is_served(instance: &Instance, asked: u64) {
    for choice in Choice::ALL {
        // Each client's own master must have been found.
        let first = instance.until_the_store_decides(choice, "k").await;
        let more = instance.admitted(choice, "k", 2 * UNITS).await;
        let admitted = u64::from(first.is_allow()) + more;
        let left = UNITS - 4;
        assert!(
            (left - asked..=left).contains(&admitted),
            "{choice:?}: {admitted}"
        );
    }
    let stats = instance.stats();
    assert_eq!((stats.opened, stats.waiting), (stats.closed, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_promoted_replica_goes_on_with_the_counts_of_a_master_that_was_killed() {
    let mut sentinel = Sentinel::start(Engine::redis_7());
    let instance = Instance::alone(&sentinel_url(&sentinel), &RedisServer::fresh_prefix());
    let failed = sentinel.master();
    count_some(&instance, &sentinel.servers()[1 - failed]).await;
    sentinel.server_mut(failed).kill();
    let mut admitted = 0;
    for _ in 0..100 {
        admitted += u64::from(instance.ask_each_in_vain("k").await);
    }
    assert_eq!(admitted, UNITS);
    assert!(instance.is_open());
    sentinel.await_promotion(failed);
    is_served(&instance, 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_master_that_hung_and_goes_on_after_a_failover_decides_nothing_more() {
    let sentinel = Sentinel::start(Engine::redis_7());
    let instance = Instance::alone(&sentinel_url(&sentinel), &RedisServer::fresh_prefix());
    let failed = sentinel.master();
    count_some(&instance, &sentinel.servers()[1 - failed]).await;
    sentinel.hang_master();
    instance.ask_each_in_vain("k").await;
    assert!(instance.is_open());
    let promoted = sentinel.await_promotion(failed);
    instance
        .until_the_store_decides(Choice::Deny, "other")
        .await;
    // It takes itself for the master still, and counts what was sent to it.
    sentinel.servers()[failed].resume();
    is_served(&instance, 0).await;
    let [promoted, failed] = [promoted, failed].map(|server| &sentinel.servers()[server]);
    until("the store is connected to the new master alone", || {
        stores(promoted) == 1 && stores(failed) == 0
    });
}

/// Connections on which scripts were called: those of stores.
fn stores(server: &RedisServer) -> usize {
    connections(server, |line| line.contains(" cmd=eval"))
}

/// An instance on a cluster that has counted four for the clients `k`, and a master that has some of
/// these counts, as has its replica.
async fn counting(cluster: &Cluster, prefix: &str) -> (Instance, usize) {
    let instance = Instance::alone(&cluster_url(cluster), prefix);
    for choice in Choice::ALL {
        assert_eq!(instance.admitted(choice, "k", 4).await, 4);
    }
    let has_some = |node: &usize| !cluster.nodes()[*node].keys_under(prefix).is_empty();
    let number = cluster.masters().into_iter().find(has_some).unwrap();
    let [master, replica] = [number, cluster.partner_of(number)].map(|node| &cluster.nodes()[node]);
    until("the replica has what was counted", || {
        replica.command(&["DBSIZE"]) == master.command(&["DBSIZE"])
    });
    (instance, number)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_that_lost_a_master_goes_on_with_its_counts() {
    let mut cluster = Cluster::start(Engine::redis_7());
    let prefix = RedisServer::fresh_prefix();
    let (instance, master) = counting(&cluster, &prefix).await;
    cluster.node_mut(master).kill();
    let _promoted = cluster.await_promotion(master);
    is_served(&instance, 0).await;
    cluster.assert_lifetimes(&prefix, crate::given::LONGEST);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_cluster_whose_master_hung_goes_on_with_its_counts() {
    let cluster = Cluster::start(Engine::redis_7());
    let prefix = RedisServer::fresh_prefix();
    let (instance, master) = counting(&cluster, &prefix).await;
    cluster.hang_master(master);
    // Each gets what the store says, from another master, or what its policy says.
    let reasons = tokio::join!(
        instance.ask(Choice::Deny, "k"),
        instance.ask(Choice::Allow, "k"),
        instance.ask(Choice::Local, "k"),
    );
    for (choice, reason) in Choice::ALL
        .into_iter()
        .zip([reasons.0, reasons.1, reasons.2])
    {
        let is_by_store = !reason.is_degraded();
        assert!(
            is_by_store || choice.is_reason(reason),
            "{choice:?}: {reason}"
        );
    }
    let _promoted = cluster.await_promotion(master);
    // What was asked meanwhile was counted, if another master had to decide it.
    is_served(&instance, 1).await;
    cluster.nodes()[master].resume();
    cluster.settle();
    assert_eq!(instance.admitted(Choice::Deny, "k", 1).await, 0);
}

/// Slots move while they are asked for: nothing is lost, or counted twice, or left without a decision.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slots_that_move_under_requests_are_no_outage() {
    let cluster = Cluster::start(Engine::redis_7());
    let prefix = RedisServer::fresh_prefix();
    let (instance, from) = counting(&cluster, &prefix).await;
    let keys = cluster.nodes()[from].keys_under(&prefix);
    let to = cluster.masters().into_iter().find(|master| *master != from);
    let to = to.unwrap();
    for key in &keys {
        let slot = cluster.slot_of(&key.key);
        let moving = cluster.begin_move(slot, to);
        for choice in Choice::ALL {
            instance.admitted(choice, "k", 1).await;
        }
        moving.finish();
    }
    let asked = 4 + u64::try_from(keys.len()).unwrap();
    for choice in Choice::ALL {
        let admitted = instance.admitted(choice, "k", 2 * UNITS).await;
        assert_eq!(admitted, UNITS - asked, "{choice:?}");
    }
    let stats = instance.stats();
    assert_eq!((stats.failures, stats.timeouts, stats.opened), (0, 0, 0));
}
