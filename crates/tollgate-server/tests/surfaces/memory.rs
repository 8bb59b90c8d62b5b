//! Requests that do not end, and what is kept for them.

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use http_body_util::StreamBody;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Frame, Incoming};
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper::header::HeaderValue;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::clients::{Calls, Connection};
use crate::daemon::{Daemon, within};

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['9/365d']\n";
const CALL: &str = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

type Body = UnsyncBoxBody<Bytes, std::convert::Infallible>;

/// A connection of HTTP/2 that takes so many bytes of an answer.
async fn open(port: std::net::SocketAddr, window: u32) -> SendRequest<Body> {
    let stream = TcpStream::connect(port).await.unwrap();
    let mut builder = Builder::new(TokioExecutor::new());
    builder.initial_stream_window_size(window);
    let (send, connection) = builder.handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    send
}

/// A body that begins so, and never ends.
fn endless(begin: Vec<u8>) -> Body {
    let begin = stream::iter([Ok(Frame::data(Bytes::from(begin)))]);
    Body::new(StreamBody::new(begin.chain(stream::pending())))
}

fn whole(message: Vec<u8>) -> Body {
    Body::new(http_body_util::Full::new(Bytes::from(message)))
}

fn post(path: &str, kind: &str, body: Body) -> Request<Body> {
    let request = Request::post(format!("http://tollgate{path}")).header("content-type", kind);
    request.body(body).unwrap()
}

/// Sends requests that do not end until one is answered nevertheless, and gives the others too.
async fn first_answer(
    connection: &SendRequest<Body>,
    request: impl Fn() -> Request<Body>,
) -> (Response<Incoming>, JoinSet<Response<Incoming>>) {
    let mut requests = JoinSet::new();
    for _ in 0..100 {
        let mut connection = connection.clone();
        let request = request();
        requests.spawn(async move {
            connection.ready().await.unwrap();
            connection.send_request(request).await.unwrap()
        });
    }
    let first = within(requests.join_next()).await.unwrap().unwrap();
    (first, requests)
}

/// How many requests a surface has refused.
pub(crate) fn count(metrics: &str, surface: &str) -> u64 {
    let name = format!("requests_total{{surface=\"{surface}\",outcome=\"overloaded\"}} ");
    let (_, rest) = metrics.split_once(&name).unwrap();
    rest.split_once('\n').unwrap().0.parse().unwrap()
}

#[tokio::test]
async fn messages_that_do_not_end_are_refused_when_there_is_no_memory_and_others_are_answered() {
    let daemon = Daemon::start(POLICY, |it| it.max_request_memory = 200_000).await;
    let ports = daemon.ports;
    let mut watch = Connection::open(ports.http).await.unwrap();

    let greedy = open(ports.grpc, 65_535).await;
    // A message of 1 MiB, of which the first 40 000 bytes come.
    let begun = || [&[0, 0, 15, 0, 0][..], &[0; 40_000]].concat();
    let (told, _calls) =
        first_answer(&greedy, || post(CALL, "application/grpc", endless(begun()))).await;
    assert_eq!(told.headers()["grpc-status"], "8");
    assert_eq!(told.headers()["grpc-retry-pushback-ms"], "1000");
    let message = told.headers()["grpc-message"].to_str().unwrap();
    assert!(message.contains("--max-request-memory"), "{message}");
    // Those that it has still hold what there is, and nobody else is harmed.
    let mut other = Calls::open(ports.grpc).await;
    assert!(other.should_rate_limit("other").await.unwrap());

    let greedy = open(ports.http, 65_535).await;
    let check = || post("/v1/check", "application/json", endless(vec![b' '; 40_000]));
    let (told, _checks) = first_answer(&greedy, check).await;
    assert_eq!(told.status(), 503);
    assert_eq!(told.headers()["retry-after"], "1");
    assert_eq!(told.headers()["content-type"], "application/problem+json");
    let mut other = Connection::open(ports.http).await.unwrap();
    assert!(other.check("another").await.unwrap().0);

    let metrics = watch.http("GET", "/metrics", "").await.unwrap();
    for surface in ["grpc", "http"] {
        assert!(count(&metrics, surface) > 0, "{metrics}");
    }
}

#[tokio::test]
async fn memory_comes_back_when_a_connection_ends() {
    let daemon = Daemon::start(POLICY, |it| it.max_request_memory = 200_000).await;
    let begun = || [&[0, 0, 15, 0, 0][..], &[0; 40_000]].concat();
    let call = || post(CALL, "application/grpc", endless(begun()));
    let greedy = open(daemon.ports.grpc, 65_535).await;
    let told = first_answer(&greedy, call).await;
    drop((greedy, told));
    // One long message that is whole, as soon as there is memory for it again.
    let message = [&[0, 0, 2, 0, 0][..], &[0; 0x2_0000]].concat();
    let again = async {
        loop {
            let mut connection = open(daemon.ports.grpc, 65_535).await;
            let call = post(CALL, "application/grpc", whole(message.clone()));
            let answer = connection.send_request(call).await.unwrap();
            if answer.headers()["grpc-status"] != "8" {
                break;
            }
        }
    };
    within(again).await;
}

/// Policies that only look on, and whose names are told as soon as they would deny.
fn many_policies() -> String {
    let shadow = |number| {
        format!(
            "[[policy]]\nname = '{number:032}'\nmode = 'shadow'\nkey = ['user']\n\
             limits = ['1/365d']\n"
        )
    };
    (0..40)
        .map(shadow)
        .fold(POLICY.to_owned(), |all, it| all + &it)
}

#[tokio::test]
async fn what_was_charged_is_answered_however_long_the_answer_is() {
    let daemon = Daemon::start(&many_policies(), |it| it.max_request_memory = 0).await;
    let mut connection = Connection::open(daemon.ports.http).await.unwrap();
    let checks = [r#"{"attributes":{"user":"u"}}"#; 9].join(",");
    let body = format!(r#"{{"all_or_nothing":false,"checks":[{checks}]}}"#);
    let answer = connection.http("POST", "/v1/check/batch", &body).await;
    let answer = answer.unwrap();
    assert!(answer.len() > 65_536, "{} bytes", answer.len());
    assert!(
        answer.contains(r#"{"allowed":true,"decisions""#),
        "{answer}"
    );
    let metrics = connection.http("GET", "/metrics", "").await.unwrap();
    assert_eq!(count(&metrics, "http"), 0, "{metrics}");
}

#[tokio::test]
async fn long_answers_that_are_not_taken_take_the_memory_that_they_need() {
    // "d", and a descriptor with the entry ("user", "u").
    let message = b"\0\0\0\0\x10\x0a\x01d\x12\x0b\x0a\x09\x0a\x04user\x12\x01u".to_vec();
    // What says how it is encoded is answered by other code.
    for encoding in [None, Some("identity")] {
        let daemon = Daemon::start(&many_policies(), |it| it.max_request_memory = 0).await;
        let mut idle = open(daemon.ports.grpc, 0).await;
        let mut calls = Vec::new();
        let mut answered = 0;
        loop {
            let mut call = post(CALL, "application/grpc", whole(message.clone()));
            if let Some(encoding) = encoding {
                let encoding = HeaderValue::from_static(encoding);
                call.headers_mut().insert("grpc-encoding", encoding);
            }
            let answer = within(idle.send_request(call)).await.unwrap();
            let status = answer.headers().get("grpc-status").cloned();
            calls.push(answer);
            match status {
                None => answered += 1,
                Some(refused) => {
                    assert_eq!(refused, "8");
                    break;
                }
            }
        }
        // 16 to 32 of answers that are short.
        assert!((4..16).contains(&answered), "{answered}");
    }
}

#[tokio::test]
async fn answers_that_are_not_taken_are_kept_up_to_a_bound() {
    let daemon = Daemon::start(POLICY, |it| it.max_request_memory = 0).await;
    // "d", and a descriptor with the entry ("user", "u").
    let message = b"\0\0\0\0\x10\x0a\x01d\x12\x0b\x0a\x09\x0a\x04user\x12\x01u".to_vec();
    let idle = open(daemon.ports.grpc, 0).await;
    let mut calls = Vec::new();
    let mut refused = 0;
    for _ in 0..60 {
        let mut connection = idle.clone();
        let call = post(CALL, "application/grpc", whole(message.clone()));
        let answer = within(connection.send_request(call)).await.unwrap();
        refused += u32::from(
            answer
                .headers()
                .get("grpc-status")
                .is_some_and(|it| it == "8"),
        );
        calls.push(answer);
    }
    // What a connection has of its own is enough for 16, and for no more than 32.
    assert!((28..=44).contains(&refused), "{refused}");
    let mut other = Calls::open(daemon.ports.grpc).await;
    assert!(other.should_rate_limit("other").await.unwrap());
}
