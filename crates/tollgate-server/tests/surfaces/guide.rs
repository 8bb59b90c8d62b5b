//! docs/daemon/README.md, by what it shows.

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
