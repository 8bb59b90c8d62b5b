//! Requests that no handler sees, since its arguments cannot be made of them.

use axum::extract::rejection::{JsonRejection, PathRejection, QueryRejection};
use axum::http::StatusCode;

use super::AppError;

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

impl From<QueryRejection> for AppError {
    /// The source names the parameter.
    fn from(rejection: QueryRejection) -> Self {
        match rejection {
            QueryRejection::FailedToDeserializeQueryString(error) => {
                Self::validation(innermost(&error))
            }
            _ => Self::validation(rejection.body_text()),
        }
    }
}
