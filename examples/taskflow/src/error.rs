//! The one error type of every handler, and what a client sees of it.

use std::borrow::Cow;

use axum::Json;
use axum::extract::rejection::{JsonRejection, PathRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

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

impl From<JsonRejection> for AppError {
    fn from(rejection: JsonRejection) -> Self {
        match rejection {
            JsonRejection::MissingJsonContentType(_) => Self::UnsupportedMediaType,
            _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Self::PayloadTooLarge,
            // The sources name the field and the place; what they quote is the caller's own.
            JsonRejection::JsonDataError(error) => Self::validation(innermost(&error)),
            JsonRejection::JsonSyntaxError(error) => {
                Self::validation(format!("the body is no JSON: {}", innermost(&error)))
            }
            _ => Self::validation(rejection.body_text()),
        }
    }
}

/// The text of the error that `error` wraps, without what the wrapper adds.
fn innermost(error: &dyn std::error::Error) -> String {
    error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string)
}

impl From<PathRejection> for AppError {
    /// An id that is no number is the id of nothing.
    fn from(_: PathRejection) -> Self {
        Self::NotFound("there is nothing at this path")
    }
}

#[cfg(test)]
mod tests {
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
}
