//! Every error answer has the common form and tells nothing it should not.

use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;

use crate::support::{
    Answer, Engine, PASSWORD, Setup, TestApp, board_with_columns, on_each_engine,
};

on_each_engine!(
    unknown_paths_and_methods_have_the_common_form,
    a_body_that_cannot_be_read_has_the_common_form,
    messages_name_the_field,
    a_database_error_is_not_shown,
    health_says_when_the_database_is_gone,
    a_request_that_takes_too_long_is_answered,
);

async fn unknown_paths_and_methods_have_the_common_form(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    for path in ["/", "/nothing", "/boards/", "/boards/1/nothing"] {
        app.client.get(path).await.expect_error(404, "not_found");
    }
    for path in [
        "/boards/abc",
        "/boards/-",
        "/boards/99999999999999999999",
        "/boards/1/cards/x",
    ] {
        ann.get(path).await.expect_error(404, "not_found");
    }
    let answer = app.client.put("/boards/1").await;
    answer.expect_error(405, "method_not_allowed");
    assert_eq!(answer.headers["allow"], "GET,HEAD,PATCH,DELETE");
    let answer = app.client.get("/auth/login").await;
    answer.expect_error(405, "method_not_allowed");
    assert_eq!(answer.headers["allow"], "POST");
}

async fn a_body_that_cannot_be_read_has_the_common_form(engine: Engine) {
    let app = TestApp::start(engine).await;
    let post = |content_type: &str, body: Vec<u8>| {
        let request = app.client.request(Method::POST, "/auth/login");
        Answer::read(request.header("content-type", content_type).body(body))
    };
    post("application/json", b"{".to_vec())
        .await
        .expect_error(400, "validation");
    post("application/json", b"[]".to_vec())
        .await
        .expect_error(400, "validation");
    post("application/json", vec![0xff; 9])
        .await
        .expect_error(400, "validation");
    post("text/plain", b"{}".to_vec())
        .await
        .expect_error(415, "unsupported_media_type");
    let large = json!({"email": "a".repeat(70_000), "password": ""})
        .to_string()
        .into_bytes();
    post("application/json", large)
        .await
        .expect_error(413, "payload_too_large");
}

async fn messages_name_the_field(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 1).await;
    let register = |email: &str, password: &str, name: &str| json!({"email": email, "password": password, "name": name});
    let labels = format!("/boards/{board}/labels");
    let cards = format!("/boards/{board}/columns/{}/cards", columns[0]);
    let moves = format!("/boards/{board}/columns/{}/move", columns[0]);
    let cases: Vec<(&str, &str, Value)> = vec![
        (
            "email",
            "/auth/register",
            register("nonsense", PASSWORD, "Bob"),
        ),
        (
            "password",
            "/auth/register",
            register("bob@example.com", "short", "Bob"),
        ),
        (
            "password",
            "/auth/register",
            register("bob@example.com", &"x".repeat(129), "Bob"),
        ),
        (
            "name",
            "/auth/register",
            register("bob@example.com", PASSWORD, " "),
        ),
        (
            "name",
            "/auth/register",
            json!({"email": "bob@example.com", "password": PASSWORD}),
        ),
        (
            "admin",
            "/auth/login",
            json!({"email": "", "password": "", "admin": true}),
        ),
        ("name", "/boards", json!({"name": "x".repeat(101)})),
        ("name", "/boards", json!({"name": 7})),
        ("colour", &labels, json!({"name": "label", "colour": "red"})),
        ("title", &cards, json!({"title": "two\nlines"})),
        (
            "description",
            &cards,
            json!({"title": "Card", "description": "x".repeat(5001)}),
        ),
        (
            "description",
            &cards,
            json!({"title": "Card", "description": "\0"}),
        ),
        ("position", &moves, json!({"position": -1})),
    ];
    for (field, path, body) in cases {
        let message = ann.post(path, body).await.expect_error(400, "validation");
        assert!(
            message.contains(field),
            "{path}: {message} does not name {field}"
        );
    }
}

async fn a_database_error_is_not_shown(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 1).await;
    sqlx::query("DROP TABLE card_labels")
        .execute(app.state.db().pool())
        .await
        .unwrap();
    let card = json!({"title": "Card"});
    let path = format!("/boards/{board}/columns/{}/cards", columns[0]);
    ann.post(&path, card).await.expect(201);
    let answer = ann.get(&format!("/boards/{board}")).await;
    assert_eq!(answer.expect_error(500, "internal"), "database error");
    for secret in [
        "card_labels",
        "table",
        "relation",
        "SELECT",
        "sqlite",
        "postgres",
    ] {
        assert!(!answer.body.contains(secret), "{answer:?}");
    }
}

async fn health_says_when_the_database_is_gone(engine: Engine) {
    let app = TestApp::start(engine).await;
    app.state.db().close().await;
    let answer = app.client.get("/health").await;
    let mut health = json!({"status": "unavailable", "database": "unreachable"});
    if engine == Engine::Redis {
        health["redis"] = "ok".into();
        health["limiter"] = "ok".into();
    }
    assert_eq!(answer.expect(503), health);
}

async fn a_request_that_takes_too_long_is_answered(engine: Engine) {
    let mut setup = Setup::new(engine).await;
    setup.config.request_timeout = Duration::from_millis(1);
    let app = setup.start().await;
    // Whoever holds every connection keeps whoever needs one waiting.
    let pool = app.state.db().pool();
    let mut held = Vec::new();
    for _ in 0..pool.options().get_max_connections() {
        held.push(pool.acquire().await.unwrap());
    }
    app.client.get("/health").await.expect_error(503, "timeout");
}
