//! Every error answer has the common form and tells nothing it should not.

use std::time::Duration;

use axum::routing::get;
use photoplaces::{layers, routes};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    Answer, Engine, NOW, PASSWORD, Setup, TestApp, on_each_engine, place, service,
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
    let admin = app.admin().await;
    for path in [
        "/",
        "/nothing",
        "/places/",
        "/places/1/nothing",
        "/places/abc",
        "/places/-1",
        "/places/99999999999999999999",
        "/reviews/x",
        "/services/1.5",
        "/admin",
        "/admin/users/x",
        "/places/%FF",
    ] {
        admin.get(path).await.expect_error(404, "not_found");
    }
    let answer = app.client.put("/places/1").await;
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
    for body in [
        &b"{"[..],
        b"[]",
        b"",
        b"null",
        &[0xff; 9],
        br#"{"email":"a"} x"#,
    ] {
        let answer = post("application/json", body.to_vec()).await;
        answer.expect_error(400, "validation");
    }
    post("text/plain", b"{}".to_vec())
        .await
        .expect_error(415, "unsupported_media_type");
    let large = json!({"email": "a".repeat(70_000), "password": ""});
    post("application/json", large.to_string().into_bytes())
        .await
        .expect_error(413, "payload_too_large");
}

async fn messages_name_the_field(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let service = service(&ann).await;
    let place = place(&ann).await;
    let (reviews, services) = (
        format!("/places/{place}/reviews"),
        format!("/places/{place}/services"),
    );
    let register = |email: &str, password: &str, name: &str| json!({"email": email, "password": password, "name": name});
    let new = |field: &str, value: Value| {
        let mut place =
            json!({"name": "P", "description": "", "latitude": 0, "longitude": 0, "tags": []});
        place[field] = value;
        place
    };
    let offer = |field: &str, value: Value| {
        let mut offer = json!({"title": "T", "price_cents": 1, "contact": "C"});
        offer[field] = value;
        offer
    };
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
            "name",
            "/auth/register",
            register("bob@example.com", PASSWORD, " "),
        ),
        ("name", "/places", new("name", json!("two\nlines"))),
        ("name", "/places", new("name", json!(7))),
        ("description", "/places", new("description", json!("\0"))),
        (
            "description",
            "/places",
            new("description", json!("x".repeat(5001))),
        ),
        ("latitude", "/places", new("latitude", json!(90.5))),
        ("latitude", "/places", new("latitude", json!("north"))),
        ("longitude", "/places", new("longitude", json!(-181))),
        ("longitude", "/places", json!({"name": "P", "latitude": 0})),
        ("tags", "/places", new("tags", json!(["a,b"]))),
        ("tags", "/places", new("tags", json!("sea"))),
        ("created_by", "/places", new("created_by", json!(1))),
        ("rating", &reviews, json!({"rating": 0})),
        ("rating", &reviews, json!({"rating": 6})),
        ("rating", &reviews, json!({"rating": 4.5})),
        ("rating", &reviews, json!({"text": "Nice"})),
        (
            "text",
            &reviews,
            json!({"rating": 3, "text": "x".repeat(5001)}),
        ),
        ("title", &services, offer("title", json!(""))),
        ("price_cents", &services, offer("price_cents", json!(-1))),
        ("price_cents", &services, offer("price_cents", json!(0.5))),
        ("contact", &services, offer("contact", json!(""))),
        (
            "starts_at",
            "/bookings",
            json!({"service_id": service, "starts_at": NOW + 1800}),
        ),
        ("service_id", "/bookings", json!({"starts_at": NOW + 3600})),
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
    sqlx::query("DROP VIEW shown_services")
        .execute(app.state.db().pool())
        .await
        .unwrap();
    let answer = ann.get("/services").await;
    assert_eq!(answer.expect_error(500, "internal"), "database error");
    for secret in [
        "shown_services",
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
    assert_eq!(
        answer.expect(503),
        json!({"status": "unavailable", "database": "unreachable"})
    );
}

async fn a_request_that_takes_too_long_is_answered(engine: Engine) {
    let mut setup = Setup::new(engine).await;
    setup.config.request_timeout = Duration::from_millis(1);
    let make = |state| {
        let endless = get(async || std::future::pending::<()>().await);
        let routes = routes().route("/endless", endless);
        layers::wrap(routes, state, |routes| routes)
    };
    let app = setup.start_as(make).await;
    app.client
        .get("/endless")
        .await
        .expect_error(503, "timeout");
}
