//! What docs/daemon/redis.md shows is what a client gets.

use crate::daemon::Daemon;
use crate::wire::Answer;

const PAGE: &str = include_str!("../../../../docs/daemon/redis.md");

/// The blocks of a language, as they stand on the page.
fn blocks(language: &str) -> Vec<&'static str> {
    let opening = format!("```{language}\n");
    let after = PAGE.split(&opening).skip(1);
    after.filter_map(|rest| rest.split("```").next()).collect()
}

/// As `redis-cli` shows it to a person.
fn shown(answer: &Answer) -> String {
    match answer {
        Answer::Simple(text) => text.clone(),
        Answer::Error(text) => format!("(error) {text}"),
        Answer::Integer(number) => format!("(integer) {number}"),
        Answer::Bulk(text) | Answer::Text(text) => format!("\"{text}\""),
        Answer::Null => "(nil)".to_owned(),
        Answer::Array(parts) | Answer::Set(parts) => {
            let lines = parts.iter().enumerate();
            let lines = lines.map(|(at, part)| format!("{}) {}", at + 1, shown(part)));
            lines.collect::<Vec<_>>().join("\n")
        }
        Answer::Map(pairs) => {
            let lines = pairs.iter().enumerate();
            let lines = lines.map(|(at, (name, value))| {
                format!("{}# {} => {}", at + 1, shown(name), shown(value))
            });
            lines.collect::<Vec<_>>().join("\n")
        }
    }
}

#[tokio::test]
async fn the_page_shows_what_a_client_gets() {
    let policies = blocks("toml");
    let daemon = Daemon::with(policies.first().unwrap(), |_| {}).await;
    let mut client = daemon.connect().await;
    let mut commands = 0;
    for block in blocks("text") {
        for part in format!("\n{block}").split("\n> ").skip(1) {
            let (command, expected) = part.split_once('\n').unwrap();
            let answer = client.ask(command).await;
            commands += 1;
            // Of what tells the version, only the form is on the page.
            if command.starts_with("HELLO") {
                assert!(
                    matches!(&answer, Answer::Map(pairs) if pairs.len() == 7),
                    "{answer:?}"
                );
                continue;
            }
            assert_eq!(shown(&answer), expected.trim_end_matches('\n'), "{command}");
        }
    }
    assert_eq!(commands, 11, "all of the page is tried");
}
