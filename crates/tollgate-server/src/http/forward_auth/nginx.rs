//! nginx's `auth_request`, which passes on 401 and 403 only, and makes an error of everything else. It
//! drops the body of an answer.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use http_body_util::BodyExt as _;

use super::dialect::Dialect;
use super::{answer, decide};
use crate::http::Shared;

/// The status that the client of the proxy should get.
const STATUS: HeaderName = HeaderName::from_static("x-tollgate-status");
/// The body that it should get.
const PROBLEM: HeaderName = HeaderName::from_static("x-tollgate-problem");

/// The longest body that is put into a field, in bytes. nginx reads a head into a buffer of 4 KiB,
/// unless it is told to take a larger one.
const MAX_PROBLEM_BYTES: usize = 2048;

/// `/v1/auth/nginx`: every refusal is 403, and what the client should get stands in fields.
pub(super) async fn nginx(
    State(shared): State<Arc<Shared>>,
    request: Request<Body>,
) -> Response<Body> {
    let (parts, _) = request.into_parts();
    let mut response = match decide(&shared, Dialect::Original, &parts).await {
        Ok(Some(decision)) => answer(shared.engine.limiter(), &decision),
        Ok(None) => Response::default(),
        Err(problem) => problem.into_response(),
    };
    if !response.status().is_success() {
        let status = HeaderValue::from(response.status().as_u16());
        response.headers_mut().insert(STATUS, status);
        *response.status_mut() = StatusCode::FORBIDDEN;
        return with_problem(response).await;
    }
    response
}

/// Repeats the body, a problem in one line of JSON, in a field, if it is not too long.
async fn with_problem(response: Response<Body>) -> Response<Body> {
    let (mut parts, body) = response.into_parts();
    // It is all there: nothing is waited for, and nothing fails.
    let body = body.collect().await.unwrap_or_default().to_bytes();
    if body.len() <= MAX_PROBLEM_BYTES
        && let Ok(problem) = HeaderValue::from_maybe_shared(body.clone())
    {
        parts.headers.insert(PROBLEM, problem);
    }
    Response::from_parts(parts, Body::from(body))
}
