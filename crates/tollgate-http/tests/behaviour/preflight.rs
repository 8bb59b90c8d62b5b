//! Requests of browsers.

use http::{Method, Request, StatusCode};

use crate::support::*;

fn preflight() -> Request<Body> {
    let mut preflight = request("/");
    *preflight.method_mut() = Method::OPTIONS;
    let headers = preflight.headers_mut();
    headers.insert("origin", "https://app.example".parse().unwrap());
    headers.insert("access-control-request-method", "POST".parse().unwrap());
    preflight
}

fn post() -> Request<Body> {
    let mut post = request("/");
    *post.method_mut() = Method::POST;
    let origin = "https://app.example".parse().unwrap();
    post.headers_mut().insert("origin", origin);
    post
}

// B65
#[tokio::test]
async fn preflights_are_not_counted_and_never_denied() {
    let (limiter, _) = limiter([per_client("api", &["3/min"])]);
    assert!(limiter.passes(&preflight()) && !limiter.passes(&post()));
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let response = send(&limiter, preflight()).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert!(response.headers().is_empty());
        statuses.push(send(&limiter, post()).await.status().as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
}

// B65
#[tokio::test]
async fn preflights_are_counted_when_asked() {
    let (options, _) = options([per_client("api", &["3/min"])]);
    let limiter = options.count_preflight(true).build();
    let mut statuses = Vec::new();
    for _ in 0..2 {
        statuses.push(send(&limiter, preflight()).await.status().as_u16());
        statuses.push(send(&limiter, post()).await.status().as_u16());
    }
    assert_eq!(statuses, [200, 200, 200, 429]);
}

// B65
#[tokio::test]
async fn pages_of_other_origins_can_read_the_fields_when_asked() {
    let (options, _) = options([per_client("api", &["1/min"])]);
    let limiter = options.expose_headers(true).build();
    for _ in 0..2 {
        let response = send(&limiter, post()).await;
        let exposed = field(response.headers(), "access-control-expose-headers").unwrap();
        let exposed: Vec<_> = exposed.split(", ").collect();
        for name in response.headers().keys().map(|name| name.as_str()) {
            let ours = name.contains("ratelimit") || name == "retry-after";
            assert_eq!(ours, exposed.contains(&name), "{name}");
        }
    }
}

// A preflight is decided by hand as by the layer.
#[tokio::test]
async fn preflights_checked_by_hand_are_not_counted() {
    let (limiter, _) = limiter([per_client("api", &["1/min"])]);
    for _ in 0..3 {
        assert!(limiter.check(&preflight()).await.is_allowed());
    }
    assert!(limiter.check(&post()).await.is_allowed());
    assert!(!limiter.check(&post()).await.is_allowed());
}

#[tokio::test]
async fn a_preflight_passes_a_block_unless_it_counts() {
    let blocked = || [tollgate_policy::Policy::builder("closed").block()];
    let (limiter, _) = limiter(blocked());
    assert_eq!(send(&limiter, preflight()).await.status(), StatusCode::OK);
    assert_eq!(send(&limiter, post()).await.status(), StatusCode::FORBIDDEN);
    let (options, _) = options(blocked());
    let limiter = options.count_preflight(true).build();
    let response = send(&limiter, preflight()).await;
    assert_eq!(response.status(), StatusCode::FORBIDDEN);
}
