//! What callers are told when the store makes no decision, or none in time.

use std::time::Duration;

use tollgate_testkit::redis::RedisServer;
use tonic::{Code as GrpcCode, Request};

use crate::generated::{Code, RateLimitDescriptor, RateLimitServiceClient};
use crate::support::{Daemon, Raw, descriptor, field, request};

fn policies(server: &RedisServer, timeout: &str, rest: &str) -> String {
    format!(
        "[store]\nurl = '{}'\ntimeout = '{timeout}'\n\
         [[policy]]\nname = 'two'\nkey = ['client.ip']\nlimits = ['2/min fixed-window']\n{rest}\n",
        server.url()
    )
}

fn who() -> RateLimitDescriptor {
    descriptor(&[("remote_address", "192.0.2.1")])
}

#[tokio::test(flavor = "multi_thread")]
async fn redis_decides_as_memory_does() {
    let server = RedisServer::start();
    let daemon = Daemon::start(&policies(&server, "5s", "")).await;
    let mut client = daemon.client().await;
    for (code, left) in [(Code::Ok, 1), (Code::Ok, 0), (Code::OverLimit, 0)] {
        let answer = client
            .ask([who(), descriptor(&[("client.ip", "192.0.2.2")])])
            .await;
        assert_eq!(answer.overall_code(), code);
        assert_eq!(answer.statuses[0].limit_remaining, left);
        assert_eq!(answer.statuses[1].limit_remaining, left);
    }
    let back = RateLimitDescriptor {
        is_negative_hits: true,
        ..who()
    };
    assert_eq!(client.ask([back]).await.statuses[0].limit_remaining, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_store_each_policy_does_what_it_says() {
    let mut server = RedisServer::start();
    let file = |rest| policies(&server, "100ms", rest);
    let files = [
        file("on_store_failure = 'deny'"),
        file("on_store_failure = 'allow'"),
        file("on_store_failure = 'local'\nlocal_share = '1/2'"),
    ];
    server.kill();
    let [deny, allow, local] = files;

    let daemon = Daemon::start(&deny).await;
    let refusal = daemon.client().await.call(request([who()])).await;
    let refusal = refusal.unwrap_err();
    assert_eq!(refusal.code(), GrpcCode::Unavailable);
    assert!(refusal.message().contains("`two` denies then"), "{refusal}");

    let daemon = Daemon::start(&allow).await;
    let answer = daemon.client().await.ask([who()]).await;
    assert_eq!(answer.overall_code(), Code::Ok);
    assert_eq!(answer.statuses[0].current_limit, None);
    let headers = &answer.response_headers_to_add;
    assert_eq!(field(headers, "ratelimit"), None);
    let metadata = answer.dynamic_metadata.unwrap().fields;
    assert!(metadata.contains_key("degraded"), "{metadata:?}");

    let daemon = Daemon::start(&local).await;
    let mut client = daemon.client().await;
    assert_eq!(client.ask([who()]).await.overall_code(), Code::Ok);
    let answer = client.ask([who()]).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
    assert!(field(&answer.response_headers_to_add, "retry-after").is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_stands_while_the_store_is_away() {
    let mut server = RedisServer::start();
    let file = policies(
        &server,
        "100ms",
        "on_store_failure = 'deny'\n[[policy]]\nname = 'closed'\nmatch = { path = '/x' }\nblock = true",
    );
    server.kill();
    let daemon = Daemon::start(&file).await;
    let asked = [
        who(),
        descriptor(&[("path", "/x"), ("client.ip", "192.0.2.1")]),
    ];
    let answer = daemon.client().await.ask(asked).await;
    assert_eq!(answer.overall_code(), Code::OverLimit);
}

fn within(milliseconds: u64) -> Request<crate::generated::RateLimitRequest> {
    let mut asked = Request::new(request([who()]));
    asked.set_timeout(Duration::from_millis(milliseconds));
    asked
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_that_does_not_wait_for_the_store_is_told_so_in_time() {
    let server = RedisServer::start();
    let daemon = Daemon::start(&policies(&server, "60s", "")).await;
    let mut client = RateLimitServiceClient::new(Raw::connect(daemon.address).await);
    client.should_rate_limit(within(60_000)).await.unwrap();
    server.hang();
    let refusal = client.should_rate_limit(within(20)).await.unwrap_err();
    assert_eq!(refusal.code(), GrpcCode::DeadlineExceeded);
    assert!(refusal.message().contains("[store] timeout"), "{refusal}");
}

/// Envoy waits for 20 ms unless it is told otherwise, and takes its call back then.
#[tokio::test(flavor = "multi_thread")]
async fn callers_with_less_patience_than_the_store_do_not_hide_that_it_is_away() {
    let server = RedisServer::start();
    let file = policies(
        &server,
        "100ms",
        "on_store_failure = 'local'\nlocal_share = '1/2'",
    );
    let daemon = Daemon::start(&file).await;
    let mut client = daemon.client().await;
    client.ask([who()]).await;
    server.hang();
    let answered = async {
        loop {
            if let Ok(answer) = client.0.should_rate_limit(within(20)).await {
                return answer.into_inner();
            }
        }
    };
    let answered = tokio::time::timeout(Duration::from_secs(30), answered).await;
    let metadata = answered.unwrap().dynamic_metadata.unwrap().fields;
    assert!(metadata.contains_key("degraded"), "{metadata:?}");
}
