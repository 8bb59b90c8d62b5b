//! With Redis behind it, and without it when it is away.

use tollgate_resp::encode;
use tollgate_testkit::RedisServer;

use crate::daemon::{Daemon, POLICIES};

fn on(url: &str, timeout: &str) -> String {
    format!("[store]\nurl = '{url}'\ntimeout = '{timeout}'\n{POLICIES}")
}

#[tokio::test]
async fn counts_in_redis_are_those_of_all_daemons() {
    let server = RedisServer::start();
    let one = Daemon::with(&on(&server.url(), "5s"), |_| {}).await;
    let other = Daemon::with(&on(&server.url(), "5s"), |_| {}).await;
    let (mut one, mut other) = (one.connect().await, other.connect().await);
    for (command, expected) in [
        ("CL.THROTTLE k 1 1 60", "0 2 1 -1 60"),
        (
            "TG.CHECK path /auth client.ip 198.51.100.7",
            "1 login allowed -1 1 2 60",
        ),
    ] {
        assert_eq!(one.ask(command).await.shown(), expected);
    }
    for (command, expected) in [
        ("CL.THROTTLE k 1 1 60 0", "0 2 1 -1 60"),
        ("CL.THROTTLE k 1 1 60", "0 2 0 -1 120"),
        ("CL.THROTTLE k 1 1 60", "1 2 0 60 120"),
        ("CL.THROTTLE k 1 1 60 9223372036854775807", "1 2 0 -1 120"),
        (
            "TG.CHECK path /auth client.ip 198.51.100.7",
            "1 login allowed -1 0 2 60",
        ),
        (
            "TG.PEEK path /auth client.ip 198.51.100.7",
            "0 login limit_exceeded 60 0 2 60",
        ),
        (
            "TG.CHECK path /auth client.ip 198.51.100.7",
            "0 login limit_exceeded 60 0 2 60",
        ),
    ] {
        assert_eq!(other.ask(command).await.shown(), expected, "{command}");
    }
}

#[tokio::test]
async fn a_pipeline_is_answered_in_its_order_whatever_has_to_be_waited_for() {
    let server = RedisServer::start();
    let daemon = Daemon::with(&on(&server.url(), "5s"), |_| {}).await;
    let mut client = daemon.connect().await;
    let mut sent = Vec::new();
    for number in 0..1_000 {
        sent.extend(encode(&["CL.THROTTLE", "k", "999", "1", "3600"]));
        sent.extend(encode(&["ECHO", &number.to_string()]));
        sent.extend(encode(&["HELLO", if number % 2 == 0 { "3" } else { "2" }]));
        sent.extend(encode(&[
            "TG.CHECK",
            "path",
            "/upload",
            "user",
            &format!("u{number}"),
        ]));
    }
    client.send(&sent).await;
    for number in 0..1_000 {
        assert_eq!(client.answer().await.integers()[2], 999 - number);
        assert_eq!(client.answer().await.shown(), number.to_string());
        client.answer().await;
        let shown = client.answer().await.shown();
        let expected = if number % 2 == 0 {
            "allowed=1 policy=upload reason=allowed retry_after=-1 remaining=99 limit=100 reset_after=1"
        } else {
            "1 upload allowed -1 99 100 1"
        };
        assert_eq!(shown, expected, "{number}");
    }
}

#[tokio::test]
async fn without_the_store_no_answer_of_cl_throttle_is_made_up() {
    // Nobody listens there.
    let daemon = Daemon::with(&on("redis://127.0.0.1:1", "100ms"), |_| {}).await;
    let mut client = daemon.connect().await;
    for _ in 0..3 {
        let answer = client.ask("CL.THROTTLE k 1 1 60").await;
        assert_eq!(
            answer.error(),
            "UNAVAILABLE the store has made no decision; it may or may not have counted the request"
        );
    }
    // Each policy says what happens then.
    let answer = client
        .ask("TG.CHECK path /auth client.ip 198.51.100.7")
        .await;
    assert_eq!(answer.shown(), "0 login store_failed_deny 5 -1 -1 -1");
    let answer = client
        .ask("TG.PEEK path /auth client.ip 198.51.100.7")
        .await;
    assert_eq!(answer.shown(), "0 login store_failed_deny 5 -1 -1 -1");
}

#[tokio::test]
async fn pipelines_wait_for_their_turn_rather_than_fail_each_other() {
    let server = RedisServer::start();
    let policies = on(&server.url(), "5s").replacen("timeout", "max_waiting = 8\ntimeout", 1);
    let daemon = Daemon::with(&policies, |_| {}).await;
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let mut client = daemon.connect().await;
        clients.spawn(async move {
            let throttle = encode(&["CL.THROTTLE", "k", "999", "1", "3600"]);
            client.send(&throttle.repeat(250)).await;
            for _ in 0..250 {
                assert_eq!(client.answer().await.integers()[0], 0);
            }
        });
    }
    clients.join_all().await;
    let mut client = daemon.connect().await;
    let last = client.ask("CL.THROTTLE k 999 1 3600").await;
    assert_eq!(last.integers()[0], 1);
}

#[tokio::test]
async fn of_many_clients_at_once_exactly_ten_are_admitted_by_redis() {
    let server = RedisServer::start();
    let daemon = Daemon::with(&on(&server.url(), "5s"), |settings| settings.workers = 2).await;
    let mut clients = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let mut client = daemon.connect().await;
        clients.spawn(async move {
            let throttle = encode(&["CL.THROTTLE", "shared", "9", "1", "3600"]);
            client.send(&throttle.repeat(4)).await;
            let mut admitted = 0;
            for _ in 0..4 {
                admitted += usize::from(client.answer().await.integers()[0] == 0);
            }
            admitted
        });
    }
    assert_eq!(clients.join_all().await.iter().sum::<usize>(), 10);
}
