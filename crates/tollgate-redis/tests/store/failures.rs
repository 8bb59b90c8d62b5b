//! A server that is gone, new, or not what it should be.

use std::time::Duration;

use tollgate::{Charge, Limit, Store, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::limit;

use crate::given::{PATIENCE, command, connection, on_server_clock};
use crate::still::StillTime;

async fn remaining(store: &RedisStore, limit: &Limit, cost: u64) -> u64 {
    let outcomes = store
        .decide(&[Charge::new(limit, "k", cost)])
        .await
        .unwrap();
    assert!(outcomes.is_allowed());
    outcomes.deciding().unwrap().remaining
}

// B99
#[tokio::test]
async fn a_server_that_has_forgotten_the_script_is_told_it_again() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    let limit = limit("10/h fixed-window anchor first-request");
    for expected in (0..10).rev() {
        assert_eq!(remaining(&store, &limit, 1).await, expected);
        command(&mut connection, &["SCRIPT", "FLUSH"]).await;
    }
}

// B99, B107
#[tokio::test]
async fn a_server_that_was_restarted_between_two_calls_is_found_again() {
    let mut server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let limit = limit("2/366d");
    assert_eq!(remaining(&store, &limit, 1).await, 1);
    server.start_again();
    // A call that goes out before the connection's end is seen fails: it may have been counted, so
    // it is not sent again. No second one does.
    let _ = store.peek(&[Charge::new(&limit, "k", 0)]).await;
    assert_eq!(remaining(&store, &limit, 1).await, 1);
    assert_eq!(remaining(&store, &limit, 1).await, 0);
}

async fn command_fails(store: &RedisStore, limit: &Limit) -> bool {
    store.peek(&[Charge::new(limit, "k", 0)]).await.is_err()
}

// B97, B99
#[tokio::test]
async fn a_call_fails_at_once_while_the_server_is_down_and_works_once_it_is_up() {
    let mut server = RedisServer::start();
    server.stop();
    let (store, _prefix) = on_server_clock(&server);
    let limit = limit("10/h");
    // However long the calls take, the time for another attempt does not come.
    let time = StillTime::begin();
    let mut attempts = 0;
    for _ in 0..1_000 {
        let error = store
            .decide(&[Charge::new(&limit, "k", 1)])
            .await
            .unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
        attempts += u32::from(!error.to_string().contains("attempt"));
    }
    assert_eq!(attempts, 1);
    drop(time);
    server.start_again();
    tokio::time::timeout(PATIENCE, async {
        while command_fails(&store, &limit).await {
            tokio::task::yield_now().await;
        }
    })
    .await
    .unwrap();
    assert_eq!(remaining(&store, &limit, 1).await, 9);
}

#[tokio::test]
async fn a_server_that_hangs_costs_the_timeout_and_then_nothing() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let bearable = Duration::from_secs(2);
    let store = store.timeout(bearable).connect_timeout(bearable);
    let limit = limit("10/h");
    assert_eq!(remaining(&store, &limit, 1).await, 9);
    server.hang();
    let charges = [Charge::new(&limit, "k", 1)];
    let error = store.decide(&charges).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    // Then on the way to a new connection, and then not at all.
    tokio::time::timeout(PATIENCE, async {
        loop {
            let error = store.decide(&charges).await.unwrap_err();
            if error.to_string().contains("attempt") {
                assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
                break;
            }
        }
    })
    .await
    .unwrap();
}

#[tokio::test]
async fn a_server_without_memory_says_so_and_counts_nothing() {
    let server = RedisServer::start();
    let (store, prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    let limits = [limit("10/h"), limit("10/h sliding-log")];
    let charges: Vec<_> = limits
        .iter()
        .map(|limit| Charge::new(limit, "k", 1))
        .collect();
    command(&mut connection, &["CONFIG", "SET", "maxmemory", "1"]).await;
    let error = store.decide(&charges).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Full, "{error:?}");
    assert_eq!(
        crate::given::keys(&server, &prefix).await,
        Vec::<String>::new()
    );
    command(&mut connection, &["CONFIG", "SET", "maxmemory", "0"]).await;
    assert!(store.decide(&charges).await.unwrap().is_allowed());
}

#[tokio::test]
async fn a_replica_says_that_it_is_read_only() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    // Of a master that does not exist.
    command(&mut connection, &["REPLICAOF", "127.0.0.1", "1"]).await;
    let limit = limit("10/h");
    let error = store
        .decide(&[Charge::new(&limit, "k", 1)])
        .await
        .unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error:?}");
}

#[tokio::test]
async fn a_password_is_used_and_never_shown() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    command(&mut connection, &["CONFIG", "SET", "requirepass", "s3cret"]).await;
    let limit = limit("10/h");
    let url = |password: &str| server.url().replace("://", &format!("://:{password}@"));
    let right = RedisStore::open(&url("s3cret"))
        .unwrap()
        .prefix(RedisServer::fresh_prefix())
        .timeout(PATIENCE);
    assert_eq!(remaining(&right, &limit, 1).await, 9);
    assert!(!format!("{right:?}").contains("s3cret"), "{right:?}");
    let wrong = RedisStore::open(&url("wr0ng")).unwrap();
    let error = wrong.connect().await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    assert!(!format!("{error:?} {error}").contains("wr0ng"), "{error:?}");
    for url in [
        "redis//:s3cret@host",
        "redis://host?pass=s3cret",
        "redis://:s3cret@host:port",
        "redis://:s3cret@host/x",
        "http://:s3cret@host",
    ] {
        let error = RedisStore::open(url).unwrap_err();
        assert!(
            !format!("{error:?} {error}").contains("s3cret"),
            "{error:?}"
        );
    }
}

#[cfg(not(feature = "tls"))]
#[test]
fn a_url_with_tls_says_which_feature_it_needs() {
    let error = RedisStore::open("rediss://:s3cret@host").unwrap_err();
    assert!(error.to_string().contains("feature `tls`"), "{error}");
}
