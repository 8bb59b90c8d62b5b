//! `POST /v1/check`.

use serde_json::json;
use tollgate::Micros;

use crate::support::Daemon;

const AUTH: &str = "
[[policy]]
name = 'auth'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['2/min fixed-window']
";

const LOGIN: &str = r#"{"attributes": {"client.ip": "198.51.100.7", "path": "/auth/login"}}"#;

#[tokio::test]
async fn a_request_within_the_limits_is_allowed_and_told_what_is_left() {
    let daemon = Daemon::start(AUTH).await;
    let answer = daemon.post("/v1/check", LOGIN).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.field("content-type"), Some("application/json"));
    assert_eq!(answer.field("ratelimit"), Some(r#""auth";r=1;t=60"#));
    assert_eq!(answer.field("ratelimit-policy"), Some(r#""auth";q=2;w=60"#));
    assert_eq!(answer.field("x-ratelimit-remaining"), Some("1"));
    assert_eq!(
        answer.json(),
        json!({
            "allowed": true, "spent": true, "decided_by": "auth", "reason": "allowed",
            "retry_after": null,
            "policies": [{
                "name": "auth", "mode": "enforce", "allowed": true, "reason": "allowed",
                "key": "client.ip=198.51.100.7", "cost": 1,
                "limits": [{
                    "outcome": "allow", "limit": 2, "remaining": 1, "reset_after": 60,
                    "retry_after": null,
                }],
            }],
        })
    );
}

#[tokio::test]
async fn a_denial_is_200_and_says_after_how_many_seconds_to_ask_again() {
    let daemon = Daemon::start(AUTH).await;
    daemon.post("/v1/check", LOGIN).await;
    daemon.post("/v1/check", LOGIN).await;
    daemon.clock.advance(Micros::from_millis(18_500));
    let answer = daemon.post("/v1/check", LOGIN).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.field("retry-after"), Some("42"));
    let json = answer.json();
    assert_eq!(json["allowed"], false);
    assert_eq!(json["spent"], false);
    assert_eq!(json["decided_by"], "auth");
    assert_eq!(json["reason"], "limit_exceeded");
    assert_eq!(json["retry_after"], 41.5);
    assert_eq!(json["policies"][0]["limits"][0]["outcome"], "deny");
    assert_eq!(json["policies"][0]["limits"][0]["retry_after"], 41.5);

    daemon.clock.advance(Micros::new(41_499_999));
    assert_eq!(
        daemon.post("/v1/check", LOGIN).await.json()["allowed"],
        false
    );
    daemon.clock.advance(Micros::new(1));
    assert_eq!(
        daemon.post("/v1/check", LOGIN).await.json()["allowed"],
        true
    );
}

#[tokio::test]
async fn the_status_is_that_of_the_decision_if_asked_for() {
    let daemon = Daemon::start(
        "
[[policy]]
name = 'few'
match = { path = '/few' }
key = ['user']
limits = ['1/min']

[[policy]]
name = 'closed'
match = { path = '/closed' }
block = true
",
    )
    .await;
    let status = async |attributes: &str| {
        let body = format!(r#"{{"attributes": {attributes}}}"#);
        let answer = daemon.post("/v1/check?status=decision", &body).await;
        assert_eq!(answer.field("content-type"), Some("application/json"));
        answer.status.as_u16()
    };
    assert_eq!(status(r#"{"path": "/few", "user": "7"}"#).await, 200);
    assert_eq!(status(r#"{"path": "/few", "user": "7"}"#).await, 429);
    assert_eq!(status(r#"{"path": "/few"}"#).await, 400);
    assert_eq!(status(r#"{"path": "/closed"}"#).await, 403);
    assert_eq!(status(r#"{"path": "/free"}"#).await, 200);
}

#[tokio::test]
async fn a_cost_is_taken_at_once_and_one_that_never_fits_has_no_retry_after() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'tokens'\nkey = ['user']\nlimits = ['10/min fixed-window']\n",
    )
    .await;
    let check = async |cost: u64| {
        let body = format!(r#"{{"cost": {cost}, "attributes": {{"user": "7"}}}}"#);
        daemon.post("/v1/check", &body).await
    };
    assert_eq!(
        check(7).await.json()["policies"][0]["limits"][0]["remaining"],
        3
    );
    assert_eq!(check(4).await.json()["reason"], "limit_exceeded");
    let never = check(11).await;
    assert_eq!(never.json()["reason"], "never_fits");
    assert_eq!(never.json()["retry_after"], json!(null));
    assert_eq!(never.json()["policies"][0]["limits"][0]["outcome"], "never");
    assert_eq!(never.field("retry-after"), None);
    assert_eq!(check(0).await.json()["policies"][0]["cost"], 0);
    let whole = r#"{"cost": 3.0, "attributes": {"user": "7"}}"#;
    assert_eq!(
        daemon.post("/v1/check", whole).await.json()["allowed"],
        true
    );
}

#[tokio::test]
async fn a_peek_says_what_would_be_and_spends_nothing() {
    let daemon = Daemon::start(AUTH).await;
    let peek = LOGIN.replacen('{', r#"{"peek": true, "#, 1);
    for _ in 0..3 {
        let json = daemon.post("/v1/check", &peek).await.json();
        assert_eq!(json["allowed"], true);
        assert_eq!(json["spent"], false);
        assert_eq!(json["policies"][0]["limits"][0]["remaining"], 2);
    }
    for _ in 0..2 {
        daemon.post("/v1/check", LOGIN).await;
    }
    let json = daemon.post("/v1/check", &peek).await.json();
    assert_eq!(json["allowed"], false);
    assert_eq!(json["retry_after"], 60);
}

#[tokio::test]
async fn spellings_of_a_path_and_of_an_address_are_one() {
    let daemon = Daemon::start(AUTH).await;
    let remaining = async |ip: &str, path: &str| {
        let body = format!(r#"{{"attributes": {{"client.ip": "{ip}", "path": "{path}"}}}}"#);
        let json = daemon.post("/v1/check", &body).await.json();
        json["policies"][0]["limits"][0]["remaining"].clone()
    };
    assert_eq!(remaining("198.51.100.7", "/auth/login").await, 1);
    assert_eq!(
        remaining("::ffff:198.51.100.7", "/x/../auth/login").await,
        0
    );
    assert_eq!(remaining("2001:db8::1", "//auth//login?a").await, 1);
    assert_eq!(remaining("2001:db8::2", "/%61uth/login").await, 0);
}

#[tokio::test]
async fn parameters_are_read_from_the_query_of_the_path() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'q'\nmatch = { path = '/q', 'query.page' = '2' }\nkey = ['query.user']\n\
         limits = ['9/min fixed-window']\n",
    )
    .await;
    let key = async |attributes: &str| {
        let body = format!(r#"{{"attributes": {attributes}}}"#);
        let json = daemon.post("/v1/check", &body).await.json();
        json["policies"][0]["key"].as_str().map(str::to_owned)
    };
    let asked = r#"{"path": "/q?page=2&user=mo+li"}"#;
    assert_eq!(key(asked).await.as_deref(), Some("query.user=mo%20li"));
    let asked = r#"{"path": "/q?page=2&user=mo", "query.user": "lu"}"#;
    assert_eq!(key(asked).await.as_deref(), Some("query.user=lu"));
    assert_eq!(key(r#"{"path": "/q?page=3&user=mo"}"#).await, None);
}

#[tokio::test]
async fn what_cannot_be_a_path_is_an_error_and_passes_no_policy() {
    let daemon = Daemon::start(AUTH).await;
    for path in ["https://example.org/auth/login", "auth/login", ""] {
        let body = format!(r#"{{"attributes": {{"path": "{path}"}}}}"#);
        let answer = daemon.post("/v1/check", &body).await;
        assert_eq!(answer.status, 400, "{path}");
        let detail = answer.json()["detail"].to_string();
        assert!(detail.contains("such as `/auth/login`"), "{detail}");
    }
}

#[tokio::test]
async fn nothing_is_spent_where_no_policy_took_anything() {
    let daemon = Daemon::start(&format!(
        "{AUTH}[[policy]]\nname = 'free'\nmatch = {{ path = '/free' }}\nunlimited = true\n\
         [[policy]]\nname = 'trial'\nmode = 'shadow'\nmatch = {{ path = '/trial' }}\nshared = true\n\
         limits = ['1/min fixed-window']\n"
    ))
    .await;
    let spent = async |body: &str| daemon.post("/v1/check", body).await.json()["spent"] == true;
    assert!(!spent(r#"{"attributes": {"path": "/elsewhere"}}"#).await);
    assert!(!spent(r#"{"attributes": {"path": "/free"}}"#).await);
    assert!(!spent(&LOGIN.replacen('{', r#"{"cost": 0, "#, 1)).await);
    assert!(spent(LOGIN).await);
    // A policy in shadow counts, and does not where it would deny.
    assert!(spent(r#"{"attributes": {"path": "/trial"}}"#).await);
    assert!(!spent(r#"{"attributes": {"path": "/trial"}}"#).await);
}

#[tokio::test]
async fn what_a_policy_hides_stays_hidden_and_secrets_are_hashed() {
    let daemon = Daemon::start(
        "
[store]
hash_secret = '0123456789abcdef0123456789abcdef'

[[policy]]
name = 'login'
key = ['header.authorization']
limits = ['1/min fixed-window']
hide_numbers = true
",
    )
    .await;
    let body = r#"{"attributes": {"header.authorization": "Bearer letmein"}}"#;
    daemon.post("/v1/check", body).await;
    let answer = daemon.post("/v1/check", body).await;
    for name in ["ratelimit", "ratelimit-policy", "x-ratelimit-limit"] {
        assert_eq!(answer.field(name), None, "{name}");
    }
    let json = answer.json();
    assert_eq!(json["allowed"], false);
    assert_eq!(json["retry_after"], 60);
    assert_eq!(
        json["policies"][0]["limits"],
        json!([{
            "outcome": "deny", "limit": null, "remaining": null, "reset_after": null,
            "retry_after": null,
        }])
    );
    let key = json["policies"][0]["key"].as_str().unwrap();
    assert!(!key.is_empty() && !key.contains("letmein"), "{key}");
}

#[tokio::test]
async fn a_policy_in_shadow_is_told_and_denies_nothing() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'new'\nmode = 'shadow'\nkey = ['user']\nlimits = ['1/min']\n",
    )
    .await;
    let body = r#"{"attributes": {"user": "7"}}"#;
    daemon.post("/v1/check", body).await;
    let answer = daemon.post("/v1/check", body).await;
    let json = answer.json();
    assert_eq!(json["allowed"], true);
    assert_eq!(json["decided_by"], json!(null));
    assert_eq!(json["policies"][0]["mode"], "shadow");
    assert_eq!(json["policies"][0]["allowed"], false);
    assert_eq!(answer.field("ratelimit"), None);
}

#[tokio::test]
async fn the_fields_are_those_that_the_file_says() {
    let daemon = Daemon::start(&format!("[response]\nheaders = ['none']\n{AUTH}")).await;
    let answer = daemon.post("/v1/check", LOGIN).await;
    assert_eq!(answer.field("ratelimit"), None);
    assert_eq!(answer.field("x-ratelimit-limit"), None);
    assert_eq!(answer.json()["allowed"], true);
}
