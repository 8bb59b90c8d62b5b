//! A cluster that stays as it is, and one that loses masters.

use std::sync::Arc;

use tollgate::{Charge, OutageGuard, Store, StoreErrorKind};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::given::EACH_ALGORITHM;
use tollgate_testkit::redis::{Cluster, Engine, RedisServer};

use crate::given::{
    PATIENCE, cluster_url, decide, decide_in_the_end, key_of, limit, on_cluster, on_manual_clock,
    open,
};

/// `REDIS_TRACES` is the number of traces of about 150 decisions each, where many are wanted.
#[tokio::test]
async fn decides_like_every_other_store() {
    let cluster = Cluster::start(Engine::redis_7());
    let (store, clock) = on_manual_clock(on_cluster(&cluster));
    conformance::run_all(&store, &clock).await;
    let seeds = std::env::var("REDIS_TRACES").map_or(20, |seeds| seeds.parse().unwrap());
    for seed in 3_000..3_000 + seeds {
        let options = TraceOptions {
            seed,
            steps: 300,
            ..TraceOptions::default()
        };
        conformance::random_trace(&store, &clock, &options).await;
    }
}

// B77
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_decisions_of_four_stores_admit_exactly_the_limit() {
    for engine in Engine::all() {
        let cluster = Cluster::start(engine);
        for algorithm in EACH_ALGORITHM {
            let text = format!("10/366d{algorithm}");
            let limit = Arc::new(tollgate_testkit::given::limit(&text));
            let prefix = RedisServer::fresh_prefix();
            let mut tasks = Vec::new();
            for seed in 0..4 {
                // Of one node each is told, and asks it for the others.
                let store = open(&cluster_url(&cluster, &[seed]));
                let store = Arc::new(store.prefix(prefix.clone()).timeout(PATIENCE));
                for task in 0..50 {
                    let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
                    tasks.push(tokio::spawn(async move {
                        // In one slot, and in three.
                        let mut charges = vec![Charge::new(&limit, "shared", 1)];
                        if task % 2 == 0 {
                            charges.push(Charge::new(&limit, "two", 1).of_policy("b"));
                            charges.push(Charge::new(&limit, "three", 1).of_policy("c"));
                        }
                        store.decide(&charges).await.unwrap().is_allowed()
                    }));
                }
            }
            let mut admitted = 0;
            for task in tasks {
                admitted += u32::from(task.await.unwrap());
            }
            assert_eq!(admitted, 10, "{text}");
        }
    }
}

/// A request for charges in several slots that one of them denies leaves nothing behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_in_several_slots_spends_all_or_none() {
    let cluster = Cluster::start(Engine::redis_7());
    let store = Arc::new(on_cluster(&cluster).timeout(PATIENCE));
    let (wide, narrow) = (Arc::new(limit(100)), Arc::new(limit(3)));
    let keys: Arc<Vec<_>> = Arc::new((0..3).map(|master| key_of(&cluster, master)).collect());
    let mut tasks = Vec::new();
    for _ in 0..60 {
        let (store, keys) = (Arc::clone(&store), Arc::clone(&keys));
        let (wide, narrow) = (Arc::clone(&wide), Arc::clone(&narrow));
        tasks.push(tokio::spawn(async move {
            let charges = [
                Charge::new(&wide, &keys[0], 1),
                Charge::new(&wide, &keys[1], 2),
                Charge::new(&narrow, &keys[2], 1).of_policy("narrow"),
            ];
            store.decide(&charges).await.unwrap().is_allowed()
        }));
    }
    let mut admitted = 0;
    for task in tasks {
        admitted += u32::from(task.await.unwrap());
    }
    assert_eq!(admitted, 3);
    for (key, remaining) in [(&keys[0], 97), (&keys[1], 94)] {
        let looked = store.peek(&[Charge::new(&wide, key, 0)]).await.unwrap();
        assert_eq!(looked.deciding().unwrap().remaining, remaining, "{key}");
    }
}

/// The limits of one key of one policy share a slot, so that one call decides them; else the
/// server would say so.
#[tokio::test]
async fn the_limits_of_a_key_share_a_slot() {
    let cluster = Cluster::start(Engine::redis_7());
    let store = on_cluster(&cluster);
    let limits = ["10/s", "100/min", "5/h fixed-window"].map(tollgate_testkit::given::limit);
    for key in ["a", "2001:db8::1", "{}", "}{", "{x}y", ""] {
        let charges: Vec<_> = limits
            .iter()
            .map(|limit| Charge::new(limit, key, 1).of_policy("{tag}"))
            .collect();
        assert!(store.decide(&charges).await.unwrap().is_allowed(), "{key}");
    }
}

async fn follows_a_failover(cluster: &mut Cluster, fail: impl FnOnce(&mut Cluster)) {
    let store = Arc::new(on_cluster(cluster));
    let limit = limit(1_000_000);
    let keys: Vec<_> = (0..3).map(|master| key_of(cluster, master)).collect();
    store.connect().await.unwrap();
    for key in &keys {
        assert!(decide(&store, &limit, key).await.unwrap().is_allowed());
    }
    fail(cluster);
    // Only the slots of the lost master are concerned.
    let failure = loop {
        for key in &keys[1..] {
            assert!(decide(&store, &limit, key).await.unwrap().is_allowed());
        }
        if let Err(error) = decide(&store, &limit, &keys[0]).await {
            break error;
        }
    };
    assert!(failure.is_transient(), "{failure}");
    let promoted = cluster.await_promotion(0);
    assert!(
        decide_in_the_end(&store, &limit, &keys[0])
            .await
            .is_allowed()
    );
    assert_eq!(
        cluster.master_of(crate::given::slot_of(cluster, &keys[0])),
        promoted
    );
}

// B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follows_a_master_that_was_killed() {
    let mut cluster = Cluster::start(Engine::redis_7());
    follows_a_failover(&mut cluster, |cluster| cluster.node_mut(0).kill()).await;
}

// B97, B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follows_a_master_that_hangs() {
    let mut cluster = Cluster::start(Engine::redis_7());
    follows_a_failover(&mut cluster, |cluster| cluster.hang_master(0)).await;
}

// B97
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_are_told_at_once_while_a_master_hangs() {
    let cluster = Cluster::start(Engine::redis_7());
    let store = on_cluster(&cluster);
    let key = key_of(&cluster, 0);
    let limit = limit(10);
    assert!(decide(&store, &limit, &key).await.unwrap().is_allowed());
    // With its replica, so that nobody takes its place.
    cluster.hang_master(0);
    cluster.hang_master(cluster.partner_of(0));
    let mut have_waited = 0;
    for _ in 0..20_000 {
        let error = decide(&store, &limit, &key).await.unwrap_err();
        have_waited += u32::from(error.is_timeout());
    }
    assert_eq!(have_waited, 1, "only the first did not know");
    for node in [0, cluster.partner_of(0)] {
        cluster.nodes()[node].resume();
    }
    let outcomes = decide_in_the_end(&store, &limit, &key).await;
    // The one that it had got before it hung was answered to nobody, and may be counted.
    let left = outcomes.deciding().unwrap().remaining;
    assert!(left == 8 || left == 7, "{left}");
}

#[tokio::test]
async fn a_lost_master_is_no_outage_of_the_others() {
    let mut cluster = Cluster::start(Engine::redis_7());
    // Redis itself stops serving all slots otherwise.
    for node in cluster.nodes() {
        node.set_config("cluster-require-full-coverage", "no");
    }
    let guard = OutageGuard::builder(on_cluster(&cluster))
        .deadline(PATIENCE)
        .build()
        .unwrap();
    let (lost, other) = (key_of(&cluster, 0), key_of(&cluster, 1));
    let limit = limit(1_000_000);
    for key in [&lost, &other] {
        assert!(decide(&guard, &limit, key).await.unwrap().is_allowed());
    }
    // With its replica, so that nobody takes its place.
    let replica = cluster.partner_of(0);
    cluster.node_mut(replica).kill();
    cluster.node_mut(0).kill();
    for _ in 0..1_000 {
        let error = decide(&guard, &limit, &lost).await.unwrap_err();
        assert!(error.is_partial(), "{error:?}");
    }
    assert!(decide(&guard, &limit, &other).await.unwrap().is_allowed());
    assert_eq!(guard.stats().opened, 0);
}

#[tokio::test]
async fn finds_the_cluster_by_whatever_node_answers() {
    let mut cluster = Cluster::start(Engine::redis_7());
    cluster.node_mut(3).kill();
    cluster.hang_master(4);
    // The first two do not answer, the third is a replica.
    let store = open(&cluster_url(&cluster, &[3, 4, 5]));
    store.connect().await.unwrap();
    for master in 0..3 {
        let key = key_of(&cluster, master);
        assert!(decide(&store, &limit(5), &key).await.unwrap().is_allowed());
    }
}

#[tokio::test]
async fn says_that_a_server_is_in_no_cluster() {
    let server = RedisServer::start();
    let store = open(&format!("redis-cluster://127.0.0.1:{}", server.port()));
    let error = store.connect().await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
    assert!(error.to_string().contains("cluster"), "{error}");
}

#[tokio::test]
async fn comes_to_nodes_by_the_names_they_announce() {
    for kind in ["hostname", "unknown-endpoint"] {
        let options = RedisServer::builder()
            .config("cluster-announce-hostname", "localhost")
            .config("cluster-preferred-endpoint-type", kind);
        let cluster = Cluster::start_like(&options);
        let store = on_cluster(&cluster);
        store.connect().await.unwrap();
        for master in 0..3 {
            let key = key_of(&cluster, master);
            assert!(decide(&store, &limit(5), &key).await.unwrap().is_allowed());
        }
    }
}
