//! The program itself with Redis: how it starts, and two of them on one.

use std::process::Command;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{Instant, timeout};
use tollgate_testkit::RedisServer;

use crate::support::program::{Program, taskflow};
use crate::support::{Client, PASSWORD, fresh_address, redis};

#[test]
fn a_wrong_redis_address_ends_the_program_without_its_password() {
    let variables = [("REDIS_URL", "redis://tom:s3cret"), ("APP_PORT", "0")];
    let output = taskflow(&variables).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.starts_with("taskflow: REDIS_URL is not "), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
}

#[tokio::test]
async fn it_starts_while_redis_is_down_and_logs_no_password() {
    // Port 1 of the loopback address: nobody listens there.
    let url = "redis://tom:s3cret@127.0.0.1:1";
    let mut program = Program::start_with(&[("REDIS_URL", url)]);
    let client = Client::new(program.api().to_owned());
    let health = client.get("/health").await.expect(200);
    let degraded = json!({"status": "degraded", "database": "ok", "redis": "unreachable", "limiter": "unreachable"});
    assert_eq!(health, degraded);
    let login = client.post("/auth/login", json!({})).await;
    login.expect_error(503, "unavailable");
    let (code, log) = program.terminate();
    assert_eq!(code, Some(0));
    assert!(log.contains("redis=redis://127.0.0.1:1"), "{log}");
    assert!(log.contains("cannot connect to redis"), "{log}");
    assert!(!log.contains("s3cret"), "{log}");
}

/// The answer if Redis has not said within a tenth of a second whether a request may go on, as happens
/// on a machine with other things to do.
const TOO_LATE: u16 = 503;
const TOO_LATE_TEXT: &str = "503";

const MINUTE: Duration = Duration::from_secs(60);

/// Each answer of 40 requests that count, from one address, to two programs in turn.
async fn statuses(programs: [&Program; 2], address: &str) -> Vec<u16> {
    let ask = |number: usize| {
        let client = Client::new(programs[number % 2].api().to_owned()).at_address(address);
        // Without a token it is refused, and costs no hash of a password.
        async move { client.post("/auth/logout", json!({})).await.status }
    };
    join_all((0..40).map(ask)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_programs_on_one_redis_allow_ten_requests_a_minute_in_total() {
    let server = RedisServer::start();
    let redis = redis::Client::connect(&server).await;
    let url = server.url();
    let variables = [
        ("REDIS_URL", url.as_str()),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ];
    let (first, second) = (
        Program::start_with(&variables),
        Program::start_with(&variables),
    );
    first.finds_redis().await;
    second.finds_redis().await;
    // Windows are minutes of the server's clock. What begins in one and ends in the next says
    // nothing, and neither does what the limiter was too late for, so another address asks then.
    let counting = async {
        loop {
            let minute = redis.minute().await;
            let counts = statuses([&first, &second], &fresh_address()).await;
            if redis.minute().await == minute && !counts.contains(&TOO_LATE) {
                return (minute, counts);
            }
        }
    };
    let counted = timeout(2 * MINUTE, counting).await;
    let (minute, mut counts) = counted.expect("counts in a minute, all in time");
    counts.sort_unstable();
    let expected = [vec![401; 10], vec![429; 30]].concat();
    assert_eq!(counts, expected, "in the minute {minute}");
    for key in redis.keys("").await {
        assert!(key.starts_with("ratelimit:"), "{key}");
        let seconds: i64 = redis.run(&format!("TTL {key}")).await;
        assert!((0..=120).contains(&seconds), "{key}: {seconds}");
    }
}

#[tokio::test]
async fn a_session_outlives_the_program_that_opened_it() {
    let server = RedisServer::start();
    let url = server.url();
    let mut program = Program::start_with(&[("REDIS_URL", &url)]);
    program.finds_redis().await;
    let client = Client::new(program.api().to_owned());
    let user = json!({"email": "ann@example.com", "password": PASSWORD, "name": "Ann"});
    client.post("/auth/register", user).await.expect(201);
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let session = client.post("/auth/login", login).await.expect(200);
    assert_eq!(program.terminate().0, Some(0));

    let again = program.start_again(&[("REDIS_URL", &url)]);
    again.finds_redis().await;
    let ann = Client::new(again.api().to_owned()).with_token(session["token"].as_str().unwrap());
    ann.get("/boards").await.expect(200);
}

/// What follows `mark` in the README, up to the end of the block.
fn block<'r>(readme: &'r str, mark: &str) -> (&'r str, &'r str) {
    let (_, rest) = readme.split_once(mark).unwrap();
    rest.split_once("```").unwrap()
}

/// The same with the seconds of a wait left out, which depend on when a minute begins.
fn without_waits(text: &str) -> Vec<&str> {
    let lines = text.lines();
    lines
        .map(|line| {
            if line.starts_with("429 ") {
                "429"
            } else {
                line.trim_end()
            }
        })
        .collect()
}

#[tokio::test]
async fn two_processes_do_what_the_readme_says() {
    let (script, rest) = block(include_str!("../../README.md"), "```bash\n");
    let (expected, _) = block(rest, "```text\n");
    let begun = Instant::now();
    let answers = loop {
        assert!(
            begun.elapsed() < 4 * MINUTE,
            "counts in a minute, all in time"
        );
        let server = RedisServer::start();
        let redis = redis::Client::connect(&server).await;
        let url = server.url();
        let first = Program::start_with(&[("REDIS_URL", &url)]);
        let second = first.start_again(&[("REDIS_URL", &url)]);
        first.finds_redis().await;
        second.finds_redis().await;
        let minute = redis.minute().await;
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", script]);
        shell.envs([("ONE", &first.api()), ("TWO", &second.api())]);
        let output = shell.output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let answers = String::from_utf8(output.stdout).unwrap();
        if errors.contains(TOO_LATE_TEXT) || answers.contains(TOO_LATE_TEXT) {
            continue;
        }
        assert!(output.status.success(), "{errors}");
        // The window that it began in has not ended.
        if redis.minute().await == minute {
            break answers;
        }
    };
    assert_eq!(without_waits(&answers), without_waits(expected));
    let waits = answers.lines().filter_map(|line| line.strip_prefix("429 "));
    for wait in waits {
        assert!((1..=60).contains(&wait.parse::<u64>().unwrap()), "{wait}");
    }
}
