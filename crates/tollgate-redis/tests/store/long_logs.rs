//! What long logs cost the server.

use tollgate::{Charge, Micros, Store};
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::limit;

use crate::given::{command, connection, on_manual_clock};

/// How many commands have read lists since the last look.
async fn reads(server: &RedisServer) -> u64 {
    let mut connection = connection(server).await;
    let mut info = redis::cmd("INFO");
    let info: String = info
        .arg("commandstats")
        .query_async(&mut connection)
        .await
        .unwrap();
    let calls = |name: &str| {
        let start = format!("cmdstat_{name}:calls=");
        let line = info.lines().find_map(|line| line.strip_prefix(&start));
        line.map_or(0, |line| {
            let calls = line.split(',').next().unwrap();
            calls.parse::<u64>().unwrap()
        })
    };
    let reads = calls("lrange") + calls("lindex") + calls("llen");
    command(&mut connection, &["CONFIG", "RESETSTAT"]).await;
    reads
}

#[tokio::test]
async fn a_denial_of_a_large_cost_does_not_read_the_log() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let limit = limit("2000/min sliding-log");
    for _ in 0..2_000 {
        let one = [Charge::new(&limit, "k", 1)];
        assert!(store.decide(&one).await.unwrap().is_allowed());
        clock.advance(Micros::new(25_000));
    }
    let large = [Charge::new(&limit, "k", 1_500)];
    reads(&server).await;
    let denied = store.decide(&large).await.unwrap();
    // The 1500th leaves a minute after it came, and 50 s have gone since the first.
    let wait = Micros::new(60_000_000 - (2_000 - 1_499) * 25_000);
    assert_eq!(denied.retry_after(), Some(wait));
    let full = reads(&server).await;
    assert!(full < 10, "{full} reads");
    // Most have left, and none has been dropped.
    clock.advance(Micros::from_secs(50));
    let all = [Charge::new(&limit, "k", 2_000)];
    assert!(!store.decide(&all).await.unwrap().is_allowed());
    let left = reads(&server).await;
    assert!(left < 30, "{left} reads");
}
