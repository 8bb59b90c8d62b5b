//! More requests at a time than may be.

use tokio::task::JoinSet;
use tollgate_testkit::RedisServer;
use tonic::Code as GrpcCode;

use crate::clients::{Calls, Connection};
use crate::daemon::{Daemon, in_redis, within};
use crate::memory::count;

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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_burst_that_is_more_than_may_wait_for_the_store_is_told_to_come_back_and_no_store_failure()
 {
    let server = RedisServer::start();
    let store = in_redis(&server).replacen("timeout", "max_waiting = 8\ntimeout", 1);
    let policies = format!(
        "{store}[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['1000/365d']\non_store_failure = 'allow'\n"
    );
    let daemon = Daemon::start(&policies, |_| {}).await;
    let ports = daemon.ports;
    let mut watch = Connection::open(ports.http).await.unwrap();
    assert!(watch.check("first").await.unwrap().0);
    server.hang();
    let mut waiting = JoinSet::new();
    let grpc = Calls::open(ports.grpc).await;
    for _ in 0..20 {
        let mut grpc = grpc.clone();
        waiting.spawn(async move { grpc.should_rate_limit("u").await.map_err(|it| it.code()) });
        waiting.spawn(async move {
            let mut http = Connection::open(ports.http).await.unwrap();
            let check = r#"{"attributes": {"user": "u"}}"#;
            let told = http.http("POST", "/v1/check", check).await.unwrap();
            if told.starts_with("HTTP/1.1 503") {
                assert!(told.contains("retry-after: 1\r\n") && told.contains("max_waiting"));
                return Err(GrpcCode::ResourceExhausted);
            }
            assert!(told.contains(r#""reason":"allowed""#), "{told}");
            Ok(true)
        });
        waiting.spawn(async move {
            let mut redis = Connection::open(ports.redis).await.unwrap();
            Ok(redis.tg_check("u").await.unwrap())
        });
    }
    // Four wait for the store, and the rest of 40 is refused; commands wait for their turn.
    for _ in 0..36 {
        let refused = within(waiting.join_next()).await.unwrap().unwrap();
        assert_eq!(refused, Err(GrpcCode::ResourceExhausted));
    }
    server.resume();
    for _ in 0..24 {
        assert_eq!(
            within(waiting.join_next()).await.unwrap().unwrap(),
            Ok(true)
        );
    }
    // Whoever was admitted was counted: nobody was let through for want of a place.
    let check = r#"{"attributes": {"user": "u"}, "peek": true}"#;
    let told = watch.http("POST", "/v1/check", check).await.unwrap();
    assert!(told.contains(r#""remaining":976"#), "{told}");
    // A batch needs no more places than there are.
    let one = r#"{"attributes": {"user": "b"}}"#;
    let checks = vec![one; 50].join(",");
    let batch = format!(r#"{{"all_or_nothing": false, "checks": [{checks}]}}"#);
    let told = watch.http("POST", "/v1/check/batch", &batch).await.unwrap();
    assert!(
        !told.contains("store_failed") && told.contains(r#""remaining":950"#),
        "{told}"
    );
    let metrics = watch.http("GET", "/metrics", "").await.unwrap();
    let refused: u64 = ["http", "grpc"].iter().map(|it| count(&metrics, it)).sum();
    assert_eq!(refused, 36);
}
