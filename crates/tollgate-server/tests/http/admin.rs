//! What administrators ask.

use std::fs;

use serde_json::json;

use crate::support::{Daemon, TOKEN, request};

const POLICY: &str = "
[[policy]]
name = 'auth'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['1/min fixed-window']
";
const LOGIN: &str = r#"{"attributes": {"client.ip": "198.51.100.7", "path": "/auth/login"}}"#;
const ROUTES: [(&str, &str); 3] = [
    ("GET", "/v1/policies"),
    ("POST", "/v1/reload"),
    ("POST", "/v1/reset"),
];

#[tokio::test]
async fn without_a_token_nobody_is_an_administrator() {
    let daemon = Daemon::start(POLICY).await;
    for (method, path) in ROUTES {
        let detail = daemon.administer(method, path, "{}").await.problem(403);
        assert!(detail.contains("--admin-token-file"), "{detail}");
    }
}

#[tokio::test]
async fn only_the_token_is_the_token() {
    let daemon = Daemon::with_token(POLICY).await;
    let near = format!("Bearer {TOKEN}x");
    let basic = format!("Basic {TOKEN}");
    for (method, path) in ROUTES {
        for given in [
            &[][..],
            &[("authorization", near.as_str())],
            &[("authorization", &basic)],
        ] {
            let answer = daemon.ask(request(method, path, given, "{}")).await;
            let detail = answer.problem(401);
            assert!(!detail.contains(TOKEN));
            assert_eq!(
                answer.field("www-authenticate"),
                Some("Bearer realm=\"tollgate\"")
            );
        }
    }
    assert_eq!(
        daemon.administer("GET", "/v1/policies", "").await.status,
        200
    );
}

#[tokio::test]
async fn what_was_counted_for_a_key_is_forgotten() {
    let daemon = Daemon::with_token(POLICY).await;
    let allowed = async || daemon.post("/v1/check", LOGIN).await.json()["allowed"].clone();
    assert_eq!(allowed().await, true);
    assert_eq!(allowed().await, false);
    let other = r#"{"policy": "auth", "attributes": {"client.ip": "198.51.100.8"}}"#;
    let answer = daemon.administer("POST", "/v1/reset", other).await;
    assert_eq!(
        answer.json(),
        json!({"forgotten": 0, "why": "`auth` has nothing counted for this key"})
    );
    assert_eq!(allowed().await, false);
    let same = r#"{"policy": "auth", "attributes": {"client.ip": "::ffff:198.51.100.7"}}"#;
    let answer = daemon.administer("POST", "/v1/reset", same).await;
    assert_eq!(answer.json(), json!({"forgotten": 1}));
    assert_eq!(allowed().await, true);
    assert_eq!(allowed().await, false);
    let answer = daemon.administer("POST", "/v1/reset", LOGIN).await;
    assert_eq!(answer.json(), json!({"forgotten": 1}));
    assert_eq!(allowed().await, true);
}

#[tokio::test]
async fn a_reset_that_forgets_nothing_says_why() {
    let daemon = Daemon::with_token(&format!(
        "{POLICY}[[policy]]\nname = 'closed'\nmatch = {{ path = '/closed' }}\nblock = true\n"
    ))
    .await;
    for (attributes, expected) in [
        (r#"{"user": "8"}"#, "no policy matches"),
        (r#"{"client.ip": "198.51.100.7"}"#, "such as `path`"),
        (
            r#"{"path": "/auth/login"}"#,
            "`auth` is counted by client.ip, which was not given",
        ),
        (
            r#"{"path": "/auth/login", "client.ip": "198.51.100.7"}"#,
            "nothing counted for this key",
        ),
        (r#"{"path": "/closed"}"#, "count nothing"),
    ] {
        let body = format!(r#"{{"attributes": {attributes}}}"#);
        let answer = daemon.administer("POST", "/v1/reset", &body).await.json();
        assert_eq!(answer["forgotten"], 0);
        let why = answer["why"].as_str().unwrap();
        assert!(why.contains(expected), "{attributes}: {why}");
    }
}

#[tokio::test]
async fn a_reset_that_means_nothing_is_told() {
    let daemon = Daemon::with_token(POLICY).await;
    let ask = async |body: &str| daemon.administer("POST", "/v1/reset", body).await;
    let detail = ask(r#"{"policy": "auht", "attributes": {}}"#)
        .await
        .problem(404);
    assert!(detail.contains("did you mean `auth`?"), "{detail}");
    let detail = ask(r#"{"policy": "auth", "attributes": {}}"#)
        .await
        .problem(400);
    assert!(detail.contains("client.ip"), "{detail}");
    let detail = ask(r#"{"polcy": "auth", "attributes": {}}"#)
        .await
        .problem(400);
    assert!(detail.contains("did you mean `policy`?"), "{detail}");
}

#[tokio::test]
async fn what_is_in_force_is_told_without_secrets() {
    let daemon = Daemon::with_token(&format!(
        "[store]\nurl = 'redis://me:letmein@127.0.0.1:1/0'\nhash_secret = '0123456789abcdef0123456789abcdef'\n\
         {POLICY}tiers = [{{ when = {{ 'header.x-api-key' = 'opensesame' }}, limits = ['5/min'] }}]\n"
    ))
    .await;
    let answer = daemon.administer("GET", "/v1/policies", "").await;
    let json = answer.json();
    assert_eq!(json["generation"], 1);
    let policy = &json["policies"][0];
    assert_eq!(policy["name"], "auth");
    assert_eq!(
        policy["match"],
        json!([{"attribute": "path", "values": ["/auth/**"]}])
    );
    assert_eq!(policy["key"], json!(["client.ip"]));
    assert_eq!(policy["limits"], json!(["1/min fixed-window"]));
    assert!(
        json["store"]["url"]
            .as_str()
            .unwrap()
            .contains("127.0.0.1:1")
    );
    let text = String::from_utf8_lossy(&answer.body);
    for secret in ["letmein", "opensesame", "0123456789abcdef", TOKEN] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }
}

#[tokio::test]
async fn a_file_that_is_right_is_in_force_at_once_and_one_that_is_wrong_changes_nothing() {
    let daemon = Daemon::with_token(POLICY).await;
    assert_eq!(
        daemon.post("/v1/check", LOGIN).await.json()["allowed"],
        true
    );
    fs::write(&daemon.file, POLICY.replace("1/min", "2/min")).unwrap();
    let answer = daemon.administer("POST", "/v1/reload", "").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(
        answer.json(),
        json!({"generation": 2, "warnings": [], "not_applied": []})
    );
    // What was used stays used.
    assert_eq!(
        daemon.post("/v1/check", LOGIN).await.json()["allowed"],
        true
    );
    assert_eq!(
        daemon.post("/v1/check", LOGIN).await.json()["allowed"],
        false
    );

    fs::write(&daemon.file, POLICY.replace("limits", "limts")).unwrap();
    let answer = daemon.administer("POST", "/v1/reload", "").await;
    let detail = answer.problem(422);
    assert!(detail.contains("stays"), "{detail}");
    let errors = answer.json()["errors"].to_string();
    assert!(
        errors.contains("6:1: error: ") && errors.contains("limts"),
        "{errors}"
    );
    assert_eq!(answer.json().get("warnings"), None);
    let json = daemon.administer("GET", "/v1/policies", "").await.json();
    assert_eq!(json["generation"], 2);
    assert_eq!(json["policies"][0]["limits"], json!(["2/min fixed-window"]));
}

#[tokio::test]
async fn warnings_of_a_file_that_is_wrong_are_no_errors() {
    let daemon = Daemon::with_token(POLICY).await;
    let unwise = "[store]\nhash_secret = '0123456789abcdef'\n";
    let wrong = POLICY.replace("limits", "limts");
    fs::write(&daemon.file, format!("{unwise}{wrong}")).unwrap();
    let answer = daemon.administer("POST", "/v1/reload", "").await;
    answer.problem(422);
    let json = answer.json();
    let all = |name: &str, kind: &str| {
        let lines = json[name].as_array().unwrap();
        lines
            .iter()
            .all(|line| line.as_str().unwrap().contains(kind))
            && !lines.is_empty()
    };
    assert!(all("errors", ": error: "), "{json}");
    assert!(all("warnings", ": warning: "), "{json}");
}
