//! The store does what every store must do, bit for bit, by a clock that the tests move.

use crate::given::{lifetimes, on_manual_clock};
use tollgate_testkit::RedisServer;
use tollgate_testkit::conformance::{self, TraceOptions};

/// The longest lifetime by a manual clock: of a sliding window or a refill of the traces' longest
/// limits, from an instant that lies up to a period back, and the slack.
const LONGEST_MILLIS: i64 = 400 * 366 * 86_400_000;

#[tokio::test]
async fn conforms() {
    let server = RedisServer::start();
    let (store, clock, prefix) = on_manual_clock(&server);
    conformance::run_all(&store, &clock).await;
    assert_all_live_for_a_while(&server, &prefix).await;
}

/// `REDIS_TRACES` is the number of traces of about 150 decisions each, where many are wanted.
#[tokio::test]
async fn decides_random_traces_like_the_oracle() {
    let server = RedisServer::start();
    let (store, clock, prefix) = on_manual_clock(&server);
    let seeds = std::env::var("REDIS_TRACES").map_or(30, |seeds| seeds.parse().unwrap());
    for seed in 2_000..2_000 + seeds {
        let options = TraceOptions {
            seed,
            steps: 300,
            ..TraceOptions::default()
        };
        conformance::random_trace(&store, &clock, &options).await;
    }
    assert_all_live_for_a_while(&server, &prefix).await;
}

#[tokio::test]
async fn conforms_by_unix_socket() {
    let server = RedisServer::start();
    let clock = tollgate::ManualClock::new(conformance::START);
    let store = tollgate_redis::RedisStore::open(&server.unix_url())
        .unwrap()
        .prefix(RedisServer::fresh_prefix())
        .with_clock(clock.clone());
    conformance::keeps_its_promise_of_retry_after(&store, &clock).await;
}

async fn assert_all_live_for_a_while(server: &RedisServer, prefix: &str) {
    let lifetimes = lifetimes(server, prefix).await;
    assert!(!lifetimes.is_empty(), "the tests have stored something");
    for (key, lifetime) in lifetimes {
        assert!(
            lifetime > 0 && lifetime <= LONGEST_MILLIS,
            "{key} lives for {lifetime} ms"
        );
    }
}
