//! The bodies of requests: JSON, of bounded size, in bounded time.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use axum::BoxError;
use axum::body::HttpBody;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use bytes::Bytes;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::Deserialize;
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::counted::no_memory;
use super::problem::Problem;
use crate::memory::Exhausted;

/// A body, as a connection or a router has it.
pub(super) trait ReadBody:
    HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin
{
}

impl<B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + Unpin> ReadBody for B {}

/// How long a body may take to arrive.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The whole body of a request that says it is JSON.
pub(super) async fn json_of<B: ReadBody>(
    request: &mut Request<B>,
    max: usize,
) -> Result<Bytes, Problem> {
    if !is_json(request.headers()) {
        return Err(Problem::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            "the body must be JSON, and the request must say so: `Content-Type: application/json`",
        ));
    }
    let announced = request.headers().get(CONTENT_LENGTH);
    if announced.is_some_and(|length| is_above(length, max)) {
        return Err(too_large(max));
    }
    match in_time(Limited::new(request.body_mut(), max).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large(max)),
        Ok(Err(error)) if Exhausted::is_cause_of(&*error) => Err(no_memory(Exhausted)),
        Ok(Err(_)) => Err(Problem::bad_request("the body did not arrive whole")),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body took more than 10 s to arrive",
        )),
    }
}

/// Gives a body the time that it may take. Most have arrived with the head, and for them no timer is
/// set.
async fn in_time<F: Future>(collecting: F) -> Result<F::Output, Elapsed> {
    let mut collecting = pin!(collecting);
    match poll_fn(|cx| Poll::Ready(collecting.as_mut().poll(cx))).await {
        Poll::Ready(body) => Ok(body),
        Poll::Pending => Box::pin(timeout(TIMEOUT, collecting)).await,
    }
}

/// Reads JSON of a known form.
pub(super) fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, Problem> {
    // Whether it is UTF-8 is found out for all of it at once; if not, where it is not is told.
    let read = match std::str::from_utf8(body) {
        Ok(text) => serde_json::from_str(text),
        Err(_) => serde_json::from_slice(body),
    };
    read.map_err(|error| {
        let what = if error.is_data() {
            "the body is not as it should be"
        } else {
            "the body is no JSON"
        };
        Problem::bad_request(format!("{what}: {error}")).at(error.line(), error.column())
    })
}

fn too_large(max: usize) -> Problem {
    Problem::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        format!("the body is larger than {max} bytes, which is the most that is read"),
    )
}

/// A length that cannot be read is left to the connection.
fn is_above(length: &HeaderValue, max: usize) -> bool {
    let length = length.to_str().ok().and_then(|text| text.parse().ok());
    length.is_some_and(|length: usize| length > max)
}

/// True for `application/json` and `application/…+json`, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(media_type) = headers.get(CONTENT_TYPE) else {
        return false;
    };
    let media_type = media_type.as_bytes();
    let end = media_type.iter().position(|byte| *byte == b';');
    let essence = end.and_then(|end| media_type.get(..end));
    let essence = essence.unwrap_or(media_type).trim_ascii();
    let begins = |prefix: &[u8]| {
        let start = essence.get(..prefix.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    essence.eq_ignore_ascii_case(b"application/json")
        || begins(b"application/")
            && essence
                .last_chunk::<5>()
                .is_some_and(|end| end.eq_ignore_ascii_case(b"+json"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_is_said_to_be_json() {
        let is_json = |text| {
            let value = HeaderValue::from_static(text);
            is_json(&HeaderMap::from_iter([(CONTENT_TYPE, value)]))
        };
        assert!(is_json("application/json"));
        assert!(is_json("Application/JSON ; charset=utf-8"));
        assert!(is_json("application/vnd.acme+json"));
        assert!(!is_json("text/json"));
        assert!(!is_json("application/x-www-form-urlencoded"));
        assert!(!is_json("application/jsonp"));
        assert!(!is_json(""));
    }
}
