//! What clients ask on their own, and who may ask at all.

use tollgate_server::Password;

use crate::daemon::{Daemon, POLICIES};
use crate::wire::{Answer, Connection};

async fn asserts(client: &mut Connection, table: &[(&str, &str)]) {
    for (command, expected) in table {
        assert_eq!(client.ask(command).await.shown(), *expected, "{command}");
    }
}

#[tokio::test]
async fn commands_answer_as_those_of_redis_in_any_case() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    asserts(
        &mut client,
        &[
            ("PING", "PONG"),
            ("ping hello", "hello"),
            ("ECHO hello", "hello"),
            ("SELECT 0", "OK"),
            ("SELECT 1", "ERR DB index is out of range"),
            ("CLIENT ID", "1"),
            ("CLIENT GETNAME", "(nil)"),
            ("CLIENT SETNAME worker-7", "OK"),
            ("client getname", "worker-7"),
            ("CLIENT INFO", "id=1 name=worker-7 db=0 resp=2\n"),
            ("CLIENT SETINFO LIB-NAME redis-py", "OK"),
            ("CLIENT NO-EVICT ON", "OK"),
            ("CLIENT NO-TOUCH ON", "OK"),
            ("CONFIG GET save", ""),
            ("COMMAND COUNT", "19"),
            (
                "COMMAND INFO cl.throttle nothing",
                "cl.throttle -1 write denyoom fast 1 1 1     (nil)",
            ),
            (
                "PING a b",
                "ERR wrong number of arguments for 'ping' command",
            ),
            ("ECHO", "ERR wrong number of arguments for 'echo' command"),
            (
                "CLIENT SETNAME",
                "ERR wrong number of arguments for 'client|setname' command",
            ),
            (
                "GET a b",
                "ERR unknown command 'GET', with args beginning with: 'a' 'b' ",
            ),
            ("RESET", "RESET"),
            ("CLIENT GETNAME", "(nil)"),
        ],
    )
    .await;
    let docs = client.ask("COMMAND DOCS cl.throttle").await.shown();
    assert!(
        docs.starts_with("cl.throttle summary Counts a request"),
        "{docs}"
    );
    let info = client.ask("INFO").await.shown();
    assert!(
        info.contains("\r\nloading:0\r\n") && info.contains("\r\nrole:master\r\n"),
        "{info}"
    );
    let other = daemon.connect().await.ask("CLIENT ID").await;
    assert_eq!(other, Answer::Integer(2));
}

#[tokio::test]
async fn a_person_may_type_lines() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    client
        .send(b"PING\r\n\r\nECHO \"a b\"\ncl.throttle 'some one' 0 1 60\r\n")
        .await;
    assert_eq!(client.answer().await.shown(), "PONG");
    assert_eq!(client.answer().await.shown(), "a b");
    assert_eq!(client.answer().await.integers(), [0, 1, 0, -1, 60]);
}

#[tokio::test]
async fn hello_chooses_the_version_and_introduces() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let version = env!("CARGO_PKG_VERSION");
    let array = format!(
        "server tollgate version {version} proto 2 id 1 mode standalone role master modules "
    );
    let map = format!(
        "server=tollgate version={version} proto=3 id=1 mode=standalone role=master modules="
    );
    asserts(
        &mut client,
        &[
            ("HELLO", &array),
            ("HELLO 4", "NOPROTO unsupported protocol version"),
            (
                "HELLO x",
                "ERR Protocol version is not an integer or out of range",
            ),
            (
                "HELLO 3 SETNAM x",
                "ERR Syntax error in HELLO option 'setnam'",
            ),
            (
                "HELLO 3 SETNAME x AUTH default",
                "ERR Syntax error in HELLO option 'auth'",
            ),
            ("CLIENT GETNAME", "(nil)"),
            ("HELLO 3 SETNAME x AUTH default any", &map),
            ("CLIENT GETNAME", "x"),
        ],
    )
    .await;
    assert_eq!(client.ask("CONFIG GET save").await, Answer::Map(Vec::new()));
    assert_eq!(client.ask("HELLO 2").await.shown(), array);
    assert_eq!(
        client.ask("CONFIG GET save").await,
        Answer::Array(Vec::new())
    );
}

#[tokio::test]
async fn quit_is_answered_and_ends_the_connection() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    client.send(b"QUIT\r\nPING\r\n").await;
    assert_eq!(client.answer().await.shown(), "OK");
    assert_eq!(client.try_answer().await, None);
}

#[tokio::test]
async fn before_the_password_nothing_is_answered_but_how_to_give_it() {
    const NOAUTH: &str = "NOAUTH Authentication required.";
    const WRONG: &str = "WRONGPASS invalid username-password pair or user is disabled.";
    let daemon = Daemon::with(POLICIES, |settings| {
        settings.redis_password = Some(Password::new("correct").unwrap());
    })
    .await;
    let mut client = daemon.connect().await;
    asserts(
        &mut client,
        &[
            ("PING", NOAUTH),
            ("CL.THROTTLE k 1 1 1", NOAUTH),
            ("TG.CHECK path /", NOAUTH),
            ("COMMAND", NOAUTH),
            ("NOTHING", NOAUTH),
            ("AUTH wrong", WRONG),
            ("AUTH default wrong", WRONG),
            ("AUTH somebody correct", WRONG),
            ("AUTH a b c", "ERR syntax error"),
            ("HELLO 3 AUTH default wrong", WRONG),
            ("PING", NOAUTH),
            ("AUTH correct", "OK"),
            ("PING", "PONG"),
            ("RESET", "RESET"),
            ("PING", NOAUTH),
            ("AUTH default correct", "OK"),
            ("PING", "PONG"),
        ],
    )
    .await;
    let mut client = daemon.connect().await;
    let refused = client.ask("HELLO 3").await;
    assert!(refused.error().starts_with("NOAUTH HELLO must be called"));
    let accepted = client.ask("HELLO 3 AUTH default correct").await;
    assert!(matches!(accepted, Answer::Map(_)), "{accepted:?}");
    assert_eq!(client.ask("PING").await.shown(), "PONG");
}

#[tokio::test]
async fn a_password_where_there_is_none_is_told_of() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let answer = client.ask("AUTH any").await;
    assert!(
        answer
            .error()
            .starts_with("ERR AUTH <password> called without any password configured")
    );
    assert_eq!(client.ask("AUTH default any").await.shown(), "OK");
}
