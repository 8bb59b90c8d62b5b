//! Ten requests a minute for each address, to `/auth` and nowhere else.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::support::{Answer, Client, Engine, Setup, TestApp, behind_proxy, on_each_engine};

on_each_engine!(
    the_eleventh_login_of_a_minute_is_turned_away,
    parallel_logins_get_through_ten_times,
);

fn wrong() -> Value {
    json!({ "email": "ann@example.com", "password": "a wrong password" })
}

async fn log_in(client: &Client) -> Answer {
    client.post("/auth/login", wrong()).await
}

fn retry_after(answer: &Answer) -> i64 {
    assert_eq!(
        answer.expect_error(429, "rate_limited"),
        "too many requests"
    );
    assert_eq!(answer.headers["cache-control"], "no-store");
    answer.headers["retry-after"]
        .to_str()
        .unwrap()
        .parse()
        .unwrap()
}

async fn the_eleventh_login_of_a_minute_is_turned_away(engine: Engine) {
    let app = TestApp::start(engine).await;
    for _ in 0..10 {
        log_in(&app.client).await.expect_error(401, "unauthorized");
    }
    let waits = [
        retry_after(&log_in(&app.client).await),
        retry_after(&log_in(&app.client).await),
    ];
    // The clock stands 20 seconds into a minute.
    assert_eq!(waits, [40, 40]);

    app.advance(39);
    assert_eq!(retry_after(&log_in(&app.client).await), 1);
    app.advance(1);
    log_in(&app.client).await.expect_error(401, "unauthorized");
}

/// Over one connection each, so that no keep-alive hides a race.
async fn parallel_logins_get_through_ten_times(engine: Engine) {
    let app = TestApp::start(engine).await;
    let clients = (0..40).map(|_| Client::new(format!("http://{}", app.address)));
    let answers = join_all(clients.map(|client| async move { log_in(&client).await })).await;
    let refused = answers.iter().filter(|answer| answer.status == 401).count();
    let limited = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((refused, limited), (10, 30));
}

#[tokio::test]
async fn every_request_to_auth_counts_and_none_to_anything_else() {
    let app = TestApp::start(Engine::Sqlite).await;
    let ann = app.user("ann").await;
    for _ in 0..12 {
        ann.get("/boards").await.expect(200);
        app.client.get("/health").await.expect(200);
    }
    let bob = json!({ "email": "bob@example.com", "password": "long enough", "name": "Bob" });
    app.client.post("/auth/register", bob).await.expect(201);
    for _ in 0..8 {
        log_in(&app.client).await.expect_error(401, "unauthorized");
    }
    // Without a token it is refused, and counts.
    let logout = app.client.post("/auth/logout", Value::Null).await;
    logout.expect_error(401, "unauthorized");
    assert_eq!(retry_after(&log_in(&app.client).await), 40);
    for _ in 0..12 {
        ann.get("/boards").await.expect(200);
    }
}

#[tokio::test]
async fn a_wrong_method_or_path_under_auth_is_not_counted() {
    let app = TestApp::start(Engine::Sqlite).await;
    for _ in 0..12 {
        let wrong_method = app.client.get("/auth/login").await;
        wrong_method.expect_error(405, "method_not_allowed");
        let wrong_path = app.client.post("/auth/nothing", wrong()).await;
        wrong_path.expect_error(404, "not_found");
    }
    for _ in 0..10 {
        log_in(&app.client).await.expect_error(401, "unauthorized");
    }
    assert_eq!(retry_after(&log_in(&app.client).await), 40);
}

#[tokio::test]
async fn another_client_behind_the_proxy_is_not_affected() {
    let app = TestApp::start(Engine::Sqlite).await;
    let ann = app.client.at_address("203.0.113.1");
    for _ in 0..10 {
        log_in(&ann).await.expect_error(401, "unauthorized");
    }
    retry_after(&log_in(&ann).await);
    let bob = app.client.at_address("203.0.113.2");
    log_in(&bob).await.expect_error(401, "unauthorized");
    // What the client itself claims stands to the left of what the proxy saw.
    let ann_pretends = app.client.at_address("203.0.113.77, 203.0.113.1");
    retry_after(&log_in(&ann_pretends).await);
}

#[tokio::test]
async fn a_forwarding_header_of_somebody_else_changes_nothing() {
    let mut setup = Setup::new(Engine::Sqlite).await;
    setup.config.client_identity = behind_proxy("192.0.2.1");
    let app = setup.start().await;
    for number in 0..10 {
        let pretends = app.client.at_address(&format!("203.0.113.{number}"));
        log_in(&pretends).await.expect_error(401, "unauthorized");
    }
    let pretends = app.client.at_address("203.0.113.10");
    retry_after(&log_in(&pretends).await);
    retry_after(&log_in(&app.client).await);
}

#[tokio::test]
async fn a_preflight_is_answered_and_not_counted() {
    let mut setup = Setup::new(Engine::Sqlite).await;
    setup.config.cors = taskflow::config::CorsOrigins::Any;
    let app = setup.start().await;
    for _ in 0..20 {
        let request = app
            .client
            .request(reqwest::Method::OPTIONS, "/auth/login")
            .header("origin", "https://app.example")
            .header("access-control-request-method", "POST");
        Answer::read(request).await.expect(200);
    }
    log_in(&app.client).await.expect_error(401, "unauthorized");
}

#[tokio::test]
async fn how_many_guesses_are_left_is_not_told() {
    let app = TestApp::start(Engine::Sqlite).await;
    for _ in 0..11 {
        let answer = log_in(&app.client).await;
        let told: Vec<_> = answer
            .headers
            .keys()
            .filter(|name| name.as_str().contains("ratelimit"))
            .collect();
        assert!(told.is_empty(), "{told:?}");
    }
}

#[tokio::test]
async fn a_path_written_otherwise_is_limited_too() {
    let app = TestApp::start(Engine::Sqlite).await;
    for _ in 0..10 {
        log_in(&app.client).await.expect_error(401, "unauthorized");
    }
    for path in ["/auth/%6cogin", "//auth/login", "/auth/login/"] {
        let answer = app.client.post(path, wrong()).await;
        assert!(matches!(answer.status, 404 | 429), "{path}: {answer:?}");
    }
}
