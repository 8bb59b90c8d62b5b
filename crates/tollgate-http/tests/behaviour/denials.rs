//! The answers to requests that are turned away.

use http::{Response, StatusCode};
use serde_json::json;
use tollgate_http::{Denial, HttpLimiter, NoBody, RateLimitLayer, RequestAttributes};
use tollgate_policy::{Cost, OnStoreFailure, Policy};

use crate::support::*;

const QUOTA_EXCEEDED: &str = "https://iana.org/assignments/http-problem-types#quota-exceeded";

#[tokio::test]
async fn answers_429_with_everything_a_client_needs() {
    let (limiter, _) = limiter([per_client("auth", &["2/min"])]);
    let response = send_times(&limiter, 3, "/").await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), Some("30"));
    assert_eq!(field(headers, "cache-control"), Some("no-store"));
    assert_eq!(
        field(headers, "content-type"),
        Some("application/problem+json")
    );
    assert_eq!(
        json(response).await,
        json!({
            "type": QUOTA_EXCEEDED,
            "title": "Quota Exceeded",
            "status": 429,
            "detail": "too many requests; try again in 30 s",
            "violated-policies": ["auth"],
        })
    );
}

#[tokio::test]
async fn admits_who_waits_as_long_as_told() {
    let (limiter, clock) = limiter([per_client("auth", &["7/min"])]);
    let denied = send_times(&limiter, 8, "/").await;
    let wait = field(denied.headers(), "retry-after").unwrap();
    clock.advance(secs(wait.parse().unwrap()));
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::OK);
}

// B141
#[tokio::test]
async fn answers_429_without_retry_after_to_a_cost_that_never_fits() {
    let cost = Cost::Attribute {
        name: "batch.size".into(),
        min: 1,
        max: 100,
        default: 1,
    };
    let (limiter, _) = limiter([per_client("batch", &["5/min"]).cost(cost)]);
    let mut request = request("/");
    let size = RequestAttributes::new().with("batch.size", "6");
    request.extensions_mut().insert(size);
    let response = send(&limiter, request).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), None);
    assert_eq!(field(headers, "cache-control"), Some("no-store"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("5"));
    let problem = json(response).await;
    assert_eq!(
        problem["type"],
        "https://iana.org/assignments/http-problem-types#quota-exceeded"
    );
    assert_eq!(problem["status"], 429);
    assert_eq!(problem["violated-policies"], json!(["batch"]));
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("waiting does not help"), "{detail}");
}

#[tokio::test]
async fn answers_403_to_a_block() {
    let (limiter, _) = limiter([Policy::builder("banned").shared().block()]);
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
    assert_eq!(field(response.headers(), "retry-after"), None);
    assert!(has_no_rate_limit_fields(response.headers()));
    let problem = json(response).await;
    assert_eq!(problem["title"], "Forbidden");
    assert_eq!(problem["violated-policies"], json!(["banned"]));
}

// B55
#[tokio::test]
async fn answers_400_and_names_the_part_to_a_missing_key() {
    let (limiter, _) = limiter([Policy::builder("tenants")
        .key("tenant")
        .limit(limit("5/min"))]);
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::BAD_REQUEST);
    assert_eq!(field(response.headers(), "retry-after"), None);
    let problem = json(response).await;
    assert_eq!(
        problem["detail"],
        "requests are counted by tenant, which this one lacks"
    );
    assert_eq!(problem["violated-policies"], json!(["tenants"]));
}

#[tokio::test]
async fn answers_503_with_retry_after_when_the_store_has_failed_and_the_policy_denies() {
    let deny = per_client("strict", &["5/min"]).on_store_failure(OnStoreFailure::Deny);
    let allow = per_client("lax", &["5/min"]);
    let limiter = failing([deny, allow]).build();
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), Some("5"));
    assert_eq!(field(headers, "cache-control"), Some("no-store"));
    assert!(has_no_rate_limit_fields(headers));
    let problem = json(response).await;
    assert_eq!(
        problem["type"],
        "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity"
    );
    assert_eq!(problem["title"], "Temporary Reduced Capacity");
    assert_eq!(problem["violated-policies"], json!(["strict"]));
}

#[tokio::test]
async fn answers_429_with_the_wait_of_the_share_and_without_its_numbers() {
    // The share of one instance of one is the limit itself.
    for share in ["1/4", "1"] {
        let share = OnStoreFailure::Local(share.parse().unwrap());
        let limiter = failing([per_client("api", &["1/min"]).on_store_failure(share)]).build();
        let response = send(&limiter, request("/")).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(has_no_rate_limit_fields(response.headers()));

        let response = send(&limiter, request("/")).await;
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        let headers = response.headers();
        assert_eq!(field(headers, "retry-after"), Some("60"));
        assert_eq!(field(headers, "cache-control"), Some("no-store"));
        assert!(has_no_rate_limit_fields(headers));
        let problem = json(response).await;
        assert_eq!(problem["type"], QUOTA_EXCEEDED);
        assert_eq!(problem["violated-policies"], json!(["api"]));
    }
}

#[tokio::test]
async fn tells_the_wait_of_an_outage_where_a_request_never_fits_the_share() {
    let cost = Cost::Attribute {
        name: "header.x-cost".to_owned(),
        min: 1,
        max: 8,
        default: 8,
    };
    let share = OnStoreFailure::Local("1/4".parse().unwrap());
    let policy = per_client("api", &["8/min fixed-window"]).cost(cost);
    let limiter = failing([policy.on_store_failure(share)]).build();
    let response = send(&limiter, request("/")).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(field(response.headers(), "retry-after"), Some("5"));
}

#[tokio::test]
async fn tells_the_wait_of_an_outage_that_the_options_name() {
    let deny = per_client("strict", &["5/min"]).on_store_failure(OnStoreFailure::Deny);
    let wait = std::time::Duration::from_millis(1_500);
    let limiter = failing([deny]).outage_retry_after(wait).build();
    let response = send(&limiter, request("/")).await;
    assert_eq!(field(response.headers(), "retry-after"), Some("2"));
    let problem = json(response).await;
    assert_eq!(
        problem["detail"],
        "requests cannot be counted at the moment; try again in 2 s"
    );
}

#[tokio::test]
async fn names_every_limit_that_denies_and_no_other() {
    let (limiter, _) = limiter([
        per_client("a", &["100/min", "1/h", "1/d"]),
        per_client("b", &["100/min"]),
        per_client("c", &["1/min"]).hide_numbers(true),
    ]);
    let response = send_times(&limiter, 2, "/").await;
    let problem = json(response).await;
    assert_eq!(problem["violated-policies"], json!(["a/2", "a/3", "c"]));
}

async fn answered_by(
    render: impl Fn(Denial<'_>, &http::request::Parts) -> Response<Body> + Clone,
) -> Response<Body> {
    let (limiter, _) = limiter([per_client("auth", &["1/min"])]);
    let layer = RateLimitLayer::new(limiter).render_with(render);
    send_to(&layer, request("/x"), StatusCode::OK).await;
    send_to(&layer, request("/x"), StatusCode::OK).await
}

#[tokio::test]
async fn adds_the_fields_to_an_answer_of_the_services_own() {
    let response = answered_by(|denial, parts| {
        let error = format!("{} {} {}", parts.uri, denial.status(), denial.reason());
        let mut response = Response::new(Body::from(error));
        *response.status_mut() = StatusCode::IM_A_TEAPOT;
        response
    })
    .await;
    assert_eq!(response.status(), StatusCode::IM_A_TEAPOT);
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), Some("60"));
    assert_eq!(field(headers, "cache-control"), Some("no-store"));
    assert_eq!(field(headers, "x-ratelimit-remaining"), Some("0"));
    assert_eq!(field(headers, "content-type"), None);
    assert_eq!(
        text(response).await,
        "/x 429 Too Many Requests limit_exceeded"
    );
}

#[tokio::test]
async fn keeps_the_fields_that_the_services_own_answer_has_set() {
    let response = answered_by(|_, _| {
        let response = Response::builder()
            .header("retry-after", "7")
            .header("cache-control", "private, no-store");
        response.body(Body::default()).unwrap()
    })
    .await;
    let headers = response.headers();
    assert_eq!(field(headers, "retry-after"), Some("7"));
    assert_eq!(field(headers, "cache-control"), Some("private, no-store"));
}

#[tokio::test]
async fn answers_without_a_body_when_asked() {
    let (limiter, _): (HttpLimiter<_>, _) = limiter([per_client("auth", &["1/min"])]);
    let layer = RateLimitLayer::new(limiter).render(NoBody);
    send_to(&layer, request("/"), StatusCode::OK).await;
    let response = send_to(&layer, request("/"), StatusCode::OK).await;
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(field(response.headers(), "retry-after"), Some("60"));
    assert_eq!(text(response).await, "");
}
