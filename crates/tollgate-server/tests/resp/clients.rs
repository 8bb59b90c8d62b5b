//! Clients that others have written: as they come, with what they ask on their own.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;
use tollgate_server::Password;

use crate::daemon::{Daemon, POLICIES};

async fn daemon() -> Daemon {
    Daemon::with(POLICIES, |settings| {
        settings.redis_password = Some(Password::new("correct").unwrap());
    })
    .await
}

/// What a client prints; a test fails with what it says if it does not end well.
async fn said(command: &mut Command, input: &str) -> String {
    let command = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    let mut client = match command.spawn() {
        Ok(client) => client,
        Err(error) => panic!("{error}: run scripts/test, which installs the clients"),
    };
    let mut stdin = client.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).await.unwrap();
    drop(stdin);
    let output = client.wait_with_output().await.unwrap();
    let (out, err) = (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    );
    assert!(output.status.success(), "{out}{err}");
    out
}

/// What scripts/clients has installed.
fn installed(client: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients");
    let client = folder.join(client);
    assert!(
        client.exists(),
        "missing: {}; run scripts/clients",
        client.display()
    );
    client
}

fn program(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/resp/clients")
        .join(name)
}

const ASKED: &str = "\
PING
CL.THROTTLE cli 15 30 60
TG.CHECK path /auth/login client.ip 198.51.100.7
TG.CHECK path /elsewhere
GET a
";

async fn redis_cli(options: &[&str]) -> String {
    let daemon = daemon().await;
    let port = daemon.address.port().to_string();
    let mut command = Command::new("redis-cli");
    command.env("REDISCLI_AUTH", "correct").args(["-p", &port]);
    said(command.args(options), ASKED).await
}

#[tokio::test]
async fn redis_cli_shows_the_answers() {
    let expected = "PONG\n0\n16\n15\n-1\n2\n\
                    1\nlogin\nallowed\n-1\n1\n2\n60\n\
                    1\n\nno_policy\n-1\n-1\n-1\n-1\n\
                    ERR unknown command 'GET', with args beginning with: 'a' \n\n";
    assert_eq!(redis_cli(&[]).await, expected);
}

#[tokio::test]
async fn redis_cli_shows_maps_in_the_third_version() {
    let expected = "PONG\n0\n16\n15\n-1\n2\n\
                    allowed 1\npolicy login\nreason allowed\nretry_after -1\n\
                    remaining 1\nlimit 2\nreset_after 60\n\
                    allowed 1\npolicy \nreason no_policy\nretry_after -1\n\
                    remaining -1\nlimit -1\nreset_after -1\n\
                    ERR unknown command 'GET', with args beginning with: 'a' \n\n";
    assert_eq!(redis_cli(&["-3"]).await, expected);
}

#[tokio::test]
async fn redis_py_works_unchanged_in_both_versions() {
    let daemon = daemon().await;
    let mut command = Command::new("python3");
    command
        .env("PYTHONPATH", installed("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg(program("redis_py.py"))
        .arg(daemon.address.port().to_string());
    let both = |check: &str, again: &str| {
        format!(
            "True worker True\n[0, 16, 15, -1, 2]\n{check}\nTrue\nTrue {again}\n\
             unknown command 'GET', with args beginning with: 'a' \n"
        )
    };
    let expected = [
        both(
            "[1, 'upload', 'allowed', -1, 60, 100, 24]",
            "[1, 'upload', 'allowed', -1, 59, 100, 25]",
        ),
        both(
            "{'allowed': 1, 'policy': 'upload', 'reason': 'allowed', 'retry_after': -1, \
             'remaining': 60, 'limit': 100, 'reset_after': 24}",
            "{'allowed': 1, 'policy': 'upload', 'reason': 'allowed', 'retry_after': -1, \
             'remaining': 59, 'limit': 100, 'reset_after': 25}",
        ),
        "40 10\n".to_owned(),
    ];
    assert_eq!(said(&mut command, "").await, expected.concat());
}

#[tokio::test]
async fn the_program_in_python_on_the_page_prints_what_it_says() {
    const PAGE: &str = include_str!("../../../../docs/daemon/redis.md");
    let block = |language: &str| {
        let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let daemon = Daemon::with(block("toml"), |_| {}).await;
    let port = format!("port={}", daemon.address.port());
    let program = block("python").replace("port=7072", &port);
    assert!(program.contains(&port));
    let mut command = Command::new("python3");
    command
        .env("PYTHONPATH", installed("python"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .arg("-");
    // The third question about the login is one too many.
    assert_eq!(said(&mut command, &program).await, "[1, 1]\n");
    assert_eq!(said(&mut command, &program).await, "[1, 1]\n");
    assert_eq!(
        said(&mut command, &program).await,
        "limit_exceeded come back in 60 s\n[1, 1]\n"
    );
}

#[tokio::test]
async fn ioredis_works_unchanged() {
    let daemon = daemon().await;
    let mut command = Command::new("node");
    command
        .env("NODE_PATH", installed("node").join("node_modules"))
        .arg(program("io_redis.js"))
        .arg(daemon.address.port().to_string());
    let expected = "PONG worker\n\
                    [0,16,15,-1,2]\n\
                    [1,\"upload\",\"allowed\",-1,60,100,24]\n\
                    true\ntrue 100\n40 10\n\
                    ERR unknown command 'get', with args beginning with: 'a' \n\
                    OK\n";
    assert_eq!(said(&mut command, "").await, expected);
}
