//! Redis is gone, hangs, or does not do as told: who notices what, and for how long.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Engine, PATIENCE, Setup, TestApp, id};

async fn log_in(client: &Client) -> Answer {
    let wrong = json!({ "email": "ann@example.com", "password": "a wrong password" });
    client.post("/auth/login", wrong).await
}

fn health(status: &str, redis: &str) -> Value {
    json!({"status": status, "database": "ok", "redis": redis, "limiter": redis})
}

#[track_caller]
fn expect_unavailable(answer: &Answer) {
    answer.expect_error(503, "unavailable");
    assert_eq!(answer.headers["retry-after"], "5");
    assert_eq!(answer.headers["cache-control"], "no-store");
}

/// Asks again until the answer has this status.
async fn until(status: u16, ask: impl AsyncFn() -> Answer) -> Answer {
    let wait = async {
        loop {
            let answer = ask().await;
            if answer.status == status {
                return answer;
            }
            expect_unavailable(&answer);
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.unwrap()
}

async fn expect_outage(app: &TestApp, user: &Client) {
    // Not 401, which would tell clients to throw their tokens away.
    expect_unavailable(&user.get("/boards").await);
    expect_unavailable(&user.post("/auth/logout", json!({})).await);
    // Not let through uncounted either.
    for _ in 0..12 {
        expect_unavailable(&log_in(&app.client).await);
    }
    let body = app.client.get("/health").await.expect(200);
    assert_eq!(body, health("degraded", "unreachable"));
    // What needs no Redis goes on.
    app.client
        .get("/boards")
        .await
        .expect_error(401, "unauthorized");
    app.client
        .get("/nothing")
        .await
        .expect_error(404, "not_found");
}

#[tokio::test]
async fn without_redis_nobody_gets_in_and_all_recovers_with_it() {
    let mut app = TestApp::start(Engine::Redis).await;
    let ann = app.user("ann").await;
    ann.get("/boards").await.expect(200);
    assert_eq!(
        app.client.get("/health").await.expect(200),
        health("ok", "ok")
    );

    app.redis().stop();
    expect_outage(&app, &ann).await;

    app.redis().start_again();
    // It has lost its memory, and so the session. That is known now, and is a 401.
    until(401, || ann.get("/boards")).await;
    assert_eq!(
        app.client.get("/health").await.expect(200),
        health("ok", "ok")
    );
    until(401, || log_in(&app.client)).await;
    // The limiter is back too: nine more, and no tenth.
    for _ in 0..9 {
        log_in(&app.client).await.expect_error(401, "unauthorized");
    }
    log_in(&app.client).await.expect_error(429, "rate_limited");
    app.log_in("ann").await.get("/boards").await.expect(200);
}

#[tokio::test]
async fn the_service_starts_without_redis_and_finds_it_later() {
    let mut setup = Setup::new(Engine::Redis).await;
    setup.redis.as_mut().unwrap().stop();
    let mut app = setup.start().await;
    let nobody = app.client.with_token(&"0".repeat(64));
    expect_outage(&app, &nobody).await;
    app.redis().start_again();
    until(401, || nobody.get("/boards")).await;
    until(401, || log_in(&app.client)).await;
    app.user("ann").await.get("/boards").await.expect(200);
}

#[tokio::test]
async fn a_redis_that_hangs_is_not_waited_for_without_end() {
    let mut setup = Setup::new(Engine::Redis).await;
    setup.config.redis_timeout = Duration::from_millis(500);
    setup.config.limiter_deadline = Duration::from_millis(100);
    setup.config.request_timeout = PATIENCE;
    let mut app = setup.start().await;
    app.redis().hang();
    let nobody = app.client.with_token(&"0".repeat(64));
    // Not the 503 of a request that took too long, which has another code.
    expect_outage(&app, &nobody).await;
}

#[tokio::test]
async fn boards_come_from_the_database_while_the_cache_takes_nothing() {
    let app = TestApp::start(Engine::Redis).await;
    let redis = app.redis_client().await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Old"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");
    ann.get(&path).await.expect(200);

    let _: String = redis.run("CONFIG SET maxmemory 1").await;
    assert_eq!(ann.get(&path).await.expect(200)["name"], "Old");
    ann.patch(&path, json!({"name": "New"})).await.expect(200);
    for _ in 0..2 {
        assert_eq!(ann.get(&path).await.expect(200)["name"], "New");
    }
    assert_eq!(redis.keys("cache").await, Vec::<String>::new());

    let _: String = redis.run("CONFIG SET maxmemory 0").await;
    assert_eq!(ann.get(&path).await.expect(200)["name"], "New");
    assert_eq!(redis.keys("cache").await.len(), 2, "cached again");
}

#[tokio::test]
async fn an_invalidation_that_failed_is_made_up_for() {
    let app = TestApp::start(Engine::Redis).await;
    let redis = app.redis_client().await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Old"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");
    ann.get(&path).await.expect(200);

    let _: String = redis.run("ACL SETUSER default -del").await;
    ann.patch(&path, json!({"name": "New"})).await.expect(200);
    let _: String = redis.run("ACL SETUSER default +del").await;
    let seen = async {
        while ann.get(&path).await.expect(200)["name"] != "New" {
            tokio::task::yield_now().await;
        }
    };
    // Sooner than the cached board has had its time.
    tokio::time::timeout(PATIENCE, seen).await.unwrap();
}

/// It may not count, though the sessions are there.
#[tokio::test]
async fn health_tells_of_a_limiter_that_alone_cannot_count() {
    let app = TestApp::start(Engine::Redis).await;
    let redis = app.redis_client().await;
    let user = "ACL SETUSER default resetkeys ~session:* ~cache:*";
    let _: String = redis.run(user).await;
    let expected = json!({
        "status": "degraded",
        "database": "ok",
        "redis": "ok",
        "limiter": "unreachable",
    });
    assert_eq!(app.client.get("/health").await.expect(200), expected);
}
