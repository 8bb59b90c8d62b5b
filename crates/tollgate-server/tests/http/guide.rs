//! docs/daemon/http.md, by what it shows.

use serde_json::Value;

use crate::support::{Daemon, request};

const GUIDE: &str = include_str!("../../../../docs/daemon/http.md");

/// The fenced blocks of a language.
fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    let after = GUIDE.split(begin.as_str()).skip(1);
    after
        .map(|rest| rest.split("\n```").next().unwrap())
        .collect()
}

/// The first line of a message, its fields, and its body.
fn message(block: &str) -> (&str, Vec<(&str, &str)>, &str) {
    let (head, body) = block
        .split_once("\n\n")
        .unwrap_or_else(|| (block.trim_end(), ""));
    let (first, fields) = head.split_once('\n').unwrap_or((head, ""));
    let fields = fields.lines().map(|line| line.split_once(": ").unwrap());
    (first, fields.collect(), body)
}

#[tokio::test]
async fn every_answer_is_that_of_the_policy_file_that_it_shows() {
    let policies = blocks("toml");
    let daemon = Daemon::with_token(policies[0]).await;
    let messages = blocks("http");
    assert_eq!(messages.len(), 12);
    for pair in messages.chunks(2) {
        let (first, fields, body) = message(pair[0]);
        let (method, path) = first.split_once(' ').unwrap();
        let answer = daemon.ask(request(method, path, &fields, body)).await;
        let (first, fields, body) = message(pair[1]);
        let expected = format!("HTTP/1.1 {}", answer.status);
        assert_eq!(first, expected, "{answer:?}");
        for (name, value) in fields {
            assert_eq!(answer.field(name), Some(value), "{name} of {first}");
        }
        if body.is_empty() {
            assert!(answer.body.is_empty());
        } else {
            let body: Value = serde_json::from_str(body).unwrap();
            assert_eq!(answer.json(), body);
        }
    }
}

#[test]
fn every_reason_is_named() {
    for reason in tollgate_policy::Reason::ALL {
        assert!(GUIDE.contains(&format!("`{reason}`")), "{reason}");
    }
}
