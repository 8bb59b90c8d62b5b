//! What of a descriptor policies see, and by what they count.

use bytes::{Buf, BufMut, Bytes};
use prost::Message as _;
use prost::bytes;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Request, Status};

use crate::generated::{Code, RateLimitResponse};
use crate::support::{Daemon, TWO_A_MINUTE, descriptor, request};

#[tokio::test]
async fn an_address_is_the_client_by_either_name() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    for (entries, code) in [
        (&[("remote_address", "192.0.2.1")][..], Code::Ok),
        (&[("client.ip", "::ffff:192.0.2.1")], Code::Ok),
        (&[("client.ip", "192.0.2.1")], Code::OverLimit),
        // client.ip goes first, wherever it stands.
        (
            &[("remote_address", "192.0.2.1"), ("client.ip", "192.0.2.2")],
            Code::Ok,
        ),
        // An empty one is none, and none is a missing key.
        (
            &[("client.ip", ""), ("remote_address", "192.0.2.1")],
            Code::OverLimit,
        ),
        (&[("remote_address", "")], Code::OverLimit),
        // IPv6 is counted by networks, as everywhere.
        (&[("remote_address", "2001:db8::1")], Code::Ok),
        (&[("remote_address", "2001:db8::2")], Code::Ok),
        (&[("remote_address", "2001:db8::3")], Code::OverLimit),
    ] {
        assert_eq!(client.code(entries).await, code, "{entries:?}");
    }
}

#[tokio::test]
async fn no_spelling_of_a_path_evades_a_policy() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'login'\nmatch = { path = '/auth/login' }\nshared = true\nlimits = ['1/h fixed-window']\n",
    )
    .await;
    let mut client = daemon.client().await;
    assert_eq!(client.code(&[("path", "/auth/login")]).await, Code::Ok);
    for path in [
        "/auth/../auth/login",
        "/auth/login?next=/",
        "//auth/./login/",
        "/%61uth/login",
    ] {
        assert_eq!(
            client.code(&[("path", path)]).await,
            Code::OverLimit,
            "{path}"
        );
    }
    assert_eq!(client.code(&[("path", "/other")]).await, Code::Ok);
}

#[tokio::test]
async fn parameters_are_entries_or_read_from_the_query_of_the_path() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'q'\nmatch = { path = '/q', 'query.page' = '2' }\nshared = true\n\
         limits = ['1/h fixed-window']\n",
    )
    .await;
    let mut client = daemon.client().await;
    for (entries, code) in [
        (&[("path", "/q?page=3")][..], Code::Ok),
        (&[("path", "/q?page=2")], Code::Ok),
        (&[("path", "/q?a&page=2")], Code::OverLimit),
        (
            &[("path", "/q?page=3"), ("query.page", "2")],
            Code::OverLimit,
        ),
        (&[("path", "/q?page=2"), ("query.page", "3")], Code::Ok),
    ] {
        assert_eq!(client.code(entries).await, code, "{entries:?}");
    }
}

/// An error would let the request through where a proxy lets undecided requests through.
#[tokio::test]
async fn what_cannot_be_a_path_fails_no_call() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = daemon.client().await;
    let entries = [
        ("path", "https://example.org/a"),
        ("client.ip", "192.0.2.1"),
    ];
    assert_eq!(client.code(&entries).await, Code::Ok);
    assert_eq!(client.code(&entries).await, Code::Ok);
    assert_eq!(client.code(&entries).await, Code::OverLimit);
}

#[tokio::test]
async fn the_domain_is_an_attribute_that_no_entry_replaces() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'edge'\nmatch = { domain = 'edge' }\nshared = true\nlimits = ['1/h fixed-window']\n",
    )
    .await;
    let mut client = daemon.client().await;
    assert_eq!(client.code(&[]).await, Code::Ok);
    assert_eq!(client.code(&[("domain", "other")]).await, Code::OverLimit);
    let mut other = request([descriptor(&[("domain", "edge")])]);
    other.domain = "other".to_owned();
    assert_eq!(client.call(other).await.unwrap().overall_code(), Code::Ok);
}

#[tokio::test]
async fn entries_of_one_key_are_numbered_and_none_is_lost() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'slow'\nmatch = { generic_key = 'a', 'generic_key.2' = 'b' }\n\
         shared = true\nlimits = ['1/h fixed-window']\n",
    )
    .await;
    let mut client = daemon.client().await;
    let a_b = [("generic_key", "a"), ("generic_key", "b")];
    let b_a = [("generic_key", "b"), ("generic_key", "a")];
    assert_eq!(client.code(&a_b).await, Code::Ok);
    assert_eq!(client.code(&a_b).await, Code::OverLimit);
    assert_eq!(client.code(&b_a).await, Code::Ok);
    assert_eq!(client.code(&b_a).await, Code::Ok);
    assert_eq!(client.code(&a_b[..1]).await, Code::Ok);
}

#[tokio::test]
async fn header_entries_are_header_attributes() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'plan'\nmatch = { header.x-plan = 'free' }\nshared = true\nlimits = ['1/h fixed-window']\n",
    )
    .await;
    let mut client = daemon.client().await;
    assert_eq!(client.code(&[("header.X-Plan", "free")]).await, Code::Ok);
    assert_eq!(
        client.code(&[("header.x-plan", "free")]).await,
        Code::OverLimit
    );
    assert_eq!(client.code(&[("x-plan", "free")]).await, Code::Ok);
}

#[tokio::test]
async fn an_empty_descriptor_is_charged_by_policies_that_match_it_and_no_others() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let answer = daemon.client().await.ask([descriptor(&[])]).await;
    // This policy matches everything and lacks its key.
    assert_eq!(answer.overall_code(), Code::OverLimit);
    let daemon = Daemon::start(&(TWO_A_MINUTE.to_owned() + "missing_key = 'skip'\n")).await;
    for _ in 0..4 {
        let answer = daemon.client().await.ask([descriptor(&[])]).await;
        assert_eq!(answer.overall_code(), Code::Ok);
        assert_eq!(answer.statuses.len(), 1);
        assert_eq!(answer.statuses[0].current_limit, None);
    }
}

/// A client chooses the bytes of a header or a path. A call that fails for them is one that a proxy
/// may let through.
#[tokio::test]
async fn a_value_that_is_not_utf_8_fails_no_call_and_evades_no_policy() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'auth'\nmatch = { path = '/auth/**' }\nshared = true\nlimits = ['1/h fixed-window']\n\
         [[policy]]\nname = 'users'\nmatch = { domain = 'users' }\nkey = ['user']\nlimits = ['1/h']\n",
    )
    .await;
    let mut raw = tonic::client::Grpc::new(daemon.channel().await);
    for (domain, key, value, code) in [
        ("edge", "path", &b"/auth/\xff"[..], Code::Ok),
        ("edge", "path", b"/auth/\xff\xfe", Code::OverLimit),
        ("edge", "path", b"/open/\xff", Code::Ok),
        // No user, rather than one that others may be taken for.
        ("users", "user", b"\xff", Code::OverLimit),
    ] {
        raw.ready().await.unwrap();
        let path = PathAndQuery::from_static(
            "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit",
        );
        let mut marked = request([descriptor(&[(key, &"?".repeat(value.len()))])]);
        marked.domain = domain.to_owned();
        let mut message = marked.encode_to_vec();
        let marks: Vec<_> = (0..message.len())
            .filter(|at| message[*at] == b'?')
            .collect();
        for (at, byte) in marks.into_iter().zip(value) {
            message[at] = *byte;
        }
        let answer = raw
            .unary(Request::new(Bytes::from(message)), path, Bytewise)
            .await;
        let answer = answer.unwrap().into_inner();
        assert_eq!(answer.overall_code(), code, "{value:?}");
    }
}

/// Sends a message as it is.
#[derive(Default)]
struct Bytewise;

impl Codec for Bytewise {
    type Encode = Bytes;
    type Decode = RateLimitResponse;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        Self
    }

    fn decoder(&mut self) -> Self {
        Self
    }
}

impl Encoder for Bytewise {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for Bytewise {
    type Item = RateLimitResponse;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<RateLimitResponse>, Status> {
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        RateLimitResponse::decode(bytes)
            .map(Some)
            .map_err(|error| Status::internal(error.to_string()))
    }
}
