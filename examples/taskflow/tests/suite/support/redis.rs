//! A look into the Redis of a test.

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, FromRedisValue};
use tollgate_testkit::RedisServer;

use super::PATIENCE;

/// A connection beside those of the service.
#[derive(Debug, Clone)]
pub(crate) struct Client(MultiplexedConnection);

impl Client {
    pub(crate) async fn connect(server: &RedisServer) -> Self {
        let config = AsyncConnectionConfig::new().set_response_timeout(Some(PATIENCE));
        let client = redis::Client::open(server.url()).unwrap();
        let connection = client.get_multiplexed_async_connection_with_config(&config);
        Self(connection.await.unwrap())
    }

    /// Runs a command of words separated by spaces.
    pub(crate) async fn run<T: FromRedisValue>(&self, words: &str) -> T {
        let mut command = redis::Cmd::new();
        for word in words.split(' ') {
            command.arg(word);
        }
        command.query_async(&mut self.0.clone()).await.unwrap()
    }

    /// All keys that begin with `prefix`.
    pub(crate) async fn keys(&self, prefix: &str) -> Vec<String> {
        self.run(&format!("KEYS {prefix}*")).await
    }

    /// Deletes all keys that begin with `prefix`, of which there are some.
    pub(crate) async fn delete(&self, prefix: &str) {
        let keys = self.keys(prefix).await;
        assert!(!keys.is_empty(), "nothing begins with {prefix}");
        let deleted: usize = self.run(&format!("DEL {}", keys.join(" "))).await;
        assert_eq!(deleted, keys.len());
    }

    /// The server's minute, counted from the epoch.
    pub(crate) async fn minute(&self) -> u64 {
        let (seconds, _): (u64, u64) = self.run("TIME").await;
        seconds / 60
    }
}
