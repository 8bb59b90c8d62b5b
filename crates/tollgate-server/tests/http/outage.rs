//! What is answered while the store is away.

use crate::support::{Daemon, request};

/// Nobody listens there.
const AWAY: &str = "
[store]
url = 'redis://127.0.0.1:1'

[client]
trusted_proxies = ['127.0.0.1']

[[policy]]
name = 'strict'
match = { path = '/strict' }
key = ['client.ip']
limits = ['10/min']
on_store_failure = 'deny'

[[policy]]
name = 'open'
match = { path = '/open' }
key = ['client.ip']
limits = ['10/min']
on_store_failure = 'allow'
";

fn check(path: &str) -> String {
    format!(r#"{{"attributes": {{"client.ip": "198.51.100.7", "path": "{path}"}}}}"#)
}

#[tokio::test]
async fn each_policy_does_what_it_says() {
    let daemon = Daemon::start(AWAY).await;
    let answer = daemon
        .post("/v1/check?status=decision", &check("/strict"))
        .await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.field("retry-after"), Some("5"));
    let json = answer.json();
    assert_eq!(json["reason"], "store_failed_deny");
    assert_eq!(json["retry_after"], 5);
    assert_eq!(json["policies"][0]["limits"].as_array().unwrap().len(), 0);
    let answer = daemon.post("/v1/check", &check("/open")).await;
    assert_eq!(answer.json()["reason"], "store_failed_allow");
    assert_eq!(answer.field("ratelimit"), None);
}

#[tokio::test]
async fn a_proxy_is_answered_by_the_policy_too() {
    let daemon = Daemon::start(AWAY).await;
    let ask = async |path: &str, uri: &str| {
        let headers = [
            ("x-forwarded-method", "GET"),
            ("x-original-method", "GET"),
            ("x-forwarded-uri", uri),
            ("x-original-uri", uri),
            ("x-forwarded-for", "198.51.100.7"),
        ];
        daemon.ask(request("GET", path, &headers, "")).await
    };
    let answer = ask("/v1/auth", "/strict").await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.field("retry-after"), Some("5"));
    assert_eq!(ask("/v1/auth", "/open").await.status, 200);
    let answer = ask("/v1/auth/nginx", "/strict").await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.field("x-tollgate-status"), Some("503"));
}

#[tokio::test]
async fn a_batch_is_decided_by_the_policies_too() {
    let daemon = Daemon::start(AWAY).await;
    for all_or_nothing in [true, false] {
        let body = format!(
            r#"{{"all_or_nothing": {all_or_nothing}, "checks": [{}, {}]}}"#,
            check("/open"),
            check("/strict")
        );
        let json = daemon.post("/v1/check/batch", &body).await.json();
        assert_eq!(json["allowed"], false);
        assert_eq!(json["decisions"][0]["reason"], "store_failed_allow");
        assert_eq!(json["decisions"][1]["reason"], "store_failed_deny");
    }
}
