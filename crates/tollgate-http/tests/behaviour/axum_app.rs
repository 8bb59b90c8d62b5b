//! A real application of axum, over real sockets.

use std::net::SocketAddr;

use axum::extract::{MatchedPath, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Empty};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream, UnixListener, UnixStream};
use tollgate_http::{Decided, HttpLimiter, Peer, RateLimitLayer};
use tollgate_policy::{ClientIdentity, Policy, PolicyBuilder};

use crate::support::{TestStore, field, limit, limiter, members, names, options, per_client};

/// What a client sees: status, header fields, body.
struct Seen {
    status: StatusCode,
    headers: http::HeaderMap,
    body: String,
}

impl Seen {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// Serves an application on a free port.
async fn serve(app: Router) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = app.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, app).await });
    address
}

/// One request over a connection of its own, in HTTP/1.1.
async fn fetch(server: SocketAddr, method: &str, path: &str, fields: &[(&str, &str)]) -> Seen {
    let stream = TcpStream::connect(server).await.unwrap();
    fetch_over(stream, method, path, fields).await
}

async fn fetch_over(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    method: &str,
    path: &str,
    fields: &[(&str, &str)],
) -> Seen {
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", "localhost");
    for (name, value) in fields {
        request = request.header(*name, *value);
    }
    let request = request.body(Empty::<bytes::Bytes>::new()).unwrap();
    let (parts, body) = sender.send_request(request).await.unwrap().into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Seen {
        status: parts.status,
        headers: parts.headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

/// How many requests for a path are served before one is denied, up to 3. All must be served, so
/// that the router knows the path.
async fn served(policies: PolicyBuilder, path: &str) -> usize {
    let app = Router::new()
        .route("/{lang}/auth/login", get(async || "login"))
        .route("/users/{id}/login", get(async || "login"))
        .route("/api/{*rest}", get(async || "api"))
        .route("/files/{*rest}", get(async || "file"));
    let (limiter, _) = limiter([policies]);
    let server = serve(app.layer(RateLimitLayer::new(limiter))).await;
    for served in 0..3 {
        match fetch(server, "GET", path, &[]).await.status {
            StatusCode::OK => {}
            StatusCode::TOO_MANY_REQUESTS => return served,
            other => panic!("{path} gets {other}"),
        }
    }
    3
}

#[tokio::test]
async fn a_path_that_the_router_serves_with_dots_or_empty_segments_is_limited() {
    for (pattern, paths) in [
        (
            "/*/auth/login",
            &[
                "/de/auth/login",
                "/./auth/login",
                "/../auth/login",
                "/%2e/auth/login",
                "//auth/login",
            ][..],
        ),
        (
            "/users/*/login",
            &["/users/7/login", "/users//login", "/users/../login"],
        ),
        ("/api/**", &["/api/x", "/api/../x", "/api/a/../../secret"]),
    ] {
        for path in paths {
            let policy = per_client("p", &["2/min fixed-window"]).path(pattern);
            assert_eq!(served(policy, path).await, 2, "{path}");
        }
    }
}

#[tokio::test]
async fn no_path_that_the_router_serves_elsewhere_is_excepted() {
    let policy = per_client("p", &["2/min fixed-window"])
        .path("/**")
        .except("path", "/health");
    assert_eq!(served(policy, "/files/../health").await, 2);
}

#[tokio::test]
async fn limits_by_the_address_of_the_connection() {
    let (limiter, _) = limiter([per_client("auth", &["10/min fixed-window"]).path("/auth/**")]);
    let app = Router::new()
        .route("/auth/login", post(async || StatusCode::UNAUTHORIZED))
        .route("/boards", get(async || "boards"))
        .layer(RateLimitLayer::new(limiter));
    let server = serve(app).await;
    for left in (0..10).rev() {
        // A 401 counts: the limiter runs before the handler.
        let seen = fetch(server, "POST", "/auth/login", &[]).await;
        assert_eq!(seen.status, StatusCode::UNAUTHORIZED);
        let remaining = field(&seen.headers, "x-ratelimit-remaining").unwrap();
        assert_eq!(remaining, left.to_string());
        assert_eq!(names(&members(&seen.headers, "ratelimit")), ["auth"]);
    }
    // B39: a header that nobody trusted changes nothing.
    let spoof = [
        ("x-forwarded-for", "203.0.113.9"),
        ("forwarded", "for=203.0.113.9"),
    ];
    let seen = fetch(server, "POST", "/auth/login", &spoof).await;
    assert_eq!(seen.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(field(&seen.headers, "retry-after"), Some("60"));
    assert_eq!(
        field(&seen.headers, "content-type"),
        Some("application/problem+json")
    );
    assert_eq!(seen.json()["violated-policies"], json!(["auth"]));
    let seen = fetch(server, "GET", "/boards", &[]).await;
    assert_eq!(
        (seen.status, seen.body.as_str()),
        (StatusCode::OK, "boards")
    );
}

// B35
#[tokio::test]
async fn counts_those_apart_whom_a_trusted_proxy_names() {
    let (options, _) = options([per_client("api", &["1/min"])]);
    let identity = ClientIdentity::builder().trusted_proxy("127.0.0.0/8");
    let limiter = options.identity(identity.build().unwrap()).build();
    let app = Router::new()
        .route("/", get(async || "served"))
        .layer(RateLimitLayer::new(limiter));
    let server = serve(app).await;
    let status = async |client| {
        let seen = fetch(server, "GET", "/", &[("x-forwarded-for", client)]).await;
        seen.status.as_u16()
    };
    assert_eq!(status("203.0.113.1").await, 200);
    assert_eq!(status("203.0.113.2").await, 200);
    assert_eq!(status("192.0.2.66, 203.0.113.1").await, 429);
}

// B51
#[tokio::test]
async fn counts_by_the_route_that_matched_and_not_by_the_path() {
    let policy = Policy::builder("recover")
        .key("client.ip")
        .key("route")
        .limit(limit("10/min"));
    let (limiter, _) = limiter([policy]);
    let app = Router::new()
        .route(
            "/recover/{code}",
            get(async |path: MatchedPath| path.as_str().to_owned()),
        )
        .route("/other/{code}", get(async || "other"))
        .layer(RateLimitLayer::new(limiter));
    let server = serve(app).await;
    let mut admitted = 0;
    for code in 0..30 {
        let seen = fetch(server, "GET", &format!("/recover/{code}"), &[]).await;
        admitted += u32::from(seen.status == StatusCode::OK);
    }
    assert_eq!(admitted, 10);
    let seen = fetch(server, "GET", "/other/1", &[]).await;
    assert_eq!(seen.status, StatusCode::OK);
}

#[tokio::test]
async fn tells_handlers_the_decision() {
    async fn shown(decided: Decided) -> String {
        let (_, outcome) = decided.decided_by().unwrap().deciding().unwrap();
        format!("{} left", outcome.remaining)
    }
    async fn asked(decided: Option<Decided>) -> String {
        decided.is_some().to_string()
    }

    let (limiter, _) = limiter([per_client("api", &["5/min"])]);
    let app = Router::new()
        .route("/", get(shown))
        .route("/maybe", get(asked))
        .layer(RateLimitLayer::new(limiter))
        .route("/bare", get(shown))
        .route("/maybe-bare", get(asked));
    let server = serve(app).await;
    assert_eq!(fetch(server, "GET", "/", &[]).await.body, "4 left");
    assert_eq!(fetch(server, "GET", "/maybe", &[]).await.body, "true");
    let bare = fetch(server, "GET", "/bare", &[]).await;
    assert_eq!(bare.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(bare.body.contains("RateLimitLayer"));
    assert_eq!(fetch(server, "GET", "/maybe-bare", &[]).await.body, "false");
}

/// An application's own error.
enum ApiError {
    RateLimited,
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self::RateLimited = self;
        let body = json!({"error": "rate_limited", "message": "too many requests"});
        (StatusCode::TOO_MANY_REQUESTS, Json(body)).into_response()
    }
}

async fn guard(
    State(limiter): State<HttpLimiter<TestStore>>,
    request: axum::extract::Request,
    next: Next,
) -> Response {
    let decision = limiter.check(&request).await;
    let mut response = if decision.is_allowed() {
        next.run(request).await
    } else {
        ApiError::RateLimited.into_response()
    };
    limiter.write_headers(&decision, response.headers_mut());
    response
}

#[tokio::test]
async fn lets_an_application_answer_with_its_own_error_from_its_state() {
    let (limiter, _) = limiter([per_client("auth", &["1/min"])]);
    let app = Router::new()
        .route("/", get(async || "served"))
        .layer(from_fn_with_state(limiter, guard));
    let server = serve(app).await;
    let seen = fetch(server, "GET", "/", &[]).await;
    assert_eq!(
        (seen.status, seen.body.as_str()),
        (StatusCode::OK, "served")
    );
    assert_eq!(field(&seen.headers, "x-ratelimit-remaining"), Some("0"));
    let seen = fetch(server, "GET", "/", &[]).await;
    assert_eq!(seen.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(field(&seen.headers, "retry-after"), Some("60"));
    assert_eq!(field(&seen.headers, "cache-control"), Some("no-store"));
    assert_eq!(
        seen.json(),
        json!({"error": "rate_limited", "message": "too many requests"})
    );
}

#[tokio::test]
async fn lets_the_layer_answer_with_an_applications_own_error() {
    let (limiter, _) = limiter([per_client("auth", &["1/min"])]);
    let layer =
        RateLimitLayer::new(limiter).render_with(|_, _| ApiError::RateLimited.into_response());
    let app = Router::new()
        .route("/", get(async || "served"))
        .layer(layer);
    let server = serve(app).await;
    fetch(server, "GET", "/", &[]).await;
    let seen = fetch(server, "GET", "/", &[]).await;
    assert_eq!(seen.json()["error"], "rate_limited");
    assert_eq!(
        field(&seen.headers, "content-type"),
        Some("application/json")
    );
    assert_eq!(field(&seen.headers, "retry-after"), Some("60"));
}

// B55
#[tokio::test]
async fn answers_400_where_the_peer_is_not_known() {
    let (limiter, _) = limiter([per_client("api", &["1/min"])]);
    let app = Router::new()
        .route("/", get(async || "served"))
        .layer(RateLimitLayer::new(limiter));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let server = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let seen = fetch(server, "GET", "/", &[]).await;
    assert_eq!(seen.status, StatusCode::BAD_REQUEST);
    assert_eq!(
        seen.json()["detail"],
        "requests are counted by client.ip, which this one lacks"
    );
}

// B55
#[tokio::test]
async fn counts_those_whom_a_trusted_unix_socket_names() {
    let app = |trust| {
        let (options, _) = options([per_client("api", &["1/min"])]);
        let identity = ClientIdentity::builder().trust_unix_peer(trust).build();
        let limiter = options.identity(identity.unwrap()).build();
        Router::new()
            .route("/", get(async || "served"))
            .layer(RateLimitLayer::new(limiter))
            .layer(Extension(Peer(None)))
    };
    for (trust, expected) in [(true, [200, 200, 429]), (false, [400, 400, 400])] {
        let socket = format!("{}-{trust}.sock", std::process::id());
        let socket = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let app = app(trust);
        tokio::spawn(async move { axum::serve(listener, app).await });
        let mut statuses = Vec::new();
        for client in ["203.0.113.1", "203.0.113.2", "203.0.113.1"] {
            let stream = UnixStream::connect(&socket).await.unwrap();
            let seen = fetch_over(stream, "GET", "/", &[("x-forwarded-for", client)]).await;
            statuses.push(seen.status.as_u16());
        }
        std::fs::remove_file(&socket).unwrap();
        assert_eq!(statuses, expected);
    }
}
