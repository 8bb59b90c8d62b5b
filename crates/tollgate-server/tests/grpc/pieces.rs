//! Messages that come otherwise than in one piece, or are otherwise than messages are: they take a
//! longer way through the daemon, and must not be answered otherwise.

use bytes::Bytes;
use futures_util::StreamExt as _;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use prost::Message as _;
use tonic::body::Body;
use tonic::{Code, Status};
use tower_service::Service as _;

use crate::generated::{RateLimitRequest, RateLimitResponse};
use crate::support::{Daemon, Raw, TWO_A_MINUTE, descriptor, request};

const PATH: &str = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

/// What is answered to a call whose body is so: by a message with what is before it, or by a status.
async fn answer(
    connection: &mut Raw,
    header: Option<(&str, &str)>,
    frames: Vec<Frame<Bytes>>,
) -> Result<(HeaderMap, Bytes, HeaderMap), (Code, String)> {
    let frames = frames.into_iter().map(Ok::<_, Status>);
    let body = Body::new(StreamBody::new(tokio_stream::iter(frames)));
    let mut call = Request::post(PATH)
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    if let Some((name, value)) = header {
        call = call.header(name, value);
    }
    let answer = connection.call(call.body(body).unwrap()).await.unwrap();
    let (parts, body) = answer.into_parts();
    if let Some(status) = Status::from_header_map(&parts.headers) {
        return Err((status.code(), status.message().to_owned()));
    }
    let body = body.collect().await.unwrap();
    let trailers = body.trailers().unwrap().clone();
    Ok((parts.headers, body.to_bytes(), trailers))
}

fn framed(message: &[u8]) -> Vec<u8> {
    let length = u32::try_from(message.len()).unwrap();
    [&[0], &length.to_be_bytes()[..], message].concat()
}

fn data(bytes: &[u8]) -> Frame<Bytes> {
    Frame::data(Bytes::copy_from_slice(bytes))
}

/// It only looks, so that each of several is answered alike.
fn looking() -> RateLimitRequest {
    let mut who = descriptor(&[("remote_address", "192.0.2.1")]);
    who.hits_addend = Some(0);
    request([who])
}

#[tokio::test]
async fn an_answer_is_the_same_in_however_many_pieces_the_message_comes() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut connection = Raw::connect(daemon.address).await;
    let mut client = daemon.client().await;
    let whole = framed(&looking().encode_to_vec());
    // With a field that nobody knows, and with another message after it.
    let unknown = framed(&[&looking().encode_to_vec()[..], &[0xf8, 0x07, 1]].concat());
    let two = [&whole[..], &whole[..]].concat();
    let cut_at = |place| {
        let (one, other) = whole.split_at(place);
        vec![data(one), data(other)]
    };
    let trailers = || {
        Frame::trailers(HeaderMap::from_iter([(
            http::header::DATE,
            "x".parse().unwrap(),
        )]))
    };
    for hits in 0..4 {
        let expected = answer(&mut connection, None, vec![data(&whole)]).await;
        let (headers, message, status) = expected.as_ref().unwrap();
        assert_eq!(headers["content-type"], "application/grpc");
        assert_eq!(headers.len(), 1);
        assert_eq!(
            (status.len(), &status["grpc-status"]),
            (1, &"0".parse().unwrap())
        );
        let read = RateLimitResponse::decode(&message[5..]).unwrap();
        assert_eq!(read.statuses[0].limit_remaining, 2_u32.saturating_sub(hits));
        for frames in [
            cut_at(0),
            cut_at(3),
            cut_at(5),
            cut_at(whole.len() - 1),
            cut_at(whole.len()),
            whole.chunks(1).map(data).collect(),
            vec![data(&whole), trailers()],
            vec![data(&two)],
            vec![data(&whole), data(&whole)],
            vec![data(&unknown)],
        ] {
            let told = format!("{frames:?}");
            assert_eq!(
                answer(&mut connection, None, frames).await,
                expected,
                "{told}"
            );
        }
        let identity = Some(("grpc-encoding", "identity"));
        let answered = answer(&mut connection, identity, vec![data(&whole)]).await;
        assert_eq!(answered, expected);
        let taken = client
            .call(request([descriptor(&[("remote_address", "192.0.2.1")])]))
            .await;
        taken.unwrap();
    }
}

#[tokio::test]
async fn what_is_no_message_is_refused_with_what_is_wrong() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut connection = Raw::connect(daemon.address).await;
    let whole = framed(&looking().encode_to_vec());
    let with_flag = |flag| [&[flag], &whole[1..]].concat();
    for (header, frames, code, told) in [
        (None, vec![], Code::Internal, "Missing request message"),
        (
            None,
            vec![data(&whole[..4])],
            Code::Internal,
            "Unexpected EOF",
        ),
        (
            None,
            vec![data(&whole[..9])],
            Code::Internal,
            "Unexpected EOF",
        ),
        (
            None,
            vec![data(&with_flag(1))],
            Code::Internal,
            "compressed-flag",
        ),
        (
            None,
            vec![data(&with_flag(2))],
            Code::Internal,
            "invalid compression flag",
        ),
        (
            None,
            vec![data(&framed(&[0x0a, 9]))],
            Code::Internal,
            "failed to decode",
        ),
        (
            None,
            vec![data(&framed(&[0x0b]))],
            Code::Internal,
            "failed to decode",
        ),
        (
            Some(("grpc-encoding", "gzip")),
            vec![data(&whole)],
            Code::Unimplemented,
            "gzip",
        ),
        (
            None,
            vec![data(&[0, 0, 0x10, 0, 1])],
            Code::OutOfRange,
            "the limit is: 1048576 bytes",
        ),
        (
            None,
            vec![data(&framed(&[]))],
            Code::InvalidArgument,
            "domain is empty",
        ),
    ] {
        let refusal = answer(&mut connection, header, frames).await.unwrap_err();
        assert_eq!(refusal.0, code, "{told}: {refusal:?}");
        assert!(refusal.1.contains(told), "{refusal:?}");
    }
}

#[tokio::test]
async fn what_is_not_said_to_be_grpc_is_415_as_the_protocol_has_it() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut connection = Raw::connect(daemon.address).await;
    for (kind, expected) in [
        (Some("application/grpc"), 200),
        (Some("application/grpc+proto"), 200),
        (Some("application/grpc; charset=utf-8"), 200),
        (Some("application/grpc+json"), 415),
        (Some("application/grpc-web"), 415),
        (Some("application/json"), 415),
        (None, 415),
    ] {
        let mut call = Request::post(PATH).header("te", "trailers");
        if let Some(kind) = kind {
            call = call.header("content-type", kind);
        }
        let message = framed(&looking().encode_to_vec());
        let body = Body::new(http_body_util::Full::new(Bytes::from(message)));
        let answer = connection.call(call.body(body).unwrap()).await.unwrap();
        assert_eq!(answer.status().as_u16(), expected, "{kind:?}");
    }
}

#[tokio::test]
async fn a_message_that_is_too_long_is_refused_before_it_has_come() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut connection = Raw::connect(daemon.address).await;
    let begin = [&[0, 0, 0x10, 0, 1][..], &[0; 100]].concat();
    let begin = tokio_stream::iter([Ok::<_, Status>(data(&begin))]);
    let body = StreamBody::new(begin.chain(futures_util::stream::pending()));
    let call = Request::post(PATH).header("content-type", "application/grpc");
    let answer = connection
        .call(call.body(Body::new(body)).unwrap())
        .await
        .unwrap();
    assert_eq!(answer.headers()["grpc-status"], "11");
}
