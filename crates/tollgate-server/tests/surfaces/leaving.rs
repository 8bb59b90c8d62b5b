//! After the daemon was told to stop, and before it drains.

use std::time::Duration;

use tokio_stream::StreamExt as _;
use tonic_health::pb::health_check_response::ServingStatus;

use crate::clients::{Calls, Connection};
use crate::daemon::{Daemon, within};

const POLICIES: &str = "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['9/365d']\n";

#[tokio::test]
async fn health_is_not_serving_while_calls_are_still_answered() {
    let delay = Duration::from_secs(24 * 60 * 60);
    let daemon = Daemon::start(POLICIES, |it| it.drain_delay = delay).await;
    let ports = daemon.ports;
    let mut calls = Calls::open(ports.grpc).await;
    let mut watched = calls.watch().await;
    let mut next = async || within(watched.next()).await.unwrap().unwrap().status();
    assert_eq!(next().await, ServingStatus::Serving);
    assert!(calls.is_healthy().await);

    let running = daemon.leave();
    assert_eq!(next().await, ServingStatus::NotServing);
    assert!(!calls.is_healthy().await);
    // Who has not noticed yet is answered, also on a new connection.
    assert!(calls.should_rate_limit("u").await.unwrap());
    let mut new = Calls::open(ports.grpc).await;
    assert!(!new.is_healthy().await);
    assert_eq!(
        new.watch().await.next().await.unwrap().unwrap().status(),
        ServingStatus::NotServing
    );
    let mut http = Connection::open(ports.http).await.unwrap();
    let ready = http.http("GET", "/readyz", "").await.unwrap();
    assert!(ready.starts_with("HTTP/1.1 503"), "{ready}");
    running.abort();
}
