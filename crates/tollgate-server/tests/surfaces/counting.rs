//! What is counted of requests.

use crate::clients::{Calls, Connection};
use crate::daemon::Daemon;

const POLICIES: &str = "
[client]
trusted_proxies = ['127.0.0.1']

[[policy]]
name = 'two'
key = ['user']
limits = ['2/365d fixed-window']
missing_key = 'skip'
";

/// Asserts what is counted at a surface, by the end of its requests, and nothing else.
async fn counted(daemon: &Daemon, surface: &str, expected: &[(&str, u64)], timed: u64) {
    let mut client = Connection::open(daemon.ports.http).await.unwrap();
    let metrics = client.http("GET", "/metrics", "").await.unwrap();
    let begin = format!("tollgate_server_requests_total{{surface=\"{surface}\",outcome=\"");
    let counts = metrics.lines().filter_map(|line| {
        let (outcome, count) = line.strip_prefix(&begin)?.split_once("\"} ")?;
        Some((outcome, count.parse().unwrap()))
    });
    let counts: Vec<(&str, u64)> = counts.filter(|(_, count)| *count > 0).collect();
    assert_eq!(counts, expected);
    for line in [
        format!("tollgate_server_requests_in_flight{{surface=\"{surface}\"}} 0"),
        format!("tollgate_server_request_seconds_count{{surface=\"{surface}\"}} {timed}"),
    ] {
        assert!(metrics.lines().any(|it| it == line), "{line}\n{metrics}");
    }
}

#[tokio::test]
async fn http_is_counted_by_how_requests_end() {
    let daemon = Daemon::start(POLICIES, |_| {}).await;
    let mut client = Connection::open(daemon.ports.http).await.unwrap();
    for admitted in [true, true, false] {
        assert_eq!(client.check("u").await.unwrap().0, admitted);
    }
    let check = r#"{"attributes": {"user": "v"}}"#;
    let batch = format!(r#"{{"all_or_nothing": false, "checks": [{check}, {check}]}}"#);
    for (method, path, body) in [
        ("POST", "/v1/check/batch", batch.as_str()),
        ("POST", "/v1/check/batch", &batch),
        ("GET", "/v1/auth", ""),
        // Mistakes.
        ("POST", "/v1/check", "{"),
        ("POST", "/v1/check?status=x", check),
        ("GET", "/v1/auth/nginx", ""),
        ("GET", "/v1/auth/accel", ""),
        ("GET", "/v1/check", ""),
        ("GET", "/nothing", ""),
        ("GET", "/v1/policies", ""),
        // What asks for no decision.
        ("GET", "/livez", ""),
        ("GET", "/openapi.json", ""),
    ] {
        client.http(method, path, body).await.unwrap();
    }
    // Three checks, two batches, and one by a proxy.
    let expected = [("allow", 4), ("deny", 2), ("invalid", 7), ("other", 2)];
    counted(&daemon, "http", &expected, 6).await;
}

#[tokio::test]
async fn grpc_is_counted_by_how_calls_end() {
    let daemon = Daemon::start(POLICIES, |_| {}).await;
    let mut calls = Calls::open(daemon.ports.grpc).await;
    for admitted in [true, true, false] {
        assert_eq!(calls.should_rate_limit("u").await.unwrap(), admitted);
    }
    calls.in_no_domain().await.unwrap_err();
    calls.is_healthy().await;
    let expected = [("allow", 2), ("deny", 1), ("invalid", 1), ("other", 1)];
    counted(&daemon, "grpc", &expected, 4).await;
}

#[tokio::test]
async fn the_redis_protocol_is_counted_by_how_commands_end_and_timed_where_they_wait() {
    let daemon = Daemon::start(POLICIES, |_| {}).await;
    let mut client = Connection::open(daemon.ports.redis).await.unwrap();
    for admitted in [true, true, false] {
        assert_eq!(client.tg_check("u").await.unwrap(), admitted);
    }
    for (command, lines) in [
        ("TG.PEEK user u", 10),
        ("CL.THROTTLE k 0 1 60", 6),
        ("CL.THROTTLE k 0 1 60", 6),
        ("CL.THROTTLE k 0 x 60", 1),
        ("TG.CHECK user", 1),
        ("GET k", 1),
        ("PING", 1),
        ("ECHO a\r\nPING\r\nPING", 4),
    ] {
        client.command(command, lines).await.unwrap();
    }
    // The look is waited for, if not for long.
    let expected = [("allow", 3), ("deny", 3), ("invalid", 3), ("other", 4)];
    counted(&daemon, "redis", &expected, 1).await;
}
