//! The program with its limits: how it starts, what it shows, how it is told to read its file.

use std::fs;
use std::path::Path;
use std::time::Duration;

use examples_common::testing::Program;
use tempfile::TempDir;
use tollgate_testkit::RedisServer;

use super::given::{SHIPPED, admitted, replaced};
use crate::process::photoplaces;
use crate::support::{Answer, Client};

/// A program over a directory of its own, with a policy file in it.
struct Running {
    program: Program,
    client: Client,
    dir: TempDir,
}

impl Running {
    fn start(text: &str, variables: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("tollgate.toml"), text).unwrap();
        let mut command = photoplaces(variables);
        command.env("APP_PORT", "0");
        command.env("TOLLGATE_FILE", dir.path().join("tollgate.toml"));
        let url = format!("sqlite://{}/test.db", dir.path().display());
        let program = Program::start({
            command.env("DATABASE_URL", url);
            command
        });
        Self {
            client: Client::new(program.api().to_owned()),
            program,
            dir,
        }
    }

    fn write(&self, text: &str) {
        // In one step, as editors do.
        let new = self.dir.path().join("new.toml");
        fs::write(&new, text).unwrap();
        fs::rename(new, self.dir.path().join("tollgate.toml")).unwrap();
    }

    async fn metrics(&self) -> String {
        let answer = Answer::read(self.client.request(reqwest::Method::GET, "/metrics")).await;
        assert_eq!(answer.status, 200);
        assert_eq!(
            answer.headers["content-type"],
            "text/plain; version=0.0.4; charset=utf-8"
        );
        answer.body
    }

    /// Waits until the program shows a line among its metrics.
    async fn shows(&self, line: &str) {
        let waiting = async {
            while !self.metrics().await.lines().any(|shown| shown == line) {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let patience = Duration::from_secs(30);
        if tokio::time::timeout(patience, waiting).await.is_err() {
            panic!("never shown: {line}\n{}", self.metrics().await);
        }
    }
}

#[tokio::test]
async fn its_metrics_tell_decisions_outages_and_reloads() {
    let redis = RedisServer::start();
    // A minute is too short for a test that must not see it end.
    let text = replaced(SHIPPED, "60/min", "60/d");
    let text = replaced(&text, "\"100ms\"", "\"2s\"");
    let variables = [("APP_ENV", "production"), ("REDIS_URL", &redis.url())];
    let running = Running::start(&text, &variables);
    assert_eq!(admitted(&running.client, "/places", 61).await, 60);
    for line in [
        "tollgate_decisions_total{policy=\"api_read\",mode=\"enforce\",outcome=\"allow\",reason=\"allowed\"} 60",
        "tollgate_decisions_total{policy=\"api_read\",mode=\"enforce\",outcome=\"deny\",reason=\"limit_exceeded\"} 1",
        "tollgate_near_limit_total{policy=\"api_read\"} 7",
        "tollgate_store_breaker_open{store=\"redis\"} 0",
        "tollgate_denial_cache_entries{store=\"redis\"} 1",
        "tollgate_memory_keys{store=\"local\"} 0",
        "tollgate_policy_generation 1",
        "tollgate_policy_last_reload_ok 1",
    ] {
        running.shows(line).await;
    }
    assert!(
        running
            .metrics()
            .await
            .contains("tollgate_store_seconds_bucket{le=\"0.1\"}")
    );

    redis.hang();
    let answer = running.client.get("/tags?limit=1").await;
    // It may be denied from memory; whoever is asked for hangs.
    assert!([429, 503].contains(&answer.status), "{answer:?}");
    let answer = running.client.post("/places", serde_json::json!({})).await;
    answer.expect_error(503, "unavailable");
    for line in [
        "tollgate_store_breaker_open{store=\"redis\"} 1",
        "tollgate_store_outages_total{store=\"redis\"} 1",
        "tollgate_store_failures_total{store=\"redis\",kind=\"timeout\"} 1",
        "tollgate_decisions_total{policy=\"api_write\",mode=\"enforce\",outcome=\"deny\",reason=\"store_failed_deny\"} 1",
    ] {
        running.shows(line).await;
    }
    redis.resume();
    running
        .shows("tollgate_store_breaker_open{store=\"redis\"} 0")
        .await;
    assert_documented(&running.metrics().await);
}

/// The guide tells of every metric that is shown, and alerts look at no others.
#[track_caller]
fn assert_documented(metrics: &str) {
    let guide = include_str!("../../../../../docs/metrics.md");
    let is_known = |name: &str| guide.contains(&format!("| `{name}` |"));
    let shown = metrics
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "));
    let shown: Vec<_> = shown
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !is_known(name))
        .collect();
    assert!(shown.is_empty(), "not in docs/metrics.md: {shown:?}");
    let alerts = include_str!("../../../../../docs/alerts.yml");
    let checklist = include_str!("../../../../../docs/production.md");
    for text in [alerts, checklist] {
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        let names = text.split(|c| !is_name(c));
        for name in names.filter(|word| word.starts_with("tollgate_")) {
            let name = name.strip_suffix("_bucket").unwrap_or(name);
            assert!(is_known(name), "{name} is not in docs/metrics.md");
        }
    }
}

#[tokio::test]
async fn what_development_counts_by_itself_is_shown() {
    // Nobody listens there.
    let variables = [("REDIS_URL", "redis://127.0.0.1:1")];
    let running = Running::start(&replaced(SHIPPED, "60/min", "2/d"), &variables);
    assert_eq!(admitted(&running.client, "/places", 3).await, 2);
    for line in [
        "tollgate_memory_keys{store=\"local\"} 1",
        "tollgate_decisions_total{policy=\"api_read\",mode=\"enforce\",outcome=\"allow\",reason=\"store_failed_local_allow\"} 2",
        "tollgate_decisions_total{policy=\"api_read\",mode=\"enforce\",outcome=\"deny\",reason=\"store_failed_local_deny\"} 1",
    ] {
        running.shows(line).await;
    }
}

#[tokio::test]
async fn it_reads_its_file_when_that_changes_and_when_it_is_told_to() {
    let mut running = Running::start(&replaced(SHIPPED, "60/min", "5/d"), &[]);
    assert_eq!(admitted(&running.client, "/places", 6).await, 5);
    running.write("");
    running
        .shows("tollgate_policy_reloads_total{outcome=\"error\"} 1")
        .await;
    running.shows("tollgate_policy_last_reload_ok 0").await;
    assert_eq!(admitted(&running.client, "/places", 3).await, 0);

    let more = replaced(SHIPPED, "60/min", "8/d");
    running.write(&replaced(
        &more,
        "${REDIS_URL:-memory:}",
        "redis://:s3cret@127.0.0.1:1",
    ));
    running.shows("tollgate_policy_generation 2").await;
    assert_eq!(admitted(&running.client, "/places", 6).await, 3);

    running.program.signal("HUP");
    running.shows("tollgate_policy_generation 3").await;
    running
        .shows("tollgate_policy_reloads_total{outcome=\"ok\"} 2")
        .await;
    assert_eq!(admitted(&running.client, "/places", 3).await, 0);

    let (code, log) = running.program.terminate();
    assert_eq!(code, Some(0));
    let told = |text: &str| log.lines().filter(|line| line.contains(text)).count();
    assert_eq!(told("the policy file cannot be used"), 1, "{log}");
    assert_eq!(told("the policy file was read again"), 2, "{log}");
    assert_eq!(told("that takes a restart"), 2, "{log}");
    assert!(!log.contains("s3cret"), "{log}");
}

/// What a program says that does not start.
fn refusal(variables: &[(&str, &str)]) -> String {
    let dir = tempfile::tempdir().unwrap();
    let mut command = photoplaces(variables);
    command.env("DATABASE_URL", "postgres://127.0.0.1:1/places");
    let output = command.current_dir(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn production_without_redis_ends_at_once_and_says_what_to_set() {
    let said = refusal(&[("APP_ENV", "production")]);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(
        said.starts_with("photoplaces: REDIS_URL is not set, and production counts there by "),
        "{said}"
    );
    assert!(said.contains("write `url = \"memory:\"`"), "{said}");
}

#[test]
fn without_its_file_it_ends_at_once_and_says_which() {
    let said = refusal(&[("TOLLGATE_FILE", "nowhere.toml")]);
    assert!(
        said.contains("nowhere.toml") && said.contains("there is no such file"),
        "{said}"
    );
}

#[test]
fn with_a_file_that_is_wrong_it_ends_at_once_and_says_where() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tollgate.toml");
    fs::write(&path, replaced(SHIPPED, "60/min", "60/minn")).unwrap();
    let said = refusal(&[("TOLLGATE_FILE", path.to_str().unwrap())]);
    let line = 1 + SHIPPED
        .lines()
        .position(|line| line.contains("60/min"))
        .unwrap();
    let place = format!("{}:{line}:", Path::new(&path).display());
    assert!(said.contains(&place), "{said}");
}
