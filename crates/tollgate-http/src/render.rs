//! The answer to a request that is turned away.

use bytes::Bytes;
use http::Response;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;

use crate::Denial;
use crate::problem::MEDIA_TYPE;

/// Makes the answer to a request that is turned away.
///
/// Every function of a [`Denial`] and the request is one. `Retry-After`, `Cache-Control` and the
/// rate-limit fields are added to what it makes, unless it has set them.
///
/// # Why the body is a parameter
///
/// The answer has the inner service's own type of body, so nothing is boxed or wrapped around the
/// body of a request that is let through. The price is that the answer must be able to make one: from
/// [`Bytes`] for [`ProblemJson`] (axum's `Body`, `Full<Bytes>`), by `Default` for [`NoBody`]
/// (tonic's `Body`, `BoxBody`), by the service's own function in any other case.
pub trait Render<B> {
    /// The answer to a request.
    fn render(&self, denial: Denial<'_>, request: &Parts) -> Response<B>;
}

impl<B, F> Render<B> for F
where
    F: Fn(Denial<'_>, &Parts) -> Response<B>,
{
    fn render(&self, denial: Denial<'_>, request: &Parts) -> Response<B> {
        self(denial, request)
    }
}

/// Answers with problem details in JSON (RFC 9457), of the types that
/// draft-ietf-httpapi-ratelimit-headers defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemJson;

impl<B: From<Bytes>> Render<B> for ProblemJson {
    fn render(&self, denial: Denial<'_>, _: &Parts) -> Response<B> {
        let mut response = Response::new(denial.problem_json().into());
        *response.status_mut() = denial.status();
        let media_type = HeaderValue::from_static(MEDIA_TYPE);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        response
    }
}

/// Answers with a status and fields alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoBody;

impl<B: Default> Render<B> for NoBody {
    fn render(&self, denial: Denial<'_>, _: &Parts) -> Response<B> {
        let mut response = Response::new(B::default());
        *response.status_mut() = denial.status();
        response
    }
}
