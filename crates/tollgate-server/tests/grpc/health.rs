//! The standard services: health, and reflection.

use tokio_stream::StreamExt as _;
use tonic::Code as GrpcCode;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

use crate::support::{Daemon, TWO_A_MINUTE};

fn of(service: &str) -> HealthCheckRequest {
    HealthCheckRequest {
        service: service.to_owned(),
    }
}

#[tokio::test]
async fn the_daemon_and_its_services_are_serving() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut health = HealthClient::new(daemon.channel().await);
    for service in ["", "envoy.service.ratelimit.v3.RateLimitService"] {
        let answer = health.check(of(service)).await.unwrap().into_inner();
        assert_eq!(answer.status(), ServingStatus::Serving, "{service:?}");
    }
    let unknown = health.check(of("nobody")).await.unwrap_err();
    assert_eq!(unknown.code(), GrpcCode::NotFound);
}

#[tokio::test]
async fn who_watches_learns_that_it_drains_and_does_not_keep_it_from_ending() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut health = HealthClient::new(daemon.channel().await);
    let mut watched = health.watch(of("")).await.unwrap().into_inner();
    let mut unknown = health.watch(of("nobody")).await.unwrap().into_inner();
    let mut next = async || watched.next().await.map(|told| told.unwrap().status());
    assert_eq!(next().await, Some(ServingStatus::Serving));
    let told = unknown.next().await.unwrap().unwrap().status();
    assert_eq!(told, ServingStatus::ServiceUnknown);
    let stopping = tokio::spawn(daemon.stop());
    assert_eq!(next().await, Some(ServingStatus::NotServing));
    assert_eq!(next().await, None);
    assert!(unknown.next().await.is_none());
    assert!(stopping.await.unwrap(), "all connections have ended");
}

#[tokio::test]
async fn who_asks_by_reflection_does_not_keep_it_from_ending() {
    let daemon = Daemon::start(TWO_A_MINUTE).await;
    let mut client = ServerReflectionClient::new(daemon.channel().await);
    let list = ServerReflectionRequest {
        message_request: Some(MessageRequest::ListServices(String::new())),
        ..ServerReflectionRequest::default()
    };
    let asked = tokio_stream::once(list).chain(tokio_stream::pending());
    let mut told = client
        .server_reflection_info(asked)
        .await
        .unwrap()
        .into_inner();
    assert!(told.next().await.unwrap().is_ok());
    assert!(daemon.stop().await, "all connections have ended");
    assert!(told.next().await.is_none());
}
