//! Connections that are slow, silent or hostile, and those beside them.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tonic::Code as GrpcCode;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;

use crate::generated::{Code, RateLimitRequest, RateLimitResponse};
use crate::support::{Daemon, TWO_A_MINUTE, descriptor, request};

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
const SETTINGS: [u8; 9] = [0, 0, 0, 4, 0, 0, 0, 0, 0];

#[tokio::test]
async fn who_does_not_speak_or_not_http_2_holds_nobody_up() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let _silent = TcpStream::connect(daemon.address).await.unwrap();
    let mut half = TcpStream::connect(daemon.address).await.unwrap();
    half.write_all(&PREFACE[..10]).await.unwrap();
    let mut begun = TcpStream::connect(daemon.address).await.unwrap();
    begun.write_all(PREFACE).await.unwrap();
    begun.write_all(&SETTINGS).await.unwrap();
    // The beginning of a call, whose message never comes: HEADERS of 1000 bytes.
    begun
        .write_all(&[0, 3, 232, 1, 4, 0, 0, 0, 1])
        .await
        .unwrap();
    let mut other = TcpStream::connect(daemon.address).await.unwrap();
    other.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();

    let mut client = daemon.client().await;
    let who = [("remote_address", "192.0.2.1")];
    assert_eq!(client.code(&who).await, Code::Ok);
    // What is not HTTP/2 is told so, by the end of the connection.
    let mut told = Vec::new();
    let _ = other.read_to_end(&mut told).await;
    assert!(!told.starts_with(b"HTTP/1.1 200"), "{told:?}");
}

#[tokio::test]
async fn what_is_no_service_is_unimplemented() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    for path in [
        "/envoy.service.ratelimit.v2.RateLimitService/ShouldRateLimit",
        "/envoy.service.ratelimit.v3.RateLimitService/Other",
        "/",
    ] {
        let mut raw = Grpc::new(daemon.channel().await);
        raw.ready().await.unwrap();
        let codec = tonic_prost::ProstCodec::<RateLimitRequest, RateLimitResponse>::default();
        let asked = tonic::Request::new(request([descriptor(&[])]));
        let answer = raw
            .unary(asked, PathAndQuery::from_static(path), codec)
            .await;
        assert_eq!(
            answer.unwrap_err().code(),
            GrpcCode::Unimplemented,
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_connection_carries_many_calls_at_the_same_time() {
    let daemon =
        Daemon::start("[[policy]]\nname = 'all'\nshared = true\nlimits = ['150/h fixed-window']\n")
            .await;
    let client = daemon.client().await;
    let calls: Vec<_> = (0..200)
        .map(|_| {
            let mut client = client.clone();
            tokio::spawn(async move { client.code(&[]).await })
        })
        .collect();
    let mut admitted = 0;
    for call in calls {
        admitted += usize::from(call.await.unwrap() == Code::Ok);
    }
    assert_eq!(admitted, 150);
    assert!(daemon.stop().await);
}
