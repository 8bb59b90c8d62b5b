//! The program itself: how it starts, what it logs, how it ends.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use serde_json::json;

use crate::support::{Client, PASSWORD};

fn taskflow(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taskflow"));
    command.env_clear().envs(variables.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn a_wrong_setting_ends_the_program_with_1_and_one_line() {
    let output = taskflow(&[("APP_PORT", "x")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("taskflow: APP_PORT is \"x\""), "{text}");
}

#[test]
fn a_database_out_of_reach_ends_the_program_without_its_password() {
    // Port 1 of the loopback address: nobody listens there.
    let url = "postgres://tom:s3cret@127.0.0.1:1/tasks";
    let output = taskflow(&[("DATABASE_URL", url), ("APP_PORT", "0")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("postgres://***@127.0.0.1:1/tasks"), "{text}");
    assert!(
        text.contains("DATABASE_URL") && text.contains("refused"),
        "{text}"
    );
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn a_signal_ends_it_well_and_the_log_holds_no_secret() {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/test.db", dir.path().display());
    let variables = [
        ("DATABASE_URL", url.as_str()),
        ("APP_PORT", "0"),
        ("RUST_LOG", "debug"),
    ];
    let mut program = taskflow(&variables).spawn().unwrap();
    let mut log = BufReader::new(program.stderr.take().unwrap());
    let address = listening_address(&mut log);
    // Read on while it runs, so that the pipe never fills.
    let log = std::thread::spawn(move || {
        let mut text = String::new();
        log.read_to_string(&mut text).unwrap();
        text
    });

    let client = Client::new(format!("http://{address}"));
    let user = json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann"});
    client
        .post("/auth/register", user.clone())
        .await
        .expect(201);
    client
        .post("/auth/register", user.clone())
        .await
        .expect(409);
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let session = client.post("/auth/login", login).await.expect(200);
    let ann = client.with_token(session["token"].as_str().unwrap());
    ann.get("/boards?token=query").await.expect(200);
    ann.delete("/boards/1/members/ann@example.com")
        .await
        .expect(404);

    terminate(&program);
    assert_eq!(program.wait().unwrap().code(), Some(0));
    let log = log.join().unwrap();
    assert!(
        log.contains("/auth/login") && log.contains("/members/{email}"),
        "{log}"
    );
    for secret in ["ann@example.com", PASSWORD, ann.token(), "token=query"] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}

/// The address in the line that says where the program listens.
fn listening_address(log: &mut impl BufRead) -> String {
    let mut seen = String::new();
    loop {
        let start = seen.len();
        assert_ne!(
            log.read_line(&mut seen).unwrap(),
            0,
            "it ended without listening:\n{seen}"
        );
        let line = &seen[start..];
        if let Some((_, rest)) = line.split_once("listening address=") {
            return rest.split_whitespace().next().unwrap().to_owned();
        }
    }
}

fn terminate(program: &Child) {
    let pid = program.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
}
