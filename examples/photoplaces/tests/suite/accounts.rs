//! Accounts and sessions.

use reqwest::Method;
use serde_json::json;

use crate::support::{Answer, Engine, PASSWORD, TestApp, on_each_engine};

on_each_engine!(
    an_address_registers_once,
    nobody_registers_as_an_administrator,
    a_login_does_not_tell_whether_the_address_exists,
    logging_out_ends_that_session_alone,
    a_session_ends_at_its_time,
    what_is_no_session_is_refused,
    tokens_are_stored_as_hashes,
);

async fn an_address_registers_once(engine: Engine) {
    let app = TestApp::start(engine).await;
    app.user("ann").await;
    let again = json!({"email": "ANN@example.com", "password": PASSWORD, "name": "Other"});
    app.client
        .post("/auth/register", again)
        .await
        .expect_error(409, "conflict");
}

async fn nobody_registers_as_an_administrator(engine: Engine) {
    let app = TestApp::start(engine).await;
    let new =
        json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann", "role": "admin"});
    let message = app
        .client
        .post("/auth/register", new)
        .await
        .expect_error(400, "validation");
    assert!(message.contains("role"), "{message}");
}

async fn a_login_does_not_tell_whether_the_address_exists(engine: Engine) {
    let app = TestApp::start(engine).await;
    app.user("ann").await;
    let mut answers = Vec::new();
    for (email, password) in [
        ("ann@example.com", "wrong password"),
        ("bob@example.com", "wrong password"),
        ("no address", PASSWORD),
        ("nul\0@example.com", PASSWORD),
    ] {
        let login = json!({"email": email, "password": password});
        let answer = app.client.post("/auth/login", login).await;
        answer.expect_error(401, "unauthorized");
        answers.push(answer.body);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

async fn logging_out_ends_that_session_alone(engine: Engine) {
    let app = TestApp::start(engine).await;
    let first = app.user("ann").await;
    let second = app.log_in("ann").await;
    first.post("/auth/logout", json!({})).await.expect(204);
    first
        .get("/bookings")
        .await
        .expect_error(401, "unauthorized");
    second.get("/bookings").await.expect(200);
}

async fn a_session_ends_at_its_time(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    app.advance(7 * 24 * 60 * 60 - 1);
    ann.get("/bookings").await.expect(200);
    app.advance(1);
    ann.get("/bookings").await.expect_error(401, "unauthorized");
    app.log_in("ann").await.get("/bookings").await.expect(200);
    // The expired row went with the next login.
    let rows: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sessions")
        .fetch_one(app.state.db().pool())
        .await
        .unwrap();
    assert_eq!(rows, 1);
}

async fn what_is_no_session_is_refused(engine: Engine) {
    let app = TestApp::start(engine).await;
    let token = app.user("ann").await.token().to_owned();
    let bookings = |value: String| {
        let request = app.client.request(Method::GET, "/bookings");
        Answer::read(request.header("authorization", value))
    };
    for value in [
        String::new(),
        "Bearer ".to_owned(),
        format!("Basic {token}"),
        format!("Bearer {}", "0".repeat(64)),
        format!("Bearer {token}0"),
        token.clone(),
    ] {
        bookings(value).await.expect_error(401, "unauthorized");
    }
    bookings(format!("bearer {token}")).await.expect(200);
}

async fn tokens_are_stored_as_hashes(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let stored: Vec<String> = sqlx::query_scalar("SELECT token_hash FROM sessions")
        .fetch_all(app.state.db().pool())
        .await
        .unwrap();
    assert_eq!(stored.len(), 1);
    assert_ne!(stored[0], ann.token());
}
