//! nginx without `auth_request`: a denial is the answer, an admission a redirect inside nginx.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Request, Response};
use axum::response::IntoResponse;

use super::dialect::Dialect;
use super::{answer, decide, single, trust};
use crate::http::Shared;
use crate::http::problem::Problem;

/// Where nginx says to which of its locations an admitted request goes.
const ACCEL: HeaderName = HeaderName::from_static("x-tollgate-accel");
/// Where nginx is told so (its `ngx_http_proxy_module`).
const ACCEL_REDIRECT: HeaderName = HeaderName::from_static("x-accel-redirect");

/// `/v1/auth/accel`: a denial is the client's answer as it stands; what is admitted goes on to the
/// location that nginx names.
pub(super) async fn accel(
    State(shared): State<Arc<Shared>>,
    request: Request<Body>,
) -> Response<Body> {
    let (parts, _) = request.into_parts();
    let location = match shared.count(trust(&shared, &parts).and_then(|()| location(&parts))) {
        Ok(location) => location.clone(),
        Err(problem) => return problem.into_response(),
    };
    let mut response = match decide(&shared, Dialect::Original, &parts).await {
        Ok(Some(decision)) => answer(shared.engine.limiter(), &decision),
        Ok(None) => Response::default(),
        Err(problem) => problem.into_response(),
    };
    if response.status().is_success() {
        response.headers_mut().insert(ACCEL_REDIRECT, location);
    }
    response
}

fn location(parts: &Parts) -> Result<&HeaderValue, Problem> {
    let location = single(&parts.headers, &ACCEL)?;
    location
        .filter(|location| is_location(location.as_bytes()))
        .ok_or_else(|| {
            Problem::bad_request(format!(
                "`{ACCEL}` names no location: have nginx say by it where admitted requests go, such \
                 as `proxy_set_header X-Tollgate-Accel @app;`"
            ))
        })
}

fn is_location(location: &[u8]) -> bool {
    matches!(location, [b'@' | b'/', ..]) && location.iter().all(u8::is_ascii_graphic)
}
