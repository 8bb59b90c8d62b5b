//! The decision as an extractor of axum.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::StatusCode;
use http::request::Parts;

use crate::Decided;

/// Rejects with 500 where no layer is in front of the handler.
impl<S: Sync> FromRequestParts<S> for Decided {
    type Rejection = (StatusCode, &'static str);

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        parts.extensions.get::<Self>().cloned().ok_or((
            StatusCode::INTERNAL_SERVER_ERROR,
            "no rate limit was checked: add a `RateLimitLayer` to this route",
        ))
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for Decided {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}
