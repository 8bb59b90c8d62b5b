//! The program itself: how it starts, what it logs, how it ends.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use examples_common::testing::run_readme;
use serde_json::json;

use crate::support::program::{Program, taskflow};
use crate::support::{Client, PASSWORD};

#[test]
fn a_wrong_setting_ends_the_program_with_1_and_one_line() {
    let output = taskflow(&[("APP_PORT", "x")]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("taskflow: APP_PORT is \"x\""), "{text}");
}

#[test]
fn a_value_that_is_not_utf_8_ends_the_program_and_is_not_shown() {
    let variables = [
        "APP_HOST",
        "APP_PORT",
        "DATABASE_URL",
        "REDIS_URL",
        "TRUSTED_PROXIES",
        "CORS_ORIGINS",
        "RUST_LOG",
    ];
    for variable in variables {
        // One of these ends the program if it takes the value for none.
        let mut command = taskflow(&[
            ("DATABASE_URL", "postgres://127.0.0.1:1/tasks"),
            ("RUST_LOG", "taskflow=loud"),
        ]);
        command.env(variable, OsStr::from_bytes(b"s3cret\xff"));
        command.current_dir(env!("CARGO_TARGET_TMPDIR"));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            String::from_utf8(output.stderr).unwrap(),
            format!("taskflow: {variable} is not UTF-8; set it to text in UTF-8\n"),
        );
    }
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
    assert!(text.contains("postgres://…@127.0.0.1:1/tasks"), "{text}");
    assert!(
        text.contains("DATABASE_URL") && text.contains("refused"),
        "{text}"
    );
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn a_signal_ends_it_well_and_the_log_holds_no_secret() {
    let mut program = Program::start();
    let client = Client::new(program.api().to_owned());
    let user = json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann"});
    client
        .post("/auth/register", user.clone())
        .await
        .expect(201);
    client.post("/auth/register", user).await.expect(409);
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let session = client.post("/auth/login", login).await.expect(200);
    let ann = client.with_token(session["token"].as_str().unwrap());
    ann.get("/boards?token=query").await.expect(200);
    ann.delete("/boards/1/members/ann@example.com")
        .await
        .expect(404);

    let (code, log) = program.terminate();
    assert_eq!(code, Some(0));
    assert!(
        log.contains("/auth/login") && log.contains("/members/{email}"),
        "{log}"
    );
    for secret in ["ann@example.com", PASSWORD, ann.token(), "token=query"] {
        assert!(!log.contains(secret), "{secret} is in the log:\n{log}");
    }
}

#[test]
fn the_walk_in_the_readme_works_as_written() {
    let mut program = Program::start();
    let answers = run_readme(include_str!("../../README.md"), program.api());
    assert!(answers.contains("\"title\": \"Make tea\""), "{answers}");
    program.terminate();
}
