//! The store does what every store must do, bit for bit, by a clock that the tests move.

use crate::given::{PATIENCE, lifetimes, on_manual_clock};
use tollgate::{Charge, Clock, Micros, Outcome, Outcomes, Store, Timestamp};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::given::limit;
use tollgate_testkit::redis::Engine;
use tollgate_testkit::{RedisServer, ReferenceStore};

/// The longest lifetime by a manual clock: of a sliding window or a refill of the traces' longest
/// limits, from an instant that lies up to a period back, and the slack.
const LONGEST_MILLIS: i64 = 400 * 366 * 86_400_000;

#[tokio::test]
async fn conforms_on_every_engine() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        let (store, clock, prefix) = on_manual_clock(&server);
        conformance::run_all(&store, &clock).await;
        assert_all_live_for_a_while(&server, &prefix).await;
    }
}

/// `REDIS_TRACES` is the number of traces of about 150 decisions each, where many are wanted.
#[tokio::test]
async fn decides_random_traces_like_the_oracle_on_every_engine() {
    let seeds = std::env::var("REDIS_TRACES").map_or(30, |seeds| seeds.parse().unwrap());
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        let (store, clock, prefix) = on_manual_clock(&server);
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
}

/// The traces' logs are short, and all of a short log is read at once.
#[tokio::test]
async fn decides_long_logs_like_the_oracle() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let oracle = ReferenceStore::new(clock.clone());
    let limit = limit("400/min sliding-log");
    for seed in 0..4 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let key = format!("log {seed}");
        let mut admitted = Vec::new();
        for step in 0..600 {
            let cost = match rng.u8(..10) {
                0 => rng.u64(..=401),
                _ => rng.u64(1..=2),
            };
            let charges = [Charge::new(&limit, &key, cost)];
            let place = format!("seed {seed}, step {step}, cost {cost}");
            match rng.u16(..400) {
                0..=9 => {
                    if let Some((cost, outcomes)) = admitted.pop() {
                        let charges = [Charge::new(&limit, &key, cost)];
                        store.refund(&charges, &outcomes).await.unwrap();
                        oracle.refund(&charges, &outcomes).await.unwrap();
                    }
                }
                10..=12 => {
                    let charges = [Charge::new(&limit, &key, rng.u64(1..=20))];
                    let any = Outcomes::new(Timestamp::EPOCH, [(Outcome::ANY_ADMISSION, true)]);
                    store.refund(&charges, &any).await.unwrap();
                    oracle.refund(&charges, &any).await.unwrap();
                }
                13 => clock.set(clock.now().saturating_sub(Micros::from_secs(10))),
                14 => clock.set(clock.now().saturating_sub(Micros::from_secs(70))),
                15 => clock.advance(Micros::from_secs(rng.u64(..70))),
                16..=200 => clock.advance(Micros::new(rng.u64(..300_000))),
                _ => {}
            }
            let looked = store.peek(&charges).await.unwrap();
            assert_eq!(looked, oracle.peek(&charges).await.unwrap(), "{place}");
            if cost > 2 {
                continue;
            }
            let decided = store.decide(&charges).await.unwrap();
            assert_eq!(decided, oracle.decide(&charges).await.unwrap(), "{place}");
            if decided.is_allowed() {
                admitted.insert(rng.usize(..=admitted.len()), (cost, decided));
            }
        }
    }
}

/// Where a tick is longer than a microsecond, waits end at ticks, and the store must count them as
/// the oracle does.
#[tokio::test]
async fn keeps_its_promises_to_the_microsecond_where_ticks_are_coarse() {
    let server = RedisServer::start();
    let (store, clock, _prefix) = on_manual_clock(&server);
    let oracle = ReferenceStore::new(clock.clone());
    for text in ["1000000000000/100d", "1000000000000/100d sliding-window"] {
        let limit = limit(text);
        assert!(limit.tick() > Micros::new(1), "{text}");
        let charges = [Charge::new(&limit, "coarse", limit.quota() / 3)];
        for _ in 0..30 {
            let decided = store.decide(&charges).await.unwrap();
            assert_eq!(decided, oracle.decide(&charges).await.unwrap(), "{text}");
            let Some(wait) = decided.retry_after() else {
                clock.advance(Micros::new(7));
                continue;
            };
            clock.set(
                clock
                    .now()
                    .saturating_add(wait)
                    .saturating_sub(Micros::new(1)),
            );
            let early = store.decide(&charges).await.unwrap();
            assert!(!early.is_allowed(), "{text}: a microsecond early");
            assert_eq!(early, oracle.decide(&charges).await.unwrap(), "{text}");
            clock.advance(Micros::new(1));
            let due = store.peek(&charges).await.unwrap();
            assert!(due.is_allowed(), "{text}: when it was promised");
        }
    }
}

#[tokio::test]
async fn conforms_by_unix_socket() {
    let server = RedisServer::start();
    let clock = tollgate::ManualClock::new(conformance::START);
    let store = tollgate_redis::RedisStore::open(&server.unix_url())
        .unwrap()
        .prefix(RedisServer::fresh_prefix())
        .timeout(PATIENCE)
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
