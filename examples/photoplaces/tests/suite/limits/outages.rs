//! The store hangs, is away, and comes back.

use photoplaces::RateLimits;
use photoplaces::config::Environment;
use tollgate_testkit::RedisServer;
use tollgate_testkit::redis::until;

use super::given::{SHIPPED, behind_proxy, replaced, trusting, write};
use super::rows::{Callers, ROWS, number};
use crate::support::{Answer, TestApp, fresh_address};

/// A service whose callers have used everything up, and whose Redis then hangs.
struct Hanging {
    redis: RedisServer,
    app: TestApp,
    limits: RateLimits,
    /// They came before.
    early: Callers,
    /// They come while it hangs.
    meanwhile: Callers,
    /// They come when it is back.
    late: Callers,
}

impl Hanging {
    async fn new(environment: Environment) -> Self {
        let redis = RedisServer::start();
        let setup = behind_proxy(environment, Some(&redis)).await;
        let (app, limits) = setup.start_limited().await;
        let this = Self {
            early: Callers::new(&app, "early").await,
            meanwhile: Callers::new(&app, "meanwhile").await,
            late: Callers::new(&app, "late").await,
            redis,
            app,
            limits,
        };
        for row in &ROWS {
            row.gives_its_units(&this.early).await;
        }
        this.redis.hang();
        this
    }

    /// The store is back: what was counted there still is, and nothing else.
    async fn recovers(self) {
        self.redis.resume();
        until("the store is back", || !self.limits.store_is_away());
        for row in &ROWS {
            row.denies(&self.early).await;
            row.gives_its_units(&self.late).await;
        }
    }

    async fn places(&self) -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM places")
            .fetch_one(self.app.state.db().pool())
            .await
            .unwrap()
    }
}

fn assert_closed(answer: &Answer) {
    answer.expect_error(503, "unavailable");
    assert_eq!(number(answer, "retry-after"), 5);
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert!(!answer.headers.contains_key("x-ratelimit-limit"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn production_answers_503_while_the_store_hangs_and_goes_on_when_it_is_back() {
    let service = Hanging::new(Environment::Production).await;
    let places = service.places().await;
    for row in &ROWS {
        assert_closed(&row.call(&service.meanwhile).await);
        assert!(service.limits.store_is_away());
    }
    assert_eq!(service.places().await, places, "no handler was reached");
    // What has no limit needs no store.
    service.app.client.get("/health").await.expect(200);
    service.recovers().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn development_counts_in_memory_while_the_store_hangs_and_goes_on_when_it_is_back() {
    let service = Hanging::new(Environment::Development).await;
    for row in &ROWS {
        row.gives_its_units_without_the_store(&service.meanwhile)
            .await;
        assert!(service.limits.store_is_away());
    }
    service.recovers().await;
}

// B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_service_starts_without_its_store_and_finds_it_later() {
    for environment in [Environment::Production, Environment::Development] {
        let mut redis = RedisServer::start();
        redis.kill();
        let setup = behind_proxy(environment, Some(&redis)).await;
        let (app, limits) = setup.start_limited().await;
        for _ in 0..10 {
            let answer = app.client.at_address(&fresh_address()).get("/places").await;
            match environment {
                Environment::Production => assert_closed(&answer),
                Environment::Development => drop(answer.expect(200)),
            }
        }
        assert!(limits.store_is_away());
        redis.start_again();
        until("the store is found", || !limits.store_is_away());
        let newcomer = Callers::new(&app, "ann").await;
        for row in &ROWS {
            row.gives_its_units(&newcomer).await;
        }
    }
}

// B95
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_the_store_denies_is_denied_whatever_would_happen_without_it() {
    let redis = RedisServer::start();
    let setup = behind_proxy(Environment::Development, Some(&redis)).await;
    let (app, _) = setup.start_limited().await;
    let callers = Callers::new(&app, "ann").await;
    for row in &ROWS {
        row.gives_its_units(&callers).await;
        for _ in 0..3 {
            row.denies(&callers).await;
        }
    }
}

/// What is done to a server.
type Change = fn(&RedisServer);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redis_that_cannot_write_is_a_store_that_fails() {
    for environment in [Environment::Production, Environment::Development] {
        let redis = RedisServer::start();
        let setup = behind_proxy(environment, Some(&redis)).await;
        let (app, limits) = setup.start_limited().await;
        let faults: [(Change, Change); 2] = [
            (
                |redis| redis.set_max_memory(1),
                |redis| redis.set_max_memory(0),
            ),
            (RedisServer::make_read_only, RedisServer::make_writable),
        ];
        for (break_it, mend_it) in faults {
            break_it(&redis);
            for _ in 0..10 {
                let answer = app.client.at_address(&fresh_address()).get("/places").await;
                match environment {
                    Environment::Production => assert_closed(&answer),
                    Environment::Development => {
                        answer.expect(200);
                        assert!(!answer.headers.contains_key("x-ratelimit-limit"));
                    }
                }
            }
            mend_it(&redis);
            until("the store is back", || !limits.store_is_away());
            let answer = app.client.at_address(&fresh_address()).get("/places").await;
            answer.expect(200);
            assert_eq!(number(&answer, "x-ratelimit-remaining"), 59);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_long_to_wait_while_the_store_is_away_is_what_the_file_says() {
    let redis = RedisServer::start();
    let setup = behind_proxy(Environment::Production, Some(&redis)).await;
    let seven = "reset = \"epoch\"\noutage_retry_after = \"7s\"";
    write(
        &setup,
        &replaced(&trusting(SHIPPED), "reset = \"epoch\"", seven),
    );
    let (app, _limits) = setup.start_limited().await;
    drop(redis);
    let answer = app.client.at_address(&fresh_address()).get("/places").await;
    answer.expect_error(503, "unavailable");
    assert_eq!(number(&answer, "retry-after"), 7);
}
