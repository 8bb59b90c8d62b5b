//! Several limiters in front of one service.

use std::convert::Infallible;

use http::{Request, Response, StatusCode};
use tollgate_http::{Decided, HttpLimiter, RateLimitLayer};
use tollgate_policy::Reason;
use tower::{Layer, service_fn};

use crate::support::*;

/// Sends a request through `outer`, then `inner`, to a service that says what it sees.
async fn through(
    outer: &HttpLimiter<TestStore>,
    inner: &HttpLimiter<TestStore>,
    path: &str,
) -> Response<Body> {
    let service = service_fn(async |request: Request<Body>| {
        let seen = request.extensions().get::<Decided>().map(|decided| {
            let policy = decided
                .decided_by()
                .map(|policy| policy.policy().name().to_owned());
            policy.unwrap_or_default()
        });
        Ok::<_, Infallible>(Response::new(Body::from(seen.unwrap_or_default())))
    });
    let service = RateLimitLayer::new(inner.clone()).layer(service);
    let service = RateLimitLayer::new(outer.clone()).layer(service);
    call(service, request(path)).await
}

fn decided_by(response: &Response<Body>) -> String {
    let decided = response.extensions().get::<Decided>().unwrap();
    decided.decided_by().unwrap().policy().name().to_owned()
}

#[tokio::test]
async fn the_fields_of_an_allowed_request_are_the_innermosts_and_there_once() {
    let (outer, _) = limiter([per_client("outer", &["10/min"])]);
    let (inner, _) = limiter([per_client("inner", &["100/min"])]);
    let response = through(&outer, &inner, "/").await;
    let headers = response.headers();
    // `field` and `members` check that there is one line.
    assert_eq!(names(&members(headers, "ratelimit")), ["inner"]);
    assert_eq!(names(&members(headers, "ratelimit-policy")), ["inner"]);
    assert_eq!(field(headers, "x-ratelimit-limit"), Some("100"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("99"));
    assert_eq!(decided_by(&response), "inner");
    assert_eq!(text(response).await, "inner");
}

#[tokio::test]
async fn one_limiter_twice_writes_each_field_once() {
    let (limiter, _) = limiter([per_client("a", &["2/min"])]);
    let response = through(&limiter, &limiter, "/").await;
    assert_eq!(response.headers().len(), 5);
    assert_eq!(
        field(response.headers(), "x-ratelimit-remaining"),
        Some("0")
    );
    // Each layer charges: the second request is one too many at the outer one already.
    let response = through(&limiter, &limiter, "/").await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(field(response.headers(), "retry-after"), Some("30"));
}

#[tokio::test]
async fn an_inner_denial_keeps_its_own_numbers() {
    let (outer, _) = limiter([per_client("outer", &["10/min"])]);
    let (inner, _) = limiter([per_client("inner", &["1/h"])]);
    through(&outer, &inner, "/").await;
    let response = through(&outer, &inner, "/").await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), Some("3600"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("0"));
    assert_eq!(names(&members(headers, "ratelimit")), ["inner"]);
    assert_eq!(decided_by(&response), "inner");
}

#[tokio::test]
async fn an_outer_denial_is_the_only_one_to_speak() {
    let (outer, _) = limiter([per_client("outer", &["1/min"])]);
    let (inner, _) = limiter([per_client("inner", &["10/min"])]);
    through(&outer, &inner, "/").await;
    let response = through(&outer, &inner, "/").await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(names(&members(response.headers(), "ratelimit")), ["outer"]);
    assert_eq!(decided_by(&response), "outer");
}

// B63
#[tokio::test]
async fn an_inner_denial_that_hides_its_numbers_is_not_given_those_of_the_outer() {
    let (outer, _) = limiter([per_client("outer", &["10/min"])]);
    let (inner, _) = limiter([per_client("inner", &["1/min"]).hide_numbers(true)]);
    through(&outer, &inner, "/").await;
    let response = through(&outer, &inner, "/").await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(has_no_rate_limit_fields(response.headers()));
}

#[tokio::test]
async fn the_outer_speaks_where_the_inner_has_nothing_to_say() {
    let (outer, _) = limiter([per_client("outer", &["10/min"])]);
    let (inner, _) = limiter([per_client("inner", &["1/min"]).path("/auth/**")]);
    let response = through(&outer, &inner, "/boards").await;
    assert_eq!(names(&members(response.headers(), "ratelimit")), ["outer"]);
    assert_eq!(decided_by(&response), "outer");
}

#[tokio::test]
async fn the_decision_is_told_also_where_nothing_is_limited() {
    let (limiter, _) = limiter([per_client("auth", &["1/min"]).path("/auth/**")]);
    let response = send(&limiter, request("/boards")).await;
    let decided = response.extensions().get::<Decided>().unwrap();
    assert_eq!(decided.reason(), Reason::NoPolicy);
    send(&limiter, request("/auth/login")).await;
    let response = send(&limiter, request("/auth/login")).await;
    let decided = response.extensions().get::<Decided>().unwrap();
    assert_eq!(decided.reason(), Reason::LimitExceeded);
}
