//! The limiter without the layer.

use http::{HeaderMap, Response, StatusCode};
use tollgate_http::{Headers, HttpLimiter, Reset};
use tollgate_policy::{AttributeName, Attributes, Count, Statuses};

use crate::support::*;

#[tokio::test]
async fn decides_from_a_request_or_from_its_parts() {
    let (limiter, _) = limiter([per_client("a", &["2/min"])]);
    let request = request("/");
    assert!(limiter.check(&request).await.is_allowed());
    let (parts, _) = request.into_parts();
    assert!(limiter.check(&parts).await.is_allowed());
    assert!(!limiter.check(&parts).await.is_allowed());
}

#[tokio::test]
async fn shows_a_request_as_policies_see_it() {
    let (limiter, _) = limiter([per_client("a", &["2/min"])]);
    let mut request = request("http://api.example/auth//login?x=1");
    request.headers_mut().append("x-plan", "a".parse().unwrap());
    request.headers_mut().append("x-plan", "b".parse().unwrap());
    let seen = limiter.attributes(&request);
    let value = |name: &str| {
        let name: AttributeName = name.parse().unwrap();
        seen.attribute(&name).map(std::borrow::Cow::into_owned)
    };
    assert_eq!(value("path").as_deref(), Some("/auth//login"));
    assert_eq!(value("host").as_deref(), Some("api.example"));
    assert_eq!(value("header.x-plan").as_deref(), Some("a, b"));
    assert_eq!(value("user"), None);
    assert_eq!(seen.client(), limiter.client(&request));
}

#[tokio::test]
async fn writes_the_fields_of_the_layer_on_any_response() {
    let (limiter, _) = limiter([per_client("a", &["1/min"])]);
    limiter.check(&request("/")).await;
    let decision = limiter.check(&request("/")).await;
    let mut ours = Response::new(());
    for _ in 0..2 {
        limiter.write_headers(&decision, ours.headers_mut());
    }
    let mut layers = send(&limiter, request("/")).await;
    layers.headers_mut().remove("content-type");
    assert_eq!(ours.headers(), layers.headers());
    assert_eq!(
        tollgate_http::status(&decision),
        StatusCode::TOO_MANY_REQUESTS
    );
    let problem = limiter.denial(&decision).problem_json();
    assert_eq!(String::from_utf8_lossy(&problem), text(layers).await);
}

#[tokio::test]
async fn tells_the_fields_that_it_writes() {
    for headers in [
        Headers::none(),
        Headers::none().ietf(),
        Headers::none().x_ratelimit(Reset::Epoch),
        Headers::default(),
    ] {
        for policies in [
            vec![per_client("a", &["2/min"])],
            vec![
                per_client("a", &["2/min", "9/h"]),
                per_client("b", &["3/s"]),
            ],
        ] {
            let (limiter, _) = limiter(policies);
            let limiter = HttpLimiter::builder(limiter.policies())
                .headers(headers)
                .expose_headers(true)
                .build();
            for _ in 0..3 {
                let decision = limiter.check(&request("/")).await;
                let all = [&decision, &decision];
                let mut written = HeaderMap::new();
                limiter.write_headers_together(&decision, all, &mut written);
                let written: Vec<_> = written
                    .iter()
                    .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()))
                    .collect();
                let mut told = Vec::new();
                limiter.tell_headers_together(&decision, all, |name, value| {
                    told.push((name.to_owned(), value.to_owned()));
                });
                assert_eq!(told, written);
            }
        }
    }
}

#[tokio::test]
async fn writes_only_what_is_true_of_another_limiters_decision() {
    let (limiter, _) = limiter([per_client("a", &["10/min"])]);
    let (other, _) = self::limiter([per_client("a", &["20/min"]), per_client("b", &["9/min"])]);
    let decision = other.check(&request("/")).await;
    let mut response = Response::new(());
    limiter.write_headers(&decision, response.headers_mut());
    assert!(members(response.headers(), "ratelimit-policy").is_empty());
}

#[tokio::test]
async fn gives_back_what_was_no_failure() {
    let failures = Count::Failures(Statuses::of([401]));
    let (limiter, _) = limiter([per_client("login", &["1/min"]).count(failures)]);
    for _ in 0..3 {
        let decision = limiter.check(&request("/")).await;
        assert!(decision.is_allowed());
        limiter.settle(&decision, StatusCode::OK).await.unwrap();
    }
    let decision = limiter.check(&request("/")).await;
    limiter
        .settle(&decision, StatusCode::UNAUTHORIZED)
        .await
        .unwrap();
    assert!(!limiter.check(&request("/")).await.is_allowed());
}
