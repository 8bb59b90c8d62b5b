//! Spans of decisions.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpStream;

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::{Request, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;

use super::collector::Collector;
use super::{PROTOCOLS, exporting};
use crate::client::send;
use crate::process::{Daemon, POLICY, folder};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";

fn traceparent(flags: &str) -> String {
    format!("traceparent: 00-{TRACE}-{PARENT}-{flags}\r\n")
}

/// The spans of the next export, which has nothing in it that is the client's.
fn spans(collector: &Collector) -> Vec<Span> {
    let export = collector.traces();
    for secret in ["192.0.2", "7af3-token", "10.9.8"] {
        let is_in = export
            .bytes
            .windows(secret.len())
            .any(|it| it == secret.as_bytes());
        assert!(!is_in, "{:?}", export.message);
    }
    let resources = export.message.resource_spans.into_iter();
    let scopes = resources.flat_map(|it| it.scope_spans);
    scopes.flat_map(|it| it.spans).collect()
}

/// The next spans, however they are exported.
fn spans_of(collector: &Collector, count: usize) -> Vec<Span> {
    let mut all = Vec::new();
    while all.len() < count {
        all.extend(spans(collector));
    }
    assert_eq!(all.len(), count);
    all
}

fn attributes(span: &Span) -> BTreeMap<&str, String> {
    let all = span.attributes.iter().map(|it| {
        let value = it.value.as_ref().and_then(|it| it.value.as_ref()).unwrap();
        let value = match value {
            Value::StringValue(text) => text.clone(),
            Value::BoolValue(value) => value.to_string(),
            Value::IntValue(value) => value.to_string(),
            other => panic!("{other:?}"),
        };
        (it.key.as_str(), value)
    });
    all.collect()
}

fn told(surface: &str, policy: &str, reason: &str, allowed: &str) -> Vec<(String, String)> {
    let mut all = vec![
        ("allowed", allowed),
        ("decisions", "1"),
        ("degraded", "false"),
        ("policy", policy),
        ("reason", reason),
        ("surface", surface),
    ];
    all.retain(|(_, value)| !value.is_empty());
    let all = all.into_iter();
    all.map(|(name, value)| (format!("tollgate.{name}"), value.to_owned()))
        .collect()
}

fn of(span: &Span) -> Vec<(String, String)> {
    let all = attributes(span).into_iter();
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

const CHECK: &str = r#"{"attributes": {"client.ip": "192.0.2.1", "user": "7af3-token"}}"#;

fn post(daemon: &Daemon, path: &str, fields: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(daemon.port()).unwrap();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: tollgate\r\ncontent-type: application/json\r\n\
         authorization: Bearer 7af3-token\r\n{fields}content-length: {length}\r\n\r\n{body}"
    );
    send(&mut stream, &head).unwrap()
}

#[test]
fn a_decision_is_a_span_of_the_callers_trace() {
    for protocol in PROTOCOLS {
        let (folder, collector) = (folder(), Collector::start());
        let daemon = Daemon::start(&mut exporting(folder.path(), &collector, protocol));
        post(&daemon, "/v1/check", &traceparent("01"), CHECK);
        let span = spans_of(&collector, 1).remove(0);
        assert_eq!(hex(&span.trace_id), TRACE);
        assert_eq!(hex(&span.parent_span_id), PARENT);
        assert!(span.span_id.len() == 8 && hex(&span.span_id) != PARENT);
        assert_eq!((span.name.as_str(), span.kind), ("check", 2));
        assert_eq!(of(&span), told("http", "all", "allowed", "true"));
        assert!(span.end_time_unix_nano >= span.start_time_unix_nano);
        // It is not a time before there was a daemon.
        assert!(span.start_time_unix_nano > 1_700_000_000_000_000_000);
        assert!(span.status.is_none());
        // Sampled; and the parent is known to be another process's.
        assert_eq!(span.flags, 0x301);
    }
}

#[test]
fn a_denial_says_which_policy_denies_and_why() {
    let (folder, collector) = (folder(), Collector::start());
    let daemon = Daemon::start(&mut exporting(folder.path(), &collector, "grpc"));
    for _ in 0..11 {
        post(&daemon, "/v1/check", "", CHECK);
    }
    let spans = spans_of(&collector, 11);
    let last = spans.last().unwrap();
    assert_eq!(of(last), told("http", "all", "limit_exceeded", "false"));
    // A denial is no error.
    assert!(last.status.is_none());
    // Each is a trace of its own.
    assert!(last.parent_span_id.is_empty() && last.trace_id != spans[0].trace_id);
}

#[test]
fn a_caller_that_does_not_record_gets_no_span_and_one_that_does_gets_one_whatever_the_ratio() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = exporting(folder.path(), &collector, "http/protobuf");
    command
        .env("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")
        .env("OTEL_TRACES_SAMPLER_ARG", "0");
    let daemon = Daemon::start(&mut command);
    post(&daemon, "/v1/check", &traceparent("00"), CHECK);
    post(&daemon, "/v1/check", "", CHECK);
    post(&daemon, "/v1/check", &traceparent("01"), CHECK);
    let span = spans_of(&collector, 1).remove(0);
    assert_eq!(hex(&span.parent_span_id), PARENT);
    daemon.signal("-INT");
    assert!(daemon.end().success());
    assert_eq!(collector.more_traces(), 0);
}

#[test]
fn what_several_decisions_come_to_is_one_span() {
    let (folder, collector) = (folder(), Collector::start());
    let daemon = Daemon::start(&mut exporting(folder.path(), &collector, "grpc"));
    let batch = format!(
        r#"{{"all_or_nothing": false, "checks": [{CHECK}, {{"attributes": {{"client.ip": "192.0.2.2"}}, "cost": 11}}, {CHECK}]}}"#
    );
    let answer = post(&daemon, "/v1/check/batch", "", &batch);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let span = spans_of(&collector, 1).remove(0);
    assert_eq!(span.name, "check batch");
    let attributes = attributes(&span);
    assert_eq!(attributes["tollgate.decisions"], "3");
    assert_eq!(attributes["tollgate.allowed"], "false");
    assert_eq!(attributes["tollgate.reason"], "never_fits");
}

#[test]
fn what_a_proxy_asks_is_a_span_of_the_trace_that_it_passes_on() {
    let (folder, collector) = (folder(), Collector::start());
    let policies = format!("[client]\ntrusted_proxies = ['127.0.0.1']\n{POLICY}");
    fs::write(folder.path().join("tollgate.toml"), policies).unwrap();
    let daemon = Daemon::start(&mut exporting(folder.path(), &collector, "grpc"));
    let fields = format!(
        "x-forwarded-for: 192.0.2.7\r\nx-forwarded-method: GET\r\nx-forwarded-uri: /a?key=7af3-token\r\n\
         x-forwarded-host: 10.9.8.7\r\n{}",
        traceparent("01")
    );
    let answer = post(&daemon, "/v1/auth", &fields, "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let span = spans_of(&collector, 1).remove(0);
    assert_eq!(span.name, "forward-auth");
    assert_eq!(hex(&span.parent_span_id), PARENT);
    assert_eq!(of(&span), told("http", "all", "allowed", "true"));
}

/// A `RateLimitRequest` for one client: domain and one descriptor of one entry.
#[derive(Clone, PartialEq, prost::Message)]
struct RateLimitRequest {
    #[prost(string, tag = "1")]
    domain: String,
    #[prost(message, repeated, tag = "2")]
    descriptors: Vec<Descriptor>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Descriptor {
    #[prost(message, repeated, tag = "1")]
    entries: Vec<Entry>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Entry {
    #[prost(string, tag = "1")]
    key: String,
    #[prost(string, tag = "2")]
    value: String,
}

async fn call(address: &str, fields: &[(&str, &str)]) {
    let stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
            .await
            .unwrap();
    tokio::spawn(connection);
    let message = RateLimitRequest {
        domain: "edge".to_owned(),
        descriptors: vec![Descriptor {
            entries: vec![Entry {
                key: "client.ip".to_owned(),
                value: "192.0.2.1".to_owned(),
            }],
        }],
    };
    let message = prost::Message::encode_to_vec(&message);
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend(message);
    let path = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";
    let mut request = Request::post(format!("http://{address}{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    let request = request.body(Full::<Bytes>::from(body)).unwrap();
    let response = sender.send_request(request).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK);
    let body = response.into_body().collect().await.unwrap();
    assert_eq!(body.trailers().unwrap()["grpc-status"], "0");
}

#[test]
fn calls_of_grpc_continue_the_trace_in_their_metadata() {
    let (folder, collector) = (folder(), Collector::start());
    let mut command = exporting(folder.path(), &collector, "grpc");
    let daemon = Daemon::start(command.env("TOLLGATE_GRPC", "127.0.0.1:0"));
    let parent = format!("00-{TRACE}-{PARENT}-01");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        call(&daemon.grpc, &[("traceparent", &parent)]).await;
        // This one is answered by the service that is generated.
        let long = [("traceparent", &*parent), ("grpc-encoding", "identity")];
        call(&daemon.grpc, &long).await;
        call(&daemon.grpc, &[]).await;
    });
    let spans = spans_of(&collector, 3);
    for span in &spans {
        assert_eq!(span.name, "ShouldRateLimit");
        assert_eq!(of(span), told("grpc", "all", "allowed", "true"));
    }
    for span in &spans[..2] {
        assert_eq!(hex(&span.trace_id), TRACE);
        assert_eq!(hex(&span.parent_span_id), PARENT);
    }
    assert!(spans[2].parent_span_id.is_empty());
}
