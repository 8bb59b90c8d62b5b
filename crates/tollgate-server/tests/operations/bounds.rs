//! Too many connections, and idle ones.

use std::time::Duration;

use hyper::Request;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support::{Daemon, answer, ask, is_closed, port, settings, within};

#[tokio::test]
async fn who_is_too_many_is_told_in_the_words_of_the_protocol() {
    let daemon = Daemon::start(settings(|it| {
        it.max_connections = 1;
        it.redis = Some("127.0.0.1:0".parse().unwrap());
        it.operations = Some("127.0.0.1:0".parse().unwrap());
    }))
    .await;
    let mut first = daemon.connect().await;
    ask(&mut first, "/livez").await.unwrap();
    let mut second = daemon.connect().await;
    // A request that nobody reads takes nothing from the answer.
    let told = ask(&mut second, "/livez").await.unwrap();
    assert!(
        told.starts_with("HTTP/1.1 503") && told.contains("retry-after: 1"),
        "{told}"
    );
    assert!(is_closed(&mut second).await);

    let redis = port(daemon.addresses.redis.as_ref());
    let _first = TcpStream::connect(redis).await.unwrap();
    let mut second = TcpStream::connect(redis).await.unwrap();
    second.write_all(b"PING\r\n").await.unwrap();
    let mut told = String::new();
    within(second.read_to_string(&mut told)).await.unwrap();
    assert_eq!(told, "-ERR max number of clients reached\r\n");

    let mut nearby = TcpStream::connect(port(daemon.addresses.operations.as_ref()))
        .await
        .unwrap();
    let metrics = ask(&mut nearby, "/metrics").await.unwrap();
    for surface in ["http", "redis"] {
        let line = format!("refused_total{{surface=\"{surface}\",reason=\"max_connections\"}} 1");
        assert!(metrics.contains(&line), "{metrics}");
    }
    // A place that is left is taken by the next.
    drop(first);
    loop {
        let mut next = daemon.connect().await;
        if ask(&mut next, "/livez")
            .await
            .unwrap()
            .starts_with("HTTP/1.1 200")
        {
            break;
        }
    }
}

#[tokio::test]
async fn a_client_of_grpc_that_is_too_many_knows_why() {
    let daemon = Daemon::start(settings(|it| {
        it.max_connections = 1;
        it.grpc = Some("127.0.0.1:0".parse().unwrap());
    }))
    .await;
    let address = port(daemon.addresses.grpc.as_ref());
    let _first = TcpStream::connect(address).await.unwrap();
    let second = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let shaking = http2::handshake::<_, _, String>(TokioExecutor::new(), second);
    let (mut requests, connection) = within(shaking).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::post("http://tollgate/").body(String::new());
    // It may have been told before it could ask.
    let asked = within(requests.send_request(request.unwrap())).await;
    assert!(asked.is_err());
    let ended = within(connection).await.unwrap();
    let told: Vec<_> = [asked.err(), ended.err()]
        .iter()
        .flatten()
        .map(|error| format!("{error:?}"))
        .collect();
    assert!(told.concat().contains("ENHANCE_YOUR_CALM"), "{told:?}");
}

#[tokio::test]
async fn one_peer_does_not_take_all_places() {
    let daemon = Daemon::start(settings(|it| it.max_connections_per_peer = Some(1))).await;
    let mut first = daemon.connect().await;
    ask(&mut first, "/livez").await.unwrap();
    let mut second = daemon.connect().await;
    let told = answer(&mut second).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 503"), "{told}");
    let metrics = ask(&mut first, "/metrics").await.unwrap();
    assert!(
        metrics.contains("surface=\"http\",reason=\"max_connections_per_peer\"} 1"),
        "{metrics}"
    );
}

#[tokio::test]
async fn a_connection_on_which_nothing_moves_is_ended() {
    let daemon = Daemon::start(settings(|it| it.idle_timeout = Duration::from_millis(1))).await;
    let mut silent = daemon.connect().await;
    assert!(is_closed(&mut silent).await);
}
