//! Processes whose clocks differ.

use tollgate::{Charge, Micros, Store};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::limit;

use crate::given::{Classroom, KEY, assert_is_on_the_page, patient};

/// Two processes take turns, and name the window by their own clocks, one of which is a second fast.
#[tokio::test]
async fn windows_named_by_the_clients_clocks_are_counted_apart() {
    let mut classroom = Classroom::open().await;
    let mut admitted = 0;
    for request in 0_u64..20 {
        // Half a second before a minute begins, by the clock that is right.
        let millis = 59_500 + (request % 2) * 1_000;
        let key = format!("naive:{}", millis / 60_000);
        let count: u64 = classroom.run(&["INCR", &key]).await;
        let _: i64 = classroom.run(&["EXPIRE", &key, "60"]).await;
        admitted += u64::from(count <= 5);
    }
    assert_eq!(admitted, 10);
    assert_is_on_the_page(&format!("| each process's own | {admitted} |"));
}

/// There is no clock for a process to be wrong about: by the server's, two stores count together.
#[tokio::test]
async fn the_servers_clock_is_one_for_all() {
    let server = RedisServer::start();
    let prefix = RedisServer::fresh_prefix();
    let store = || {
        let store = RedisStore::open(&server.url()).unwrap();
        patient(store).prefix(prefix.clone())
    };
    let stores = [store(), store()];
    // So long that no window ends in between.
    let limit = limit("5/366d fixed-window anchor first-request");
    let (mut admitted, mut instants) = (0, Vec::new());
    for request in 0..20 {
        let charges = [Charge::new(&limit, KEY, 1)];
        let outcomes = stores[request % 2].decide(&charges).await.unwrap();
        admitted += u64::from(outcomes.is_allowed());
        instants.push(outcomes.at());
    }
    assert_eq!(admitted, 5);
    assert!(instants.is_sorted(), "{instants:?}");
    assert!(
        instants
            .iter()
            .all(|at| at.as_micros() > Micros::SECOND.as_micros())
    );
    assert_is_on_the_page(&format!("| the server's | {admitted} |"));
}
