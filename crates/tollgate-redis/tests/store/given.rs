//! What the tests begin with.

use std::time::Duration;

use redis::AsyncConnectionConfig;
use redis::aio::MultiplexedConnection;
use tollgate::ManualClock;
use tollgate_redis::RedisStore;
use tollgate_testkit::{RedisServer, conformance};

/// Longer than a machine with other things to do keeps a test waiting.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// A store with a prefix of its own that reads a manual clock.
pub(crate) fn on_manual_clock(server: &RedisServer) -> (RedisStore, ManualClock, String) {
    let clock = ManualClock::new(conformance::START);
    let (store, prefix) = on_server_clock(server);
    (store.with_clock(clock.clone()), clock, prefix)
}

/// A store with a prefix of its own that goes by the server's clock.
pub(crate) fn on_server_clock(server: &RedisServer) -> (RedisStore, String) {
    let prefix = RedisServer::fresh_prefix();
    let store = RedisStore::open(&server.url()).unwrap();
    let store = store.prefix(prefix.clone()).timeout(PATIENCE);
    (store.connect_timeout(PATIENCE), prefix)
}

/// A connection beside the store's.
pub(crate) async fn connection(server: &RedisServer) -> MultiplexedConnection {
    let client = redis::Client::open(server.url()).unwrap();
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(PATIENCE))
        .set_response_timeout(Some(PATIENCE));
    let connection = client.get_multiplexed_async_connection_with_config(&config);
    connection.await.unwrap()
}

/// Runs a command given as words.
pub(crate) async fn command(
    connection: &mut MultiplexedConnection,
    words: &[&str],
) -> redis::Value {
    let mut command = redis::Cmd::new();
    command.arg(words);
    command.query_async(connection).await.unwrap()
}

/// All keys that begin with the prefix.
pub(crate) async fn keys(server: &RedisServer, prefix: &str) -> Vec<String> {
    let mut connection = connection(server).await;
    let mut keys = Vec::new();
    let mut cursor = "0".to_owned();
    loop {
        let (next, found): (String, Vec<String>) = redis::cmd("SCAN")
            .arg(&cursor)
            .arg("MATCH")
            .arg(format!("{prefix}:*"))
            .query_async(&mut connection)
            .await
            .unwrap();
        keys.extend(found);
        if next == "0" {
            return keys;
        }
        cursor = next;
    }
}

/// What stands for the lifetime of a key that is not there.
const EXPIRED: i64 = -2;

/// All keys that begin with the prefix, each with its remaining milliseconds: -1 is forever.
pub(crate) async fn lifetimes(server: &RedisServer, prefix: &str) -> Vec<(String, i64)> {
    let mut connection = connection(server).await;
    let mut lifetimes = Vec::new();
    for key in keys(server, prefix).await {
        let lifetime: i64 = redis::cmd("PTTL")
            .arg(&key)
            .query_async(&mut connection)
            .await
            .unwrap();
        // Since it was found, it may have had its time.
        if lifetime != EXPIRED {
            lifetimes.push((key, lifetime));
        }
    }
    lifetimes
}
