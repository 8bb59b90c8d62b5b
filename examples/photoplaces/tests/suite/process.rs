//! The program itself: how it starts, what it logs, how it ends.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use examples_common::testing::{Program, run_readme};
use serde_json::json;
use tempfile::TempDir;

use crate::limits::given::{SHIPPED, replaced};
use crate::support::{Client, PASSWORD, POLICY_FILE};

/// The program, to be run with these variables and no others.
pub(crate) fn photoplaces(variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_photoplaces"));
    command.env_clear().env("TOLLGATE_FILE", POLICY_FILE);
    command.envs(variables.iter().copied());
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

/// The program, running over a database of its own, which goes with the directory.
fn start() -> (Program, TempDir) {
    start_by(POLICY_FILE)
}

fn start_by(policy_file: &str) -> (Program, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}/test.db", dir.path().display());
    let program = Program::start(photoplaces(&[
        ("DATABASE_URL", url.as_str()),
        ("APP_PORT", "0"),
        ("ADMIN_EMAIL", "root@example.com"),
        ("ADMIN_PASSWORD", "correct horse"),
        ("RUST_LOG", "debug"),
        ("TOLLGATE_FILE", policy_file),
    ]));
    (program, dir)
}

#[test]
fn a_wrong_setting_ends_the_program_with_1_and_one_line() {
    let output = photoplaces(&[("APP_ENV", "x")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("photoplaces: APP_ENV is \"x\""), "{text}");
}

#[test]
fn a_value_that_is_not_utf_8_ends_the_program_and_is_not_shown() {
    let variables = [
        "APP_ENV",
        "APP_HOST",
        "APP_PORT",
        "TOLLGATE_FILE",
        "DATABASE_URL",
        "REDIS_URL",
        "ADMIN_EMAIL",
        "ADMIN_PASSWORD",
        "RUST_LOG",
    ];
    for variable in variables {
        // One of these ends the program if it takes the value for none.
        let mut command = photoplaces(&[
            ("DATABASE_URL", "postgres://127.0.0.1:1/places"),
            ("RUST_LOG", "photoplaces=loud"),
        ]);
        command.env(variable, OsStr::from_bytes(b"s3cret\xff"));
        command.current_dir(env!("CARGO_TARGET_TMPDIR"));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!("photoplaces: {variable} is not UTF-8; set it to text in UTF-8\n"),
        );
    }
}

#[test]
fn a_database_out_of_reach_ends_the_program_without_its_password() {
    // Port 1 of the loopback address: nobody listens there.
    let url = "postgres://tom:s3cret@127.0.0.1:1/places";
    let output = photoplaces(&[("DATABASE_URL", url)]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("postgres://…@127.0.0.1:1/places"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn a_signal_ends_it_well_and_the_log_holds_no_secret() {
    let (mut program, _dir) = start();
    let client = Client::new(program.api().to_owned());
    let user = json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann"});
    client.post("/auth/register", user).await.expect(201);
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let session = client.post("/auth/login", login).await.expect(200);
    let ann = client.with_token(session["token"].as_str().unwrap());
    ann.get("/places?q=query").await.expect(200);
    ann.get("/bookings").await.expect(200);

    let (code, log) = program.terminate();
    assert_eq!(code, Some(0));
    assert!(
        log.contains("/auth/login") && log.contains("/bookings"),
        "{log}"
    );
    for secret in [
        "ann@example.com",
        PASSWORD,
        "correct horse",
        ann.token(),
        "q=query",
    ] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}

#[test]
fn the_walk_in_the_readme_works_as_written() {
    // So slow that no guess is given back, however long they take.
    let policies = tempfile::NamedTempFile::new().unwrap();
    fs::write(&policies, replaced(SHIPPED, "10/min", "10/d")).unwrap();
    let (mut program, _dir) = start_by(policies.path().to_str().unwrap());
    let answers = run_readme(include_str!("../../README.md"), program.api());
    assert!(answers.contains("\"name\": \"Old Bridge\""), "{answers}");
    let has = |start: &str| answers.lines().any(|line| line.starts_with(start));
    assert!(has("401 ") && has("429 0 "), "{answers}");
    assert!(has("tollgate_decisions_total{policy=\"auth\""), "{answers}");
    program.terminate();
}
