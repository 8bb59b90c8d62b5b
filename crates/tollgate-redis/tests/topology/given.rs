//! What the tests begin with.

use std::time::Duration;

use tollgate::{Charge, Limit, ManualClock, Outcomes, Store, StoreError};
use tollgate_redis::RedisStore;
use tollgate_testkit::conformance;
use tollgate_testkit::redis::{Cluster, RedisServer, Sentinel};

/// Longer than a machine with other things to do keeps a test waiting.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// The URL of a cluster, with so many of its nodes.
pub(crate) fn cluster_url(cluster: &Cluster, seeds: &[usize]) -> String {
    let hosts: Vec<_> = seeds
        .iter()
        .map(|seed| format!("127.0.0.1:{}", cluster.nodes()[*seed].port()))
        .collect();
    format!("redis-cluster://{}", hosts.join(","))
}

/// A store with a prefix of its own that goes by the servers' clocks.
pub(crate) fn on_cluster(cluster: &Cluster) -> RedisStore {
    open(&cluster_url(cluster, &[0, 1, 2, 3, 4, 5]))
}

pub(crate) fn on_manual_clock(store: RedisStore) -> (RedisStore, ManualClock) {
    let clock = ManualClock::new(conformance::START);
    (store.timeout(PATIENCE).with_clock(clock.clone()), clock)
}

pub(crate) fn sentinel_url(sentinel: &Sentinel) -> String {
    let hosts: Vec<_> = sentinel
        .ports()
        .iter()
        .map(|port| format!("127.0.0.1:{port}"))
        .collect();
    format!("redis-sentinel://{}/{}", hosts.join(","), Sentinel::MASTER)
}

/// A store with a prefix of its own, whose calls wait no longer than a test for a server that hangs
/// can bear.
pub(crate) fn open(url: &str) -> RedisStore {
    let store = RedisStore::open(url).unwrap();
    store
        .prefix(RedisServer::fresh_prefix())
        .timeout(Duration::from_secs(2))
}

/// So long that no refill and no edge of a window comes in between.
pub(crate) fn limit(units: u64) -> Limit {
    tollgate_testkit::given::limit(&format!("{units}/366d"))
}

pub(crate) async fn decide(
    store: &impl Store,
    limit: &Limit,
    key: &str,
) -> Result<Outcomes, StoreError> {
    store.decide(&[Charge::new(limit, key, 1)]).await
}

/// Asks until there is an answer, which failed attempts must not have been.
pub(crate) async fn decide_in_the_end(store: &RedisStore, limit: &Limit, key: &str) -> Outcomes {
    let answer = async {
        loop {
            match decide(store, limit, key).await {
                Ok(outcomes) => return outcomes,
                Err(_) => tokio::task::yield_now().await,
            }
        }
    };
    tokio::time::timeout(PATIENCE, answer).await.unwrap()
}

/// A key for a slot of each of these nodes.
pub(crate) fn key_of(cluster: &Cluster, master: usize) -> String {
    (0..)
        .map(|number| format!("key {number}"))
        .find(|key| cluster.master_of(slot_of(cluster, key)) == master)
        .unwrap()
}

/// The slot of a key without a policy.
pub(crate) fn slot_of(cluster: &Cluster, key: &str) -> u16 {
    cluster.slot_of(&format!(":{key}"))
}
