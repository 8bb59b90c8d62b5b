//! How a daemon ends.

use std::time::Duration;

use tokio::net::TcpStream;

use crate::support::{Daemon, ask, is_closed, settings, within};

const LONG: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn while_it_is_leaving_it_serves_and_tells_everyone_to_go_elsewhere() {
    let daemon = Daemon::start(settings(|it| it.drain_delay = LONG)).await;
    let (mut first, address) = (daemon.connect().await, daemon.http());
    let ready = ask(&mut first, "/readyz").await.unwrap();
    assert!(ready.starts_with("HTTP/1.1 200") && !ready.contains("connection: close"));

    let (hurry, ended, _folder) = daemon.stop();
    let mut new;
    // It has been told, and knows it soon.
    loop {
        new = TcpStream::connect(address).await.unwrap();
        let ready = ask(&mut new, "/readyz").await.unwrap();
        if ready.starts_with("HTTP/1.1 503") {
            assert!(ready.contains("draining") && ready.contains("connection: close"));
            break;
        }
        tokio::task::yield_now().await;
    }
    // What was open before is served, and ends with the answer.
    let alive = ask(&mut first, "/livez").await.unwrap();
    assert!(alive.starts_with("HTTP/1.1 200") && alive.contains("connection: close"));
    assert!(is_closed(&mut first).await);
    let mut another = TcpStream::connect(address).await.unwrap();
    let metrics = ask(&mut another, "/metrics").await.unwrap();
    assert!(metrics.contains("tollgate_server_draining 1"));

    hurry.send(()).unwrap();
    assert!(within(ended).await.unwrap());
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn a_request_that_waits_to_be_accepted_is_answered() {
    // As long as whoever has connected last is given to ask.
    let daemon = Daemon::start(settings(|it| it.drain_delay = Duration::from_millis(250))).await;
    let address = daemon.http();
    let (_hurry, ended, _folder) = daemon.stop();
    // Connections are made until there is nobody any more who could accept them.
    let mut answered = 0;
    loop {
        let Ok(mut stream) = TcpStream::connect(address).await else {
            break;
        };
        let answer = ask(&mut stream, "/livez").await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        answered += 1;
    }
    assert!(answered > 0);
    assert!(within(ended).await.unwrap());
}
