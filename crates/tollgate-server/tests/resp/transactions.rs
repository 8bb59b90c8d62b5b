//! `MULTI`, `EXEC` and `DISCARD`, as Redis answers them.

use tollgate_resp::encode;
use tollgate_server::Password;
use tollgate_testkit::RedisServer;

use crate::daemon::{Daemon, POLICIES};
use crate::wire::{Answer, Connection};

const ABORTED: &str = "EXECABORT Transaction discarded because of previous errors.";

async fn asserts(client: &mut Connection, table: &[(&str, &str)]) {
    for (command, expected) in table {
        assert_eq!(client.ask(command).await.shown(), *expected, "{command}");
    }
}

#[tokio::test]
async fn what_was_queued_is_run_by_exec_in_its_order_and_not_before() {
    let daemon = Daemon::start().await;
    let (mut client, mut other) = (daemon.connect().await, daemon.connect().await);
    let check = "TG.CHECK path /auth client.ip 198.51.100.7";
    asserts(
        &mut client,
        &[
            ("multi", "OK"),
            (check, "QUEUED"),
            (check, "QUEUED"),
            ("CL.THROTTLE k a b c", "QUEUED"),
            ("ECHO ab", "QUEUED"),
        ],
    )
    .await;
    let peek = "TG.PEEK path /auth client.ip 198.51.100.7";
    assert_eq!(
        other.ask(peek).await.shown(),
        "1 login allowed -1 2 2 0",
        "nothing is counted yet"
    );
    let Answer::Array(answers) = client.ask("exec").await else {
        panic!("no array");
    };
    let shown: Vec<String> = answers.iter().map(Answer::shown).collect();
    assert_eq!(shown[0], "1 login allowed -1 1 2 60");
    assert_eq!(shown[1], "1 login allowed -1 0 2 60");
    // Its arguments are wrong, which only running it shows: the others are run, as by Redis.
    assert!(answers[2].error().starts_with("Cell error"), "{shown:?}");
    assert_eq!(shown[3..], ["ab"]);
    asserts(
        &mut client,
        &[("PING", "PONG"), ("MULTI", "OK"), ("EXEC", "")],
    )
    .await;
}

#[tokio::test]
async fn a_mistake_while_queuing_has_nothing_run() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for (mistake, told) in [
        (
            "GET a",
            "ERR unknown command 'GET', with args beginning with: 'a' ",
        ),
        ("ECHO", "ERR wrong number of arguments for 'echo' command"),
        (
            "EXEC now",
            "ERR wrong number of arguments for 'exec' command",
        ),
    ] {
        asserts(
            &mut client,
            &[
                ("MULTI", "OK"),
                ("CL.THROTTLE k 1 1 60", "QUEUED"),
                (mistake, told),
                ("CL.THROTTLE k 1 1 60", "QUEUED"),
                ("EXEC", ABORTED),
                ("CL.THROTTLE k 1 1 60 0", "0 2 2 -1 0"),
            ],
        )
        .await;
    }
}

#[tokio::test]
async fn it_ends_by_discard_by_reset_and_with_the_connection() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    asserts(
        &mut client,
        &[
            ("EXEC", "ERR EXEC without MULTI"),
            ("DISCARD", "ERR DISCARD without MULTI"),
            ("MULTI", "OK"),
            ("MULTI", "ERR MULTI calls can not be nested"),
            ("CL.THROTTLE k 1 1 60", "QUEUED"),
            ("DISCARD", "OK"),
            ("EXEC", "ERR EXEC without MULTI"),
            ("MULTI", "OK"),
            ("CL.THROTTLE k 1 1 60", "QUEUED"),
            ("RESET", "RESET"),
            ("EXEC", "ERR EXEC without MULTI"),
            ("MULTI", "OK"),
            ("CL.THROTTLE k 1 1 60", "QUEUED"),
            ("QUIT", "OK"),
        ],
    )
    .await;
    assert_eq!(client.try_answer().await, None);
    let mut client = daemon.connect().await;
    asserts(&mut client, &[("CL.THROTTLE k 1 1 60 0", "0 2 2 -1 0")]).await;
}

#[tokio::test]
async fn it_has_a_bound_in_commands_and_in_bytes_which_names_the_remedy() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let long = "x".repeat(16_000);
    for (command, most) in [
        (encode(&["CL.THROTTLE", "k", "1", "1", "60"]), 1_024),
        (encode(&["ECHO", &long]), 8),
    ] {
        client.send(&encode(&["MULTI"])).await;
        client.send(&command.repeat(most + 2)).await;
        assert_eq!(client.answer().await.shown(), "OK");
        for _ in 0..most {
            assert_eq!(client.answer().await.shown(), "QUEUED");
        }
        let told = client.answer().await;
        assert!(told.error().contains("transaction=False"), "{told:?}");
        assert_eq!(client.answer().await.shown(), "QUEUED");
        assert_eq!(client.ask("EXEC").await.error(), ABORTED);
    }
    asserts(&mut client, &[("CL.THROTTLE k 1 1 60 0", "0 2 2 -1 0")]).await;
}

#[tokio::test]
async fn lines_of_text_are_queued_as_what_they_say() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let line = format!("ping{}\r\n", " 'a'".repeat(1_000));
    client
        .send(format!("multi\r\n{line}exec\r\n").as_bytes())
        .await;
    assert_eq!(client.answer().await.shown(), "OK");
    assert_eq!(client.answer().await.shown(), "QUEUED");
    assert_eq!(
        client.answer().await.shown(),
        "ERR wrong number of arguments for 'ping' command"
    );
}

#[tokio::test]
async fn before_the_password_nothing_is_queued() {
    let daemon = Daemon::with(POLICIES, |settings| {
        settings.redis_password = Some(Password::new("correct").unwrap());
    })
    .await;
    let mut client = daemon.connect().await;
    asserts(
        &mut client,
        &[
            ("MULTI", "NOAUTH Authentication required."),
            ("AUTH correct", "OK"),
            ("MULTI", "OK"),
            ("PING", "QUEUED"),
            ("EXEC", "PONG"),
        ],
    )
    .await;
}

#[tokio::test]
async fn with_redis_behind_it_each_answer_is_in_its_place() {
    let server = RedisServer::start();
    let policies = format!(
        "[store]\nurl = '{}'\ntimeout = '5s'\n{POLICIES}",
        server.url()
    );
    let daemon = Daemon::with(&policies, |_| {}).await;
    let mut client = daemon.connect().await;
    let mut sent = encode(&["MULTI"]);
    for number in 0..500 {
        sent.extend(encode(&["CL.THROTTLE", "k", "999", "1", "3600"]));
        sent.extend(encode(&["ECHO", &number.to_string()]));
    }
    sent.extend(encode(&["EXEC"]));
    client.send(&sent).await;
    for _ in 0..=1_000 {
        client.answer().await;
    }
    let Answer::Array(answers) = client.answer().await else {
        panic!("no array");
    };
    assert_eq!(answers.len(), 1_000);
    for (number, pair) in (0..500).zip(answers.chunks(2)) {
        assert_eq!(pair[0].integers()[2], 999 - number);
        assert_eq!(pair[1].shown(), number.to_string());
    }
}
