//! What nobody sends by accident.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tollgate_resp::encode;

use crate::daemon::{Daemon, POLICIES};

#[tokio::test]
async fn what_is_not_the_protocol_is_told_and_ends_the_connection() {
    let daemon = Daemon::start().await;
    for (sent, told) in [
        (
            "*2000000000\r\n",
            "ERR Protocol error: invalid multibulk length",
        ),
        (
            "*1\r\n$2000000000\r\n",
            "ERR Protocol error: invalid bulk length",
        ),
        ("*1\r\n$-1\r\n", "ERR Protocol error: invalid bulk length"),
        ("*1\r\n+OK\r\n", "ERR Protocol error: expected '$', got '+'"),
        (
            "*1\r\n$1\r\nabc",
            "ERR Protocol error: expected CRLF after an argument",
        ),
        (
            "ECHO \"a\r\n",
            "ERR Protocol error: unbalanced quotes in request",
        ),
    ] {
        let mut client = daemon.connect().await;
        client.send(b"PING\r\n").await;
        client.send(sent.as_bytes()).await;
        assert_eq!(client.answer().await.shown(), "PONG");
        assert_eq!(client.answer().await.error(), told, "{sent:?}");
        assert_eq!(client.try_answer().await, None, "{sent:?}");
    }
    let mut client = daemon.connect().await;
    client.send(&[b'a'; 16 * 1_024 + 1]).await;
    assert_eq!(
        client.answer().await.error(),
        "ERR Protocol error: too big inline request"
    );
    assert_eq!(client.try_answer().await, None);
    assert_eq!(daemon.connect().await.ask("PING").await.shown(), "PONG");
}

#[tokio::test]
async fn a_request_of_http_is_not_taken_for_commands() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    client
        .send(b"POST / HTTP/1.1\r\nHost: tollgate\r\n\r\nCL.THROTTLE victim 0 1 3600\r\n")
        .await;
    assert_eq!(client.try_answer().await, None);
    let mut client = daemon.connect().await;
    client
        .send(b"GET / HTTP/1.1\r\nHost: t\r\n\r\nCL.THROTTLE victim 0 1 3600\r\n")
        .await;
    assert!(
        client
            .answer()
            .await
            .error()
            .starts_with("ERR unknown command 'GET'")
    );
    assert_eq!(client.try_answer().await, None);
    let mut client = daemon.connect().await;
    let victim = client.ask("CL.THROTTLE victim 0 1 3600").await;
    assert_eq!(victim.integers()[0], 0, "nothing was counted");
}

#[tokio::test]
async fn what_is_told_back_is_bounded_and_one_line() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let name = "\r\n+OK\r\n".repeat(1_000);
    client.send(&encode(&[&name, &name, &name])).await;
    let answer = client.answer().await;
    let told = answer.error();
    assert!(
        told.starts_with("ERR unknown command '  +OK") && told.len() < 400,
        "{told}"
    );
    client
        .send(&encode(&["CL.THROTTLE", "k", &name, "1", "1"]))
        .await;
    assert!(client.answer().await.error().len() < 200);
    client.send(&encode(&["CLIENT", &name])).await;
    assert!(client.answer().await.error().len() < 200);
    assert_eq!(client.ask("CLIENT SETNAME a\nb").await.error(), {
        "ERR Client names cannot contain spaces, newlines or special characters, and have at most \
         128 bytes."
    });
    assert_eq!(client.ask("PING").await.shown(), "PONG");
}

/// The only thread that serves goes on with others, and what the client sends is not read any
/// more: what is not written fits into what the system keeps for a connection.
#[tokio::test]
async fn a_client_that_never_reads_is_not_read_from_and_holds_nobody() {
    let daemon = Daemon::start().await;
    let mut deaf = TcpStream::connect(daemon.address).await.unwrap();
    let commands = encode(&["ECHO", &"x".repeat(16_000)]).repeat(64);
    let mut sent = 0_usize;
    // Until the daemon does not take more: 1 s is far longer than it would take to.
    while let Ok(written) =
        tokio::time::timeout(Duration::from_secs(1), deaf.write_all(&commands)).await
    {
        written.unwrap();
        sent += commands.len();
        assert!(sent < 256 << 20, "everything is taken");
    }
    let mut other = daemon.connect().await;
    assert_eq!(other.ask("PING").await.shown(), "PONG");
    // It has lost nothing when it reads at last.
    let mut answers = vec![0; 16_000 + 10];
    deaf.read_exact(&mut answers).await.unwrap();
    assert!(answers.starts_with(b"$16000\r\nxxx"));
}

#[tokio::test]
async fn who_is_idle_for_too_long_is_left_if_that_is_wished() {
    let daemon = Daemon::with(POLICIES, |settings| {
        // So long that it is not over before the client has asked.
        settings.idle_timeout = Duration::from_secs(2);
    })
    .await;
    let mut client = daemon.connect().await;
    assert_eq!(client.ask("PING").await.shown(), "PONG");
    assert_eq!(client.try_answer().await, None);
}

#[tokio::test]
async fn one_client_too_many_is_told_so() {
    let daemon = Daemon::with(POLICIES, |settings| settings.max_connections = 1).await;
    let mut first = daemon.connect().await;
    assert_eq!(first.ask("PING").await.shown(), "PONG");
    let mut second = daemon.connect().await;
    assert_eq!(
        second.answer().await.error(),
        "ERR max number of clients reached"
    );
    assert_eq!(second.try_answer().await, None);
}
