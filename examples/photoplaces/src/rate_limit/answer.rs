//! What whoever is turned away gets: an error like any other of the service.

use axum::http::header::RETRY_AFTER;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tollgate_http::Denial;
use tollgate_policy::Reason;

use crate::error::AppError;

/// The answer. The layer adds `Retry-After` and the rate-limit fields.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that the layer asks for"
)]
pub(super) fn turned_away(denial: Denial<'_>, _: &Parts) -> Response {
    let error = match denial.reason() {
        Reason::StoreFailedDeny => {
            AppError::Unavailable("requests cannot be counted at the moment; try again later")
        }
        Reason::MissingKey => AppError::validation("the request lacks what it is counted by"),
        Reason::Blocked => AppError::Forbidden("requests like this one are not admitted"),
        // Limits: those of the store, and this process's share of them.
        _ => AppError::RateLimited {
            retry_after_secs: None,
        },
    };
    let mut response = error.into_response();
    // How long to wait is for the layer to say, which knows it of the policy file.
    response.headers_mut().remove(RETRY_AFTER);
    response
}
