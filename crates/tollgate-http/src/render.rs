//! The answer to a request that is turned away.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::request::Parts;
use http::{Response, StatusCode};
use tollgate_policy::Decision;

use crate::answer::Answer;
use crate::problem::MEDIA_TYPE;

/// Makes the answer to a request that is turned away.
///
/// Every closure from a decision and a request to a response is one. `Retry-After`,
/// `Cache-Control` and the rate-limit fields are added to what it makes, unless it has set them;
/// [`status`](crate::status) is the status that the decision calls for.
///
/// # Why a body parameter
///
/// The answer has the inner service's own type of body, so nothing is boxed or wrapped around the
/// body of a request that is let through. The price is that the type must be makeable: from
/// [`Bytes`] for [`ProblemJson`] (axum's `Body`, `Full<Bytes>`), by `Default` for [`NoBody`]
/// (tonic's body), by the service's own closure in any other case.
pub trait Render<B> {
    /// The answer to a request that `decision` turns away.
    fn render(&self, decision: &Decision, request: &Parts) -> Response<B>;
}

impl<B, F> Render<B> for F
where
    F: Fn(&Decision, &Parts) -> Response<B>,
{
    fn render(&self, decision: &Decision, request: &Parts) -> Response<B> {
        self(decision, request)
    }
}

/// Answers with problem details in JSON (RFC 9457), of the types that
/// draft-ietf-httpapi-ratelimit-headers defines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemJson;

impl<B: From<Bytes>> Render<B> for ProblemJson {
    fn render(&self, decision: &Decision, _: &Parts) -> Response<B> {
        let answer = Answer::to(decision);
        let mut response = Response::new(answer.problem_json(decision).into());
        *response.status_mut() = answer.status();
        let media_type = HeaderValue::from_static(MEDIA_TYPE);
        response.headers_mut().insert(CONTENT_TYPE, media_type);
        response
    }
}

/// Answers with a status and fields alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoBody;

impl<B: Default> Render<B> for NoBody {
    fn render(&self, decision: &Decision, _: &Parts) -> Response<B> {
        let mut response = Response::new(B::default());
        *response.status_mut() = Answer::to(decision).status();
        response
    }
}

/// The status that a decision calls for: see the table in the [crate's documentation](crate#answers).
/// `200` for a request that is let through.
#[must_use]
pub fn status(decision: &Decision) -> StatusCode {
    Answer::to(decision).status()
}
