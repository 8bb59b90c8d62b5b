//! What a collector says to an export.

use std::time::Duration;

use bytes::Bytes;
use http::header::RETRY_AFTER;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::{BodyExt as _, Limited};
use hyper::body::Incoming;
use prost::Message as _;
use tonic::{Code, Status};

use super::Failure;
use crate::opentelemetry::message::{self, PartialSuccess};
use crate::opentelemetry::settings::Protocol;

/// The longest answer that is read, in bytes.
const LONGEST: usize = 64 * 1024;
/// The longest that a collector is left alone because it says so.
const LONGEST_WAIT: Duration = Duration::from_secs(300);

/// What of an export was not taken, if the answer says that the rest was.
pub(super) async fn read(
    response: Response<Incoming>,
    protocol: Protocol,
) -> Result<Option<PartialSuccess>, Failure> {
    let (head, body) = response.into_parts();
    if head.status != StatusCode::OK && !(protocol == Protocol::Http && head.status.is_success()) {
        return Err(not_taken(head.status, &head.headers));
    }
    let body = Limited::new(body, LONGEST).collect().await;
    let body = body.map_err(|error| Failure::passing(format!("its answer ends early: {error}")))?;
    let message = match protocol {
        Protocol::Http => body.to_bytes(),
        Protocol::Grpc => {
            let trailers = body.trailers().unwrap_or(&head.headers);
            check(trailers)?;
            let body = body.to_bytes();
            body.get(5..)
                .map(Bytes::copy_from_slice)
                .unwrap_or_default()
        }
    };
    // Collectors have answered with other things. What matters is that it was taken.
    let answer = message::Response::decode(message).unwrap_or_default();
    let partly = answer.partial_success;
    Ok(partly.filter(|it| it.rejected != 0 || !it.message.is_empty()))
}

/// Those that the specification calls retryable.
fn not_taken(status: StatusCode, headers: &HeaderMap) -> Failure {
    let seconds = headers.get(RETRY_AFTER).and_then(|it| it.to_str().ok());
    let seconds = seconds.and_then(|it| it.parse().ok());
    Failure {
        cause: format!("it answers {status}"),
        is_passing: matches!(status.as_u16(), 429 | 502 | 503 | 504),
        wait: seconds.map(|seconds| Duration::from_secs(seconds).min(LONGEST_WAIT)),
    }
}

/// Likewise.
fn check(trailers: &HeaderMap) -> Result<(), Failure> {
    let status = Status::from_header_map(trailers);
    let status = status.ok_or_else(|| Failure::passing("its answer has no status"))?;
    if status.code() == Code::Ok {
        return Ok(());
    }
    let is_passing = matches!(
        status.code(),
        Code::Cancelled
            | Code::DeadlineExceeded
            | Code::ResourceExhausted
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unavailable
            | Code::DataLoss
    );
    Err(Failure {
        cause: format!("it answers {:?}", status.code()),
        is_passing,
        wait: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_collector_is_left_alone_as_long_as_it_says_but_not_for_ever() {
        let said = |status: u16, seconds: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(RETRY_AFTER, seconds.parse().unwrap());
            let failure = not_taken(StatusCode::from_u16(status).unwrap(), &headers);
            (failure.is_passing, failure.wait)
        };
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(said(429, "7"), (true, seconds(7)));
        assert_eq!(said(503, "99999999999"), (true, Some(LONGEST_WAIT)));
        assert_eq!(said(503, "Fri, 31 Dec 1999 23:59:59 GMT"), (true, None));
        assert!(!said(500, "7").0);
        assert!(!said(301, "7").0);
    }
}
