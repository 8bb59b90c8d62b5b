//! What docs/daemon/grpc.md shows is so.

use std::fs;

use serde_json::Value;
use tollgate_policy::file::PolicyFile;

use crate::buf;
use crate::support::Daemon;

const GUIDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/daemon/grpc.md");

/// What stands between the first occurrence of two texts.
fn between<'g>(guide: &'g str, begin: &str, end: &str) -> &'g str {
    let (_, rest) = guide.split_once(begin).unwrap();
    rest.split_once(end).unwrap().0
}

#[tokio::test]
async fn the_guides_policies_are_right_and_answer_its_call() {
    let guide = fs::read_to_string(GUIDE).unwrap();
    let policies = between(&guide, "```toml\n", "```");
    match PolicyFile::parse("guide.toml", policies, &|_: &str| None) {
        Ok(file) => assert!(file.warnings.is_empty(), "{}", file.warnings),
        Err(found) => panic!("{found}"),
    }
    let asked: Value = serde_json::from_str(between(&guide, "--data '", "' \\")).unwrap();
    let method = between(&guide, "http://127.0.0.1:7071/", "\n");
    let daemon = Daemon::start(policies).await;
    let answer = buf::call(&daemon, "grpc-v1", method, &asked).await;
    let status = &answer["statuses"][0];
    assert_eq!(status["currentLimit"]["name"], "all", "{answer}");
    assert_eq!(status["limitRemaining"], 19);
}
