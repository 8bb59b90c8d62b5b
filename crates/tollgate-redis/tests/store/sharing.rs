//! Several processes on one server.

use std::sync::Arc;

use tollgate::{Charge, Store};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::{EACH_ALGORITHM, limit};

use crate::given::PATIENCE;

// B77
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_decisions_on_four_connections_admit_exactly_the_limit() {
    let server = RedisServer::start();
    for algorithm in EACH_ALGORITHM {
        // So long that no refill and no edge of a window comes in between.
        let limit = Arc::new(limit(&format!("10/366d{algorithm}")));
        let prefix = RedisServer::fresh_prefix();
        let mut tasks = Vec::new();
        for _ in 0..4 {
            let store = RedisStore::open(&server.url())
                .unwrap()
                .timeout(PATIENCE)
                .prefix(prefix.clone());
            let store = Arc::new(store);
            for _ in 0..50 {
                let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
                tasks.push(tokio::spawn(async move {
                    let charges = [Charge::new(&limit, "shared", 1)];
                    store.decide(&charges).await.unwrap().is_allowed()
                }));
            }
        }
        let mut admitted = 0;
        for task in tasks {
            admitted += u32::from(task.await.unwrap());
        }
        assert_eq!(admitted, 10, "{limit}");
    }
}

// B79
#[tokio::test]
async fn a_denied_request_spends_none_of_its_limits() {
    let server = RedisServer::start();
    let (store, _prefix) = crate::given::on_server_clock(&server);
    let (group, route) = (limit("10/h"), limit("3/h sliding-log"));
    let mut admitted = 0;
    for _ in 0..5 {
        let charges = [
            Charge::new(&group, "group", 1),
            Charge::new(&route, "route", 1),
        ];
        admitted += u32::from(store.decide(&charges).await.unwrap().is_allowed());
    }
    assert_eq!(admitted, 3);
    let looked = store
        .peek(&[Charge::new(&group, "group", 0)])
        .await
        .unwrap();
    assert_eq!(looked.deciding().unwrap().remaining, 7);
}
