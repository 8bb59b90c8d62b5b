//! A server, the store on it, and plain commands beside it.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, FromRedisValue};
use tollgate::{Charge, Limit, ManualClock, Store};
use tollgate_redis::RedisStore;
use tollgate_testkit::{RedisServer, conformance};

const PAGE: &str = include_str!("../../../../docs/redis.md");

/// What everyone in the lesson is counted for.
pub(crate) const KEY: &str = "198.51.100.7";

/// Longer than a machine with other things to do keeps a test waiting.
const PATIENCE: Duration = Duration::from_secs(20);

/// The store with calls that wait so long.
pub(crate) fn patient(store: RedisStore) -> RedisStore {
    store.timeout(PATIENCE).connect_timeout(PATIENCE)
}

/// A server of the test's own.
pub(crate) struct Classroom {
    _server: RedisServer,
    connection: MultiplexedConnection,
    /// On the same server, by a clock that the test moves.
    pub(crate) store: RedisStore,
    pub(crate) clock: ManualClock,
}

impl Classroom {
    pub(crate) async fn open() -> Self {
        let server = RedisServer::start();
        let client = redis::Client::open(server.url()).unwrap();
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let connecting = client.get_multiplexed_async_connection_with_config(&config);
        let clock = ManualClock::new(conformance::START);
        let store = RedisStore::open(&server.url()).unwrap();
        Self {
            connection: connecting.await.unwrap(),
            store: patient(store).prefix("ratelimit").with_clock(clock.clone()),
            clock,
            _server: server,
        }
    }

    /// Runs a command given as words, and understands its answer.
    pub(crate) async fn run<T: FromRedisValue>(&mut self, words: &[&str]) -> T {
        let mut command = redis::Cmd::new();
        command.arg(words);
        command.query_async(&mut self.connection).await.unwrap()
    }

    /// How many of `count` requests at once the store admits now.
    pub(crate) async fn admitted(&self, limit: &Limit, count: u64) -> u64 {
        let mut admitted = 0;
        for _ in 0..count {
            let outcomes = self.store.decide(&[Charge::new(limit, KEY, 1)]).await;
            admitted += u64::from(outcomes.unwrap().is_allowed());
        }
        admitted
    }
}

/// The page has this line.
#[track_caller]
pub(crate) fn assert_is_on_the_page(line: &str) {
    assert!(
        PAGE.lines().any(|other| other == line),
        "docs/redis.md does not say:\n{line}"
    );
}
