//! The store behind a cache of denials.

use tollgate::{Charge, DenialCache, Micros, Store};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::given::limit;
use tollgate_testkit::{RedisServer, ReferenceStore};

use crate::given::{command, connection, on_manual_clock};

#[tokio::test]
async fn decides_the_same_with_denials_remembered() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let cache = DenialCache::builder(store)
        .clock_of_store(clock.clone())
        .build();
    conformance::run_all(&cache, &clock).await;
    for seed in 3_000..3_010 {
        let options = TraceOptions {
            seed,
            steps: 300,
            repeats: 8,
            ..TraceOptions::default()
        };
        conformance::random_trace(&cache, &clock, &options).await;
    }
}

/// The states that the script answers with are what lets the cache tell the numbers of the limit
/// that has something left.
#[tokio::test]
async fn a_key_that_one_of_two_limits_denies_asks_the_server_no_more() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let oracle = ReferenceStore::new(clock.clone());
    let cache = DenialCache::builder(store)
        .clock_of_store(clock.clone())
        .build();
    let (minute, hour) = (limit("3/min fixed-window"), limit("1000/h"));
    let charges = [&minute, &hour].map(|limit| Charge::new(limit, "k", 1).of_policy("both"));
    for _ in 0..4 {
        let outcomes = cache.decide(&charges).await.unwrap();
        assert_eq!(outcomes, oracle.decide(&charges).await.unwrap());
    }
    // From here on it would not answer.
    let mut connection = connection(&server).await;
    command(&mut connection, &["CLIENT", "PAUSE", "3600000", "ALL"]).await;
    for _ in 0..50 {
        clock.advance(Micros::from_millis(7));
        let outcomes = cache.decide_at_once(&charges).unwrap().unwrap();
        assert_eq!(outcomes, oracle.decide(&charges).await.unwrap());
        assert!(!outcomes.is_allowed());
    }
}
