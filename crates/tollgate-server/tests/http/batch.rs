//! `POST /v1/check/batch`.

use serde_json::{Value, json};

use crate::support::Daemon;

const POLICIES: &str = "
[[policy]]
name = 'user'
key = ['user']
limits = ['3/min fixed-window']
";

fn batch(all_or_nothing: bool, checks: &Value) -> String {
    json!({"all_or_nothing": all_or_nothing, "checks": checks}).to_string()
}

async fn remaining(daemon: &Daemon, user: &str) -> Value {
    let body = json!({"attributes": {"user": user}, "peek": true}).to_string();
    let json = daemon.post("/v1/check", &body).await.json();
    json["policies"][0]["limits"][0]["remaining"].clone()
}

#[tokio::test]
async fn all_or_nothing_spends_nothing_if_one_is_denied() {
    let daemon = Daemon::start(POLICIES).await;
    let checks = json!([
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "b"}, "cost": 4},
    ]);
    let answer = daemon.post("/v1/check/batch", &batch(true, &checks)).await;
    assert_eq!(answer.status, 200);
    let json = answer.json();
    assert_eq!(json["allowed"], false);
    assert_eq!(json["decisions"][0]["allowed"], true);
    assert_eq!(json["decisions"][0]["spent"], false);
    assert_eq!(json["decisions"][1]["reason"], "never_fits");
    assert_eq!(remaining(&daemon, "a").await, 3);
    assert_eq!(remaining(&daemon, "b").await, 3);
}

#[tokio::test]
async fn all_or_nothing_spends_all_if_none_is_denied() {
    let daemon = Daemon::start(POLICIES).await;
    let checks = json!([
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "b"}},
    ]);
    let json = daemon
        .post("/v1/check/batch", &batch(true, &checks))
        .await
        .json();
    assert_eq!(json["allowed"], true);
    assert_eq!(json["decisions"][0]["spent"], true);
    assert_eq!(remaining(&daemon, "a").await, 1);
    assert_eq!(remaining(&daemon, "b").await, 2);
}

#[tokio::test]
async fn what_one_batch_asks_of_one_count_adds_up() {
    let daemon = Daemon::start(POLICIES).await;
    let twice = json!([
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "a"}, "cost": 2},
    ]);
    let json = daemon
        .post("/v1/check/batch", &batch(true, &twice))
        .await
        .json();
    assert_eq!(json["allowed"], false);
    assert_eq!(remaining(&daemon, "a").await, 3);
}

#[tokio::test]
async fn each_by_itself_spends_what_is_allowed() {
    let daemon = Daemon::start(POLICIES).await;
    let checks = json!([
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "b"}, "peek": true},
    ]);
    let json = daemon
        .post("/v1/check/batch", &batch(false, &checks))
        .await
        .json();
    assert_eq!(json["allowed"], false);
    let allowed = |number: usize| json["decisions"][number]["allowed"].clone();
    assert_eq!([allowed(0), allowed(1), allowed(2)], [true, false, true]);
    assert_eq!(json["decisions"][2]["spent"], false);
    assert_eq!(remaining(&daemon, "a").await, 1);
    assert_eq!(remaining(&daemon, "b").await, 3);
}

#[tokio::test]
async fn batches_in_parallel_are_each_admitted_whole_or_not_at_all() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'user'\nkey = ['user']\nlimits = ['30/min fixed-window']\n",
    )
    .await;
    let checks = json!([
        {"attributes": {"user": "a"}, "cost": 2},
        {"attributes": {"user": "b"}, "cost": 1},
    ]);
    let body = batch(true, &checks);
    let asked = (0..40).map(|_| daemon.post("/v1/check/batch", &body));
    let answers = futures_util::future::join_all(asked).await;
    let admitted = answers
        .iter()
        .filter(|answer| answer.json()["allowed"] == true);
    assert_eq!(admitted.count(), 15);
    assert_eq!(remaining(&daemon, "a").await, 0);
    assert_eq!(remaining(&daemon, "b").await, 15);
}

#[tokio::test]
async fn a_batch_says_which_kind_it_is_and_has_a_bounded_size() {
    let daemon = Daemon::start(POLICIES).await;
    let ask = async |body: String| daemon.post("/v1/check/batch", &body).await.problem(400);
    let one = json!({"attributes": {"user": "a"}});
    let unsaid = ask(json!({"checks": [one]}).to_string()).await;
    assert!(unsaid.contains("`all_or_nothing` is missing"), "{unsaid}");
    let none = ask(batch(true, &json!([]))).await;
    assert!(none.contains("an array of 1 to 100 requests"), "{none}");
    let many = ask(batch(false, &json!(vec![one.clone(); 101]))).await;
    assert!(many.contains("an array of 1 to 100 requests"), "{many}");
    let peek = ask(batch(true, &json!([{"attributes": {}, "peek": true}]))).await;
    assert!(peek.contains("does not go with"), "{peek}");
    let query = daemon
        .post(
            "/v1/check/batch?status=decision",
            &batch(true, &json!([one])),
        )
        .await
        .problem(400);
    assert!(query.contains("no parameter `status`"), "{query}");
}
