//! What is said about what may be asked.

use serde_json::Value;

use crate::support::{Daemon, request};

const POLICY: &str = "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min']\n";

#[tokio::test]
async fn every_path_and_method_of_the_document_is_there() {
    let daemon = Daemon::start(POLICY).await;
    let answer = daemon.get("/openapi.json").await;
    assert_eq!(answer.field("content-type"), Some("application/json"));
    let document = answer.json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), 11);
    for (path, operations) in paths {
        for method in operations.as_object().unwrap().keys() {
            let method = method.to_ascii_uppercase();
            let status = daemon.ask(request(&method, path, &[], "")).await.status;
            assert!(status != 404 && status != 405, "{method} {path}: {status}");
        }
    }
}

#[tokio::test]
async fn an_answer_has_the_members_that_the_document_says() {
    let daemon = Daemon::start(POLICY).await;
    let document = daemon.get("/openapi.json").await.json();
    let body = r#"{"attributes": {"client.ip": "198.51.100.7"}}"#;
    let decision = daemon.post("/v1/check", body).await.json();
    let schema = |name: &str| document["components"]["schemas"][name].clone();
    same_members(&decision, &schema("Decision"));
    let policy = &decision["policies"][0];
    // What it lacks is told only if it lacks it.
    let mut with_key = schema("PolicyDecision");
    with_key["properties"]
        .as_object_mut()
        .unwrap()
        .remove("missing");
    same_members(policy, &with_key);
    same_members(&policy["limits"][0], &schema("Outcome"));
    let lacking = daemon
        .post("/v1/check", r#"{"attributes": {}}"#)
        .await
        .json();
    assert_eq!(lacking["policies"][0]["missing"], "client.ip");
    same_members(&lacking["policies"][0], &schema("PolicyDecision"));
}

#[track_caller]
fn same_members(value: &Value, schema: &Value) {
    let members = |object: &Value| {
        let mut names: Vec<_> = object.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(members(value), members(&schema["properties"]));
}
