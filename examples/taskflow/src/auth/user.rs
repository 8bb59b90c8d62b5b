//! The caller of a request, found by the token it shows.

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;

use crate::error::AppError;
use crate::sessions::SessionToken;
use crate::state::AppState;

/// The token in `Authorization: Bearer …`, not yet looked up.
#[derive(Debug)]
pub struct Bearer(pub SessionToken);

impl<S: Sync> FromRequestParts<S> for Bearer {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, AppError> {
        match SessionToken::in_headers(&parts.headers) {
            Some(token) => Ok(Self(token)),
            None if parts.headers.contains_key(header::AUTHORIZATION) => Err(
                AppError::Unauthorized("the session is not valid or has ended"),
            ),
            None => Err(AppError::Unauthorized(
                "log in and send `Authorization: Bearer <token>`",
            )),
        }
    }
}

/// The user whose session the request shows; without one the answer is 401.
#[derive(Debug, Clone, Copy)]
pub struct CurrentUser {
    /// The user's id.
    pub id: i64,
}

impl FromRequestParts<AppState> for CurrentUser {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, AppError> {
        let Bearer(token) = Bearer::from_request_parts(parts, state).await?;
        let id = state.sessions.user(&token).await?;
        id.map(|id| Self { id }).ok_or(AppError::Unauthorized(
            "the session is not valid or has ended",
        ))
    }
}
