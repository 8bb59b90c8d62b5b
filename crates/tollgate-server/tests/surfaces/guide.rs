//! docs/daemon/README.md, and the program of http.md, by what they show.

use std::process::Stdio;

use tokio::process::Command;

use crate::daemon::{Daemon, within};

const GUIDE: &str = include_str!("../../../../docs/daemon/README.md");

const TOOLS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/parts/buf");

/// Where the programs are that tests install.
pub(crate) fn path_of_tools() -> String {
    format!("{TOOLS}:{}", std::env::var("PATH").unwrap())
}

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let after = GUIDE.split(begin.as_str()).skip(1);
    after
        .map(|rest| rest.split("\n```").next().unwrap())
        .collect()
}

#[tokio::test]
async fn three_examples_in_three_protocols_use_up_one_limit() {
    let daemon = Daemon::start(blocks("toml").first().unwrap(), |_| {}).await;
    let ports = daemon.ports;
    let home = tempfile::tempdir().unwrap();
    let path = path_of_tools();
    let run = async |example: &str| {
        let example = example
            .replace("127.0.0.1:7070", &ports.http.to_string())
            .replace("127.0.0.1:7071", &ports.grpc.to_string())
            .replace("7072", &ports.redis.port().to_string());
        let running = Command::new("sh")
            .args(["-c", &example])
            .env("PATH", &path)
            .env("HOME", home.path())
            .stdin(Stdio::null())
            .output();
        let output = within(running).await.unwrap();
        assert!(
            output.status.success(),
            "run scripts/test, which installs the clients: {output:?}"
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let examples = blocks("sh");
    let answers = [
        r#"{"allowed":true,"#,
        r#""overallCode": "OK""#,
        "1\nlogin\n",
    ];
    let denials = [
        r#"{"allowed":false,"#,
        r#""overallCode": "OVER_LIMIT""#,
        "0\nlogin\n",
    ];
    assert_eq!(examples.len(), answers.len());
    for expected in [answers, denials] {
        for (example, expected) in examples.iter().zip(expected) {
            let told = run(example).await;
            // One space or two: who shows JSON chooses.
            let told = told.replace("\":  \"", "\": \"").replace("\":\"", "\": \"");
            assert!(told.contains(expected), "{expected} is not in {told}");
        }
    }
}

#[tokio::test]
async fn the_program_in_python_on_the_page_of_http_is_denied_the_third_time() {
    const PAGE: &str = include_str!("../../../../docs/daemon/http.md");
    let block = |language: &str| {
        let (_, rest) = PAGE.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("\n```").unwrap().0
    };
    // No window ends while it runs.
    let policies = block("toml").replace("2/min", "2/365d");
    let daemon = Daemon::start(&policies, |_| {}).await;
    let program = block("python")
        .replace("127.0.0.1:7070", &daemon.ports.http.to_string())
        .replace("timeout=1", "timeout=60");
    for expected in ["", "", "limit_exceeded come back in "] {
        let mut python = Command::new("python3");
        let output = within(python.args(["-c", &program]).output())
            .await
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.starts_with(expected), "{said}");
        assert_eq!(said.is_empty(), expected.is_empty(), "{said}");
    }
}
