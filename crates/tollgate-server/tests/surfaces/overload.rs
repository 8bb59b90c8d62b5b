//! More requests at a time than may be.

use tollgate_testkit::RedisServer;
use tonic::Code as GrpcCode;

use crate::clients::{Calls, Connection};
use crate::daemon::{Daemon, in_redis, within};

/// Waits until a surface has a request that waits for the store.
async fn await_in_flight(client: &mut Connection, surface: &str) {
    let line = format!("tollgate_server_requests_in_flight{{surface=\"{surface}\"}} 1\n");
    let waiting = async {
        loop {
            let metrics = client.http("GET", "/metrics", "").await.unwrap();
            if metrics.contains(&line) {
                return;
            }
        }
    };
    within(waiting).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_asks_while_too_many_wait_is_told_when_to_come_back_and_others_are_answered() {
    let server = RedisServer::start();
    let policies = format!(
        "{}[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['9/365d']\n",
        in_redis(&server)
    );
    let daemon = Daemon::start(&policies, |it| it.max_requests = 1).await;
    let ports = daemon.ports;
    let mut watch = Connection::open(ports.http).await.unwrap();
    let mut http = Connection::open(ports.http).await.unwrap();
    let mut redis = Connection::open(ports.redis).await.unwrap();
    let mut grpc = Calls::open(ports.grpc).await;
    assert!(http.check("http").await.unwrap().0);

    server.hang();
    let mut first = Connection::open(ports.http).await.unwrap();
    let waits = tokio::spawn(async move { first.check("http").await.unwrap().0 });
    await_in_flight(&mut watch, "http").await;
    let check = r#"{"attributes": {"user": "u"}}"#;
    let told = http.http("POST", "/v1/check", check).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 503"), "{told}");
    assert!(told.contains("retry-after: 1\r\n"), "{told}");
    assert!(told.contains("application/problem+json"), "{told}");
    assert!(told.contains("--max-requests"), "{told}");

    let mut first = grpc.clone();
    let calls = tokio::spawn(async move { first.should_rate_limit("grpc").await.unwrap() });
    await_in_flight(&mut watch, "grpc").await;
    let told = grpc.should_rate_limit("grpc").await.unwrap_err();
    assert_eq!(told.code(), GrpcCode::ResourceExhausted);
    assert!(told.message().contains("--max-requests"), "{told}");
    let pushback = told.metadata().get("grpc-retry-pushback-ms").unwrap();
    assert_eq!(pushback, "1000");

    let mut first = Connection::open(ports.redis).await.unwrap();
    let commands = tokio::spawn(async move { first.tg_check("redis").await.unwrap() });
    await_in_flight(&mut watch, "redis").await;
    let told = redis.command("TG.CHECK user redis", 10).await.unwrap();
    assert!(told.starts_with("-ERR too many requests"), "{told}");
    assert!(told.contains("--max-requests"), "{told}");
    assert_eq!(redis.command("PING", 1).await.unwrap(), "+PONG\r\n");

    server.resume();
    for waits in [waits, calls, commands] {
        assert!(within(waits).await.unwrap());
    }
    assert!(redis.tg_check("redis").await.unwrap());
    let metrics = watch.http("GET", "/metrics", "").await.unwrap();
    for surface in ["http", "grpc", "redis"] {
        let line = format!("total{{surface=\"{surface}\",outcome=\"overloaded\"}} 1\n");
        assert!(metrics.contains(&line), "{metrics}");
    }
}
