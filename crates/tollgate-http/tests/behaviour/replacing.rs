//! Policies and options that are replaced while the service runs.

use http::StatusCode;
use tollgate_http::{Headers, HttpLimiter};
use tollgate_policy::PolicyBuilder;

use crate::support::*;

/// A limiter with other policies, over the same store.
fn instead(
    limiter: &HttpLimiter<TestStore>,
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> HttpLimiter<TestStore> {
    HttpLimiter::new(limiter.policies().with_policies(set(policies)))
}

// R10
#[tokio::test]
async fn what_was_used_is_kept_and_every_clone_sees_the_change() {
    let (limiter, _) = limiter([per_client("a", &["10/h"])]);
    let clone = limiter.clone();
    for _ in 0..4 {
        assert_eq!(send(&limiter, request("/")).await.status(), StatusCode::OK);
    }
    assert_eq!(limiter.generation(), 1);
    limiter.replace_with(&instead(&limiter, [per_client("a", &["20/h"])]));
    assert_eq!(clone.generation(), 2);
    let response = send(&clone, request("/")).await;
    assert_eq!(response.headers()["x-ratelimit-limit"], "20");
    assert_eq!(response.headers()["x-ratelimit-remaining"], "15");
    assert_eq!(response.headers()["ratelimit-policy"], r#""a";q=20;w=3600"#);
}

#[tokio::test]
async fn a_decision_by_the_policies_of_before_is_not_announced_as_if_by_those_of_now() {
    let (limiter, _) = limiter([per_client("a", &["10/h"])]);
    let decision = limiter.check(&request("/")).await;
    limiter.replace_with(&instead(&limiter, [per_client("a", &["20/h"])]));
    let mut response = http::Response::new(());
    limiter.write_headers(&decision, response.headers_mut());
    assert!(members(response.headers(), "ratelimit-policy").is_empty());
    // Its own numbers are true of it.
    assert_eq!(response.headers()["x-ratelimit-limit"], "10");
}

#[tokio::test]
async fn options_are_replaced_with_the_policies() {
    let (limiter, _) = limiter([per_client("a", &["10/h"])]);
    let silent = HttpLimiter::builder(limiter.policies())
        .headers(Headers::none())
        .build();
    limiter.replace_with(&silent);
    let response = send(&limiter, request("/")).await;
    assert!(!response.headers().contains_key("x-ratelimit-limit"));
}

/// A future that was made before decides by what it was made with.
#[tokio::test]
async fn a_request_that_is_being_decided_goes_on_by_what_it_began_with() {
    let (limiter, _) = limiter([per_client("a", &["1/h"])]);
    let request = request("/");
    let begun = limiter.check(&request);
    limiter.replace_with(&instead(&limiter, []));
    assert_eq!(begun.await.policies().count(), 1);
    assert_eq!(limiter.check(&request).await.policies().count(), 0);
}
