//! The one error type of every handler, and what a client sees of it.

mod rejection;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::validate::Invalid;

/// When to come back to a service that lacks something it needs: what is restarted or replaced
/// takes seconds, and nobody knows how many.
const UNAVAILABLE_RETRY_AFTER_SECS: u64 = 5;

/// Why a request got no success answer.
///
/// Each one becomes `{"error": code, "message": text}` with its status. What the
/// last two carry is for the log and never reaches the client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// What was asked for does not exist, or the caller may not know that it does: 404.
    #[error("{0}")]
    NotFound(&'static str),
    /// The caller has not shown who they are: 401.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// The caller is known, and may not do this: 403.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The request contradicts what is stored: 409.
    #[error("{0}")]
    Conflict(&'static str),
    /// The request itself is wrong; the text names the field: 400.
    #[error("{0}")]
    Validation(Cow<'static, str>),
    /// The path exists, for other methods: 405.
    #[error("this path does not answer to this method")]
    MethodNotAllowed,
    /// The body is larger than the service reads: 413.
    #[error("the request body is too large")]
    PayloadTooLarge,
    /// The body is not declared to be JSON: 415.
    #[error("send JSON with the header `Content-Type: application/json`")]
    UnsupportedMediaType,
    /// The caller came too often: 429.
    #[error("too many requests")]
    RateLimited {
        /// Whole seconds until a request can succeed; sent as at least 1. `None` where what
        /// surrounds the routes says it.
        retry_after_secs: Option<u64>,
    },
    /// The answer took longer than the service allows itself: 503.
    #[error("the request took too long")]
    Timeout,
    /// Something that the answer depends on cannot be reached for the moment: 503.
    #[error("{0}")]
    Unavailable(&'static str),
    /// The database failed: 500.
    #[error("database error")]
    Db(#[from] sqlx::Error),
    /// Something else failed that is no fault of the caller: 500.
    #[error("internal error")]
    Internal(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// The body of every error answer.
#[derive(Debug, Serialize)]
struct ErrorBody<'a> {
    error: &'static str,
    message: &'a str,
}

impl AppError {
    /// An error of ours that is no database error.
    pub fn internal(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Internal(source.into())
    }

    /// A fault in the request; `message` names the field.
    pub fn validation(message: impl Into<Cow<'static, str>>) -> Self {
        Self::Validation(message.into())
    }

    /// Turns a violated UNIQUE constraint into the conflict it stands for.
    #[must_use]
    pub fn unique(error: sqlx::Error, message: &'static str) -> Self {
        match &error {
            sqlx::Error::Database(cause) if cause.is_unique_violation() => Self::Conflict(message),
            _ => Self::Db(error),
        }
    }

    /// Turns a violated FOREIGN KEY into the absence of what it refers to. To ask before whether
    /// that is there would leave a gap in which it can go.
    #[must_use]
    pub fn or_missing(self, message: &'static str) -> Self {
        match &self {
            Self::Db(sqlx::Error::Database(cause)) if cause.is_foreign_key_violation() => {
                Self::NotFound(message)
            }
            _ => self,
        }
    }

    /// The status and the code of the body. The only place that maps errors to statuses.
    const fn status_and_code(&self) -> (StatusCode, &'static str) {
        match self {
            Self::NotFound(_) => (StatusCode::NOT_FOUND, "not_found"),
            Self::Unauthorized(_) => (StatusCode::UNAUTHORIZED, "unauthorized"),
            Self::Forbidden(_) => (StatusCode::FORBIDDEN, "forbidden"),
            Self::Conflict(_) => (StatusCode::CONFLICT, "conflict"),
            Self::Validation(_) => (StatusCode::BAD_REQUEST, "validation"),
            Self::MethodNotAllowed => (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed"),
            Self::PayloadTooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "payload_too_large"),
            Self::UnsupportedMediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type")
            }
            Self::RateLimited { .. } => (StatusCode::TOO_MANY_REQUESTS, "rate_limited"),
            Self::Timeout => (StatusCode::SERVICE_UNAVAILABLE, "timeout"),
            Self::Unavailable(_) => (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
            Self::Db(_) | Self::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
        }
    }

    /// Writes what the client will not see to the log.
    fn log(&self) {
        match self {
            // `Display`, not `Debug`: PostgreSQL's detail line quotes the row, e-mail and all.
            Self::Db(source) => tracing::error!(error = %source, "database error"),
            Self::Internal(source) => tracing::error!(error = %source, "internal error"),
            _ => {}
        }
    }
}

impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        self.log();
        let (status, error) = self.status_and_code();
        let message = self.to_string();
        let body = ErrorBody {
            error,
            message: &message,
        };
        let mut response = (status, Json(body)).into_response();
        let headers = response.headers_mut();
        match self {
            Self::RateLimited { retry_after_secs } => {
                if let Some(secs) = retry_after_secs {
                    headers.insert(header::RETRY_AFTER, secs.max(1).into());
                }
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            Self::Unavailable(_) => {
                headers.insert(header::RETRY_AFTER, UNAVAILABLE_RETRY_AFTER_SECS.into());
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
            }
            Self::Unauthorized(_) => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}

impl From<Invalid> for AppError {
    fn from(Invalid(message): Invalid) -> Self {
        Self::Validation(message)
    }
}
