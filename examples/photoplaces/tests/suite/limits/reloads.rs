//! The file changes while requests run.

use std::fs;

use futures_util::future::join_all;
use photoplaces::config::Environment;
use tollgate_testkit::RedisServer;

use super::given::{SHIPPED, admitted, behind_proxy, replaced, trusting};

/// The file with another limit for reading.
fn reading(limit: &str) -> String {
    replaced(&trusting(SHIPPED), "60/min", limit)
}

async fn a_reload_keeps_what_was_used(redis: Option<RedisServer>) {
    let setup = behind_proxy(Environment::Development, redis.as_ref()).await;
    let path = setup.config.policy_file.clone();
    fs::write(&path, reading("20/min")).unwrap();
    let (app, limits) = setup.start_limited().await;
    let client = app.client.at_address("198.51.100.7");

    // While these run, the limit changes; whatever the order, nobody gets more than the higher one.
    let requests = join_all((0..8).map(|_| admitted(&client, "/places", 10)));
    let change = async {
        assert_eq!(admitted(&client, "/health", 5).await, 5);
        fs::write(&path, reading("30/min")).unwrap();
        let limits = limits.clone();
        assert!(
            tokio::task::spawn_blocking(move || limits.engine().reload().is_ok())
                .await
                .unwrap()
        );
    };
    let (admitted_meanwhile, ()) = futures_util::future::join(requests, change).await;
    let meanwhile: usize = admitted_meanwhile.iter().sum();
    assert!((20..=30).contains(&meanwhile), "{meanwhile}");
    assert_eq!(admitted(&client, "/places", 40).await, 30 - meanwhile);

    // What cannot be used changes nothing, whoever comes.
    for broken in ["", "[[policy]]\nname = \"api_read\"\nkey = [\"cl"] {
        fs::write(&path, broken).unwrap();
        assert!(limits.engine().poll().is_none());
        assert!(limits.engine().poll().is_some_and(|found| found.is_err()));
        assert!(limits.engine().poll().is_none(), "it is told once");
        assert!(limits.engine().reload().is_err());
        assert_eq!(admitted(&client, "/places", 3).await, 0);
    }
    let other = app.client.at_address("198.51.100.8");
    assert_eq!(admitted(&other, "/places", 5).await, 5);

    // Less than what was used is nothing left, and no debt beyond the limit.
    fs::write(&path, reading("6/min")).unwrap();
    assert!(
        limits.engine().poll().is_none(),
        "it may still be written to"
    );
    assert!(limits.engine().poll().is_some_and(|found| found.is_ok()));
    assert!(limits.engine().poll().is_none(), "it is in force");
    assert_eq!(admitted(&other, "/places", 5).await, 1);
    assert_eq!(admitted(&client, "/places", 5).await, 0);
    let newcomer = app.client.at_address("198.51.100.9");
    assert_eq!(admitted(&newcomer, "/places", 10).await, 6);
}

// B125
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_keeps_what_was_used_in_memory() {
    a_reload_keeps_what_was_used(None).await;
}

// B125
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_keeps_what_was_used_in_redis() {
    a_reload_keeps_what_was_used(Some(RedisServer::start())).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_may_trust_a_proxy_and_say_other_things_in_responses() {
    let setup = behind_proxy(Environment::Development, None).await;
    let path = setup.config.policy_file.clone();
    fs::write(&path, SHIPPED).unwrap();
    let (app, limits) = setup.start_limited().await;
    let client = app.client.at_address("198.51.100.7");
    assert_eq!(admitted(&client, "/places", 61).await, 60);

    let text = replaced(&trusting(SHIPPED), "\"ietf\", \"x-ratelimit\"", "\"ietf\"");
    fs::write(&path, text).unwrap();
    assert!(limits.engine().reload().is_ok());
    let answer = client.get("/places").await;
    answer.expect(200);
    assert!(answer.headers.contains_key("ratelimit"));
    assert!(!answer.headers.contains_key("x-ratelimit-limit"));
}
