use super::*;

#[test]
fn rate_limited_says_when_to_return_and_is_not_stored() {
    let response = AppError::RateLimited {
        retry_after_secs: Some(42),
    }
    .into_response();
    assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(response.headers()[header::RETRY_AFTER], "42");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
}

#[test]
fn retry_after_is_never_zero() {
    let response = AppError::RateLimited {
        retry_after_secs: Some(0),
    }
    .into_response();
    assert_eq!(response.headers()[header::RETRY_AFTER], "1");
}

#[test]
fn unavailable_says_when_to_return_and_is_not_stored() {
    let response = AppError::Unavailable("not now").into_response();
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(response.headers()[header::RETRY_AFTER], "5");
    assert_eq!(response.headers()[header::CACHE_CONTROL], "no-store");
}

#[tokio::test]
async fn rate_limited_has_the_common_body() {
    let body = AppError::RateLimited {
        retry_after_secs: Some(1),
    }
    .into_response()
    .into_body();
    let bytes = axum::body::to_bytes(body, 1024).await.unwrap();
    assert_eq!(
        bytes,
        r#"{"error":"rate_limited","message":"too many requests"}"#
    );
}
