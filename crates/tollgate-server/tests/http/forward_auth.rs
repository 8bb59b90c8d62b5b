//! What proxies are answered.

use crate::support::{Answer, Daemon, request};

const POLICIES: &str = "
[[policy]]
name = 'auth'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['1/min fixed-window']

[[policy]]
name = 'write'
match = { method = 'POST', path = '/places/**' }
key = ['header.x-user']
limits = ['1/min fixed-window']

[[policy]]
name = 'search'
match = { path = '/search' }
key = ['query.q']
limits = ['1/min fixed-window']

[[policy]]
name = 'intern'
match = { host = 'intern.example' }
block = true
";

async fn trusting() -> Daemon {
    Daemon::start(&format!(
        "[client]\ntrusted_proxies = ['127.0.0.1']\n{POLICIES}"
    ))
    .await
}

async fn forwarded(daemon: &Daemon, method: &str, uri: &str, more: &[(&str, &str)]) -> Answer {
    let mut headers = vec![("x-forwarded-method", method), ("x-forwarded-uri", uri)];
    headers.extend(more);
    daemon.ask(request("GET", "/v1/auth", &headers, "")).await
}

async fn original(daemon: &Daemon, path: &str, uri: &str, more: &[(&str, &str)]) -> Answer {
    let mut headers = vec![("x-original-method", "GET"), ("x-original-uri", uri)];
    headers.extend(more);
    daemon.ask(request("GET", path, &headers, "")).await
}

const CLIENT: &[(&str, &str)] = &[("x-forwarded-for", "198.51.100.7")];

#[tokio::test]
async fn an_admission_is_empty_and_carries_the_fields() {
    let daemon = trusting().await;
    let answer = forwarded(&daemon, "GET", "/auth/login?next=/", CLIENT).await;
    assert_eq!(answer.status, 200);
    assert!(answer.body.is_empty());
    assert_eq!(answer.field("ratelimit"), Some(r#""auth";r=0;t=60"#));
    assert_eq!(answer.field("x-ratelimit-remaining"), Some("0"));
    let answer = forwarded(&daemon, "GET", "/free", CLIENT).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.field("ratelimit"), None);
}

#[tokio::test]
async fn a_denial_is_the_whole_answer_to_the_client() {
    let daemon = trusting().await;
    forwarded(&daemon, "GET", "/auth/login", CLIENT).await;
    let answer = forwarded(&daemon, "GET", "/x/../auth//login", CLIENT).await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.field("retry-after"), Some("60"));
    assert_eq!(answer.field("cache-control"), Some("no-store"));
    assert_eq!(
        answer.field("content-type"),
        Some("application/problem+json")
    );
    assert_eq!(answer.field("ratelimit"), Some(r#""auth";r=0;t=60"#));
    assert_eq!(answer.json()["violated-policies"][0], "auth");
    // Another client is not concerned.
    let other = [("x-forwarded-for", "198.51.100.8")];
    assert_eq!(
        forwarded(&daemon, "GET", "/auth/login", &other)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn it_is_asked_by_any_method() {
    let daemon = trusting().await;
    let headers = [("x-forwarded-method", "GET"), ("x-forwarded-uri", "/free")];
    for method in [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND",
    ] {
        let answer = daemon.ask(request(method, "/v1/auth", &headers, "")).await;
        assert_eq!(answer.status, 200, "{method}");
    }
}

#[tokio::test]
async fn method_query_host_and_fields_are_those_of_the_original_request() {
    let daemon = trusting().await;
    let user = [("x-user", "7")];
    for expected in [200, 429] {
        let answer = forwarded(&daemon, "POST", "/places/7", &user).await;
        assert_eq!(answer.status, expected);
    }
    assert_eq!(
        forwarded(&daemon, "GET", "/places/7", &user).await.status,
        200
    );
    // What it is counted by is missing.
    assert_eq!(
        forwarded(&daemon, "POST", "/places/7", &[]).await.status,
        400
    );
    for (target, expected) in [
        ("/search?q=a%20b", 200),
        ("/search?page=2&q=a+b", 429),
        ("/search?q=b", 200),
        ("/search", 400),
    ] {
        let answer = forwarded(&daemon, "GET", target, &[]).await;
        assert_eq!(answer.status, expected, "{target}");
    }
    let host = [("x-forwarded-host", "intern.example:443")];
    assert_eq!(forwarded(&daemon, "GET", "/", &host).await.status, 403);
}

#[tokio::test]
async fn the_client_is_whom_trusted_proxies_name_and_nobody_left_of_it() {
    let daemon = trusting().await;
    let ask = async |list: &str| {
        let list = [("x-forwarded-for", list)];
        forwarded(&daemon, "GET", "/auth/login", &list)
            .await
            .status
            .as_u16()
    };
    assert_eq!(ask("203.0.113.1, 198.51.100.7").await, 200);
    assert_eq!(ask("203.0.113.2, 198.51.100.7").await, 429);
    assert_eq!(ask("203.0.113.3, 198.51.100.7, 127.0.0.1").await, 429);
    assert_eq!(ask("198.51.100.7, 203.0.113.4").await, 200);
    // No address is a missing key, not one for all who have none.
    assert_eq!(ask("198.51.100.9, unknown").await, 400);
}

#[tokio::test]
async fn a_peer_that_is_no_trusted_proxy_gains_nothing() {
    let daemon = Daemon::start(&format!(
        "[client]\ntrusted_proxies = ['10.0.0.0/8']\n{POLICIES}"
    ))
    .await;
    for path in ["/v1/auth", "/v1/auth/nginx", "/v1/auth/accel"] {
        let headers = [
            ("x-forwarded-method", "GET"),
            ("x-forwarded-uri", "/free"),
            ("x-original-method", "GET"),
            ("x-original-uri", "/free"),
            ("x-tollgate-accel", "@app"),
            ("x-forwarded-for", "10.0.0.1"),
        ];
        let answer = daemon.ask(request("GET", path, &headers, "")).await;
        let detail = answer.problem(403);
        // The proxy's clients may see it, and need not know what is set up.
        assert_eq!(
            detail,
            "the proxy is not trusted; the log of the rate limiter says why"
        );
        assert_eq!(answer.field("x-accel-redirect"), None);
        // Whatever else it lacks.
        daemon.get(path).await.problem(403);
    }
    // Nothing was counted for the client that was made up, nor for the peer.
    let peek =
        r#"{"attributes": {"client.ip": "198.51.100.7", "path": "/auth/login"}, "peek": true}"#;
    assert_eq!(daemon.post("/v1/check", peek).await.json()["allowed"], true);
}

#[tokio::test]
async fn a_unix_socket_is_trusted_if_the_file_says_so() {
    let without = Daemon::on_unix_socket(POLICIES).await;
    forwarded(&without, "GET", "/free", CLIENT)
        .await
        .problem(403);
    let with =
        Daemon::on_unix_socket(&format!("[client]\ntrust_unix_peer = true\n{POLICIES}")).await;
    assert_eq!(
        forwarded(&with, "GET", "/auth/login", CLIENT).await.status,
        200
    );
    assert_eq!(
        forwarded(&with, "GET", "/auth/login", CLIENT).await.status,
        429
    );
    // There is no peer to fall back on.
    assert_eq!(
        forwarded(&with, "GET", "/auth/login", &[]).await.status,
        400
    );
}

#[tokio::test]
async fn a_proxy_that_does_not_say_what_it_asks_about_is_told_so() {
    let daemon = trusting().await;
    let ask = async |headers: &[(&str, &str)]| {
        daemon
            .ask(request("GET", "/v1/auth", headers, ""))
            .await
            .problem(400)
    };
    let method = ("x-forwarded-method", "GET");
    let uri = ("x-forwarded-uri", "/");
    let detail = ask(&[uri]).await;
    assert!(
        detail.contains("`x-forwarded-method` is missing"),
        "{detail}"
    );
    let detail = ask(&[method]).await;
    assert!(detail.contains("`x-forwarded-uri` is missing"), "{detail}");
    let detail = ask(&[method, uri, ("x-forwarded-uri", "/auth")]).await;
    assert!(detail.contains("more than once"), "{detail}");
    let detail = ask(&[method, ("x-forwarded-uri", "auth/login")]).await;
    assert!(detail.contains("is no target"), "{detail}");
    let detail = ask(&[("x-forwarded-method", "G E T"), uri]).await;
    assert!(detail.contains("names no method"), "{detail}");
}

#[tokio::test]
async fn nginx_is_answered_403_with_all_that_makes_a_429_of_it() {
    let daemon = trusting().await;
    let ask = async |uri: &str| original(&daemon, "/v1/auth/nginx", uri, CLIENT).await;
    let answer = ask("/auth/login").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.field("x-tollgate-status"), None);
    let answer = ask("/auth/login").await;
    assert_eq!(answer.status, 403);
    assert_eq!(answer.field("x-tollgate-status"), Some("429"));
    let problem = answer.field("x-tollgate-problem").unwrap();
    assert_eq!(problem.as_bytes(), answer.body);
    assert_eq!(answer.json()["status"], 429);
    assert_eq!(answer.field("retry-after"), Some("60"));
    assert_eq!(answer.field("ratelimit"), Some(r#""auth";r=0;t=60"#));
    let blocked = [("host", "intern.example")];
    let mut headers = vec![("x-original-method", "GET"), ("x-original-uri", "/")];
    headers.extend(blocked);
    let mut blocked = request("GET", "/v1/auth/nginx", &headers, "");
    blocked
        .headers_mut()
        .insert("host", "intern.example".parse().unwrap());
    let answer = daemon.ask(blocked).await;
    assert_eq!(answer.field("x-tollgate-status"), Some("403"));
    // Of nginx only the field that it sets itself names the host.
    let spoofed = [("x-forwarded-host", "intern.example")];
    assert_eq!(
        original(&daemon, "/v1/auth/nginx", "/", &spoofed)
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn nginx_goes_on_by_itself_where_it_names_a_location() {
    let daemon = trusting().await;
    let headers = [
        ("x-forwarded-for", "198.51.100.7"),
        ("x-tollgate-accel", "@app"),
    ];
    let ask = async || original(&daemon, "/v1/auth/accel", "/auth/login", &headers).await;
    let answer = ask().await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.field("x-accel-redirect"), Some("@app"));
    let answer = ask().await;
    assert_eq!(answer.status, 429);
    assert_eq!(answer.field("x-accel-redirect"), None);
    assert_eq!(answer.field("retry-after"), Some("60"));
    let detail = original(&daemon, "/v1/auth/accel", "/", &[])
        .await
        .problem(400);
    assert!(detail.contains("X-Tollgate-Accel @app"), "{detail}");
}

#[tokio::test]
async fn preflight_requests_do_not_count_unless_the_file_says_so() {
    let preflight = [
        ("origin", "https://a.example"),
        ("access-control-request-method", "POST"),
        ("x-forwarded-for", "198.51.100.7"),
    ];
    let daemon = trusting().await;
    for _ in 0..3 {
        let answer = forwarded(&daemon, "OPTIONS", "/auth/login", &preflight).await;
        assert_eq!(answer.status, 200);
    }
    assert_eq!(
        forwarded(&daemon, "GET", "/auth/login", CLIENT)
            .await
            .status,
        200
    );
    let counting = Daemon::start(&format!(
        "[client]\ntrusted_proxies = ['127.0.0.1']\n[response]\ncount_preflight = true\n{POLICIES}"
    ))
    .await;
    for expected in [200, 429] {
        let answer = forwarded(&counting, "OPTIONS", "/auth/login", &preflight).await;
        assert_eq!(answer.status, expected);
    }
}
