//! Which pages of other origins a browser lets in.

use reqwest::Method;
use taskflow::config::CorsOrigins;

use crate::support::{Answer, Engine, Setup, TestApp};

async fn start(origins: CorsOrigins) -> TestApp {
    let mut setup = Setup::new(Engine::Sqlite).await;
    setup.config.cors = origins;
    setup.start().await
}

async fn preflight(app: &TestApp, origin: &str) -> Answer {
    let request = app.client.request(Method::OPTIONS, "/auth/login");
    let request = request.header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    Answer::read(request.header("access-control-request-headers", "content-type")).await
}

#[tokio::test]
async fn nobody_is_allowed_unless_listed() {
    let app = start(CorsOrigins::List(Vec::new())).await;
    let answer = preflight(&app, "https://app.example").await;
    assert_eq!(answer.status, 405);
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn a_listed_origin_is_allowed_and_no_other() {
    let app = start(CorsOrigins::List(vec![
        "https://app.example".parse().unwrap(),
    ]))
    .await;
    let answer = preflight(&app, "https://app.example").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.headers["access-control-allow-origin"],
        "https://app.example"
    );
    let answer = preflight(&app, "https://evil.example").await;
    assert!(!answer.headers.contains_key("access-control-allow-origin"));
}

#[tokio::test]
async fn an_error_too_can_be_read_by_a_listed_origin() {
    let app = start(CorsOrigins::List(vec![
        "https://app.example".parse().unwrap(),
    ]))
    .await;
    let request = app
        .client
        .request(Method::GET, "/boards")
        .header("origin", "https://app.example");
    let answer = Answer::read(request).await;
    answer.expect_error(401, "unauthorized");
    assert_eq!(
        answer.headers["access-control-allow-origin"],
        "https://app.example"
    );
}

#[tokio::test]
async fn a_star_allows_everyone() {
    let app = start(CorsOrigins::Any).await;
    let answer = preflight(&app, "https://any.example").await;
    assert_eq!(answer.headers["access-control-allow-origin"], "*");
}
