//! Who is counted.

use http::{Request, StatusCode};
use tollgate_http::{HttpLimiter, Peer, RequestAttributes};
use tollgate_policy::{ClientIdentity, MissingKey, NoAddress, Policy, Reason};

use crate::support::*;

fn behind_proxies(limits: &str) -> HttpLimiter<TestStore> {
    let identity = ClientIdentity::builder().trusted_proxy("10.0.0.0/8");
    let (options, _) = options([per_client("api", &[limits])]);
    options.identity(identity.build().unwrap()).build()
}

fn forwarded(peer: &str, lines: &[&str]) -> Request<Body> {
    let mut request = request_from(peer, "/");
    for line in lines {
        let line = line.parse().unwrap();
        request.headers_mut().append("x-forwarded-for", line);
    }
    request
}

async fn status(limiter: &HttpLimiter<TestStore>, request: Request<Body>) -> u16 {
    send(limiter, request).await.status().as_u16()
}

// B35
#[tokio::test]
async fn clients_behind_a_trusted_proxy_are_counted_one_by_one() {
    let limiter = behind_proxies("1/min");
    let proxy = "10.0.0.5:80";
    assert_eq!(
        status(&limiter, forwarded(proxy, &["203.0.113.1"])).await,
        200
    );
    assert_eq!(
        status(&limiter, forwarded(proxy, &["203.0.113.2"])).await,
        200
    );
    assert_eq!(
        status(&limiter, forwarded(proxy, &["203.0.113.1"])).await,
        429
    );
}

#[tokio::test]
async fn a_decision_tells_why_there_is_no_client() {
    let limiter = behind_proxies("1/min");
    let why = async |request: &Request<Body>| {
        let decision = limiter.check(request).await;
        assert_eq!(decision.reason(), Reason::MissingKey);
        decision.decided_by().and_then(|policy| policy.no_client())
    };
    let malformed = forwarded("10.0.0.5:80", &["nobody"]);
    assert_eq!(why(&malformed).await, Some(NoAddress::Malformed));
    let unknown = Request::new(Body::default());
    assert_eq!(why(&unknown).await, Some(NoAddress::PeerUnknown));
}

// B37: several lines are one list, walked from the right.
#[tokio::test]
async fn what_a_client_writes_before_the_proxys_line_changes_nothing() {
    let limiter = behind_proxies("1/min");
    let proxy = "10.0.0.5:80";
    let honest = forwarded(proxy, &["203.0.113.1"]);
    assert_eq!(status(&limiter, honest).await, 200);
    let forged = forwarded(proxy, &["192.0.2.66, 10.0.0.9", "203.0.113.1"]);
    assert_eq!(status(&limiter, forged).await, 429);
}

// B39
#[tokio::test]
async fn a_header_from_an_untrusted_peer_is_ignored() {
    let limiter = behind_proxies("1/min");
    let peer = "198.51.100.9:80";
    assert_eq!(status(&limiter, forwarded(peer, &["10.0.0.1"])).await, 200);
    assert_eq!(status(&limiter, forwarded(peer, &["10.0.0.2"])).await, 429);
    assert_eq!(status(&limiter, forwarded(peer, &[])).await, 429);
}

// B55
#[tokio::test]
async fn a_unix_socket_without_trust_is_a_missing_key_and_never_shared() {
    let (limiter, _) = limiter([per_client("api", &["1/min"])]);
    let mut request = request("/");
    request.extensions_mut().insert(Peer(None));
    assert_eq!(limiter.client(&request), None);
    for _ in 0..2 {
        assert_eq!(status(&limiter, request.clone()).await, 400);
    }

    let skip = per_client("api", &["1/min"]).missing_key(MissingKey::Skip);
    let (limiter, _) = self::limiter([skip]);
    for _ in 0..2 {
        assert_eq!(status(&limiter, request.clone()).await, 200);
    }
}

// B55
#[tokio::test]
async fn a_trusted_unix_socket_names_the_client() {
    let identity = ClientIdentity::builder().trust_unix_peer(true);
    let (options, _) = options([per_client("api", &["1/min"])]);
    let limiter = options.identity(identity.build().unwrap()).build();
    let from = |client: &str| {
        let mut request = forwarded(PEER, &[client]);
        request.extensions_mut().insert(Peer(None));
        request
    };
    assert_eq!(status(&limiter, from("203.0.113.1")).await, 200);
    assert_eq!(status(&limiter, from("203.0.113.2")).await, 200);
    assert_eq!(status(&limiter, from("203.0.113.1")).await, 429);
}

// Trusting Unix sockets must not mean to trust whoever nobody has said anything about.
#[tokio::test]
async fn an_unknown_peer_is_nobody_and_not_a_trusted_unix_socket() {
    let identity = ClientIdentity::builder().trust_unix_peer(true);
    let (options, _) = options([per_client("api", &["1/min"])]);
    let limiter = options.identity(identity.build().unwrap()).build();
    let mut request = forwarded(PEER, &["203.0.113.1"]);
    request.extensions_mut().remove::<Peer>();
    assert_eq!(limiter.client(&request), None);
    assert_eq!(status(&limiter, request).await, 400);
}

#[tokio::test]
async fn the_peer_comes_from_where_the_options_say() {
    #[derive(Clone, Copy)]
    struct Connection(std::net::SocketAddr);

    let (options, _) = options([per_client("api", &["1/min"])]);
    let limiter = options
        .peer_from(|head| {
            let connection = head.extensions.get::<Connection>()?;
            Some(Peer(Some(connection.0)))
        })
        .build();
    let mut request = request("/");
    assert_eq!(status(&limiter, request.clone()).await, 400);
    let connection = Connection(PEER.parse().unwrap());
    request.extensions_mut().insert(connection);
    assert_eq!(status(&limiter, request.clone()).await, 200);
    assert_eq!(status(&limiter, request).await, 429);
}

// B49
#[tokio::test]
async fn a_configured_header_is_what_is_counted() {
    let policy = Policy::builder("keys")
        .key("header.x-api-key")
        .limit(limit("1/min"));
    let (limiter, _) = limiter([policy]);
    let with_key = |key: &str| {
        let mut request = request("/");
        request
            .headers_mut()
            .insert("x-api-key", key.parse().unwrap());
        request
    };
    assert_eq!(status(&limiter, with_key("a")).await, 200);
    assert_eq!(status(&limiter, with_key("b")).await, 200);
    assert_eq!(status(&limiter, with_key("a")).await, 429);
}

#[tokio::test]
async fn a_user_is_counted_whom_middleware_has_named_and_else_the_address() {
    let policy = Policy::builder("api")
        .key("user or client.ip")
        .limit(limit("1/min"));
    let (limiter, _) = limiter([policy]);
    let user = |name: &'static str| {
        let mut request = request("/");
        let attributes = RequestAttributes::new().with("user", name);
        request.extensions_mut().insert(attributes);
        request
    };
    for request in [user("7"), user("8"), request("/")] {
        assert_eq!(status(&limiter, request).await, 200);
    }
    for request in [user("7"), user("8"), request("/")] {
        assert_eq!(status(&limiter, request).await, 429);
    }
}

#[tokio::test]
async fn attributes_can_be_computed_from_the_request() {
    let policy = Policy::builder("tenants")
        .key("tenant")
        .limit(limit("1/min"));
    let (options, _) = options([policy]);
    let limiter = options
        .attributes_from(|head| {
            let tenant = head.uri.path().split('/').nth(1).unwrap_or_default();
            RequestAttributes::new().with("tenant", tenant.to_owned())
        })
        .build();
    assert_eq!(status(&limiter, request("/a/1")).await, 200);
    assert_eq!(status(&limiter, request("/b/1")).await, 200);
    assert_eq!(status(&limiter, request("/a/2")).await, 429);
    // An empty value is no key.
    assert_eq!(status(&limiter, request("/")).await, 400);
}

#[tokio::test]
async fn no_spelling_of_a_path_or_host_evades_a_policy() {
    let policy = Policy::builder("auth")
        .path("/auth/**")
        .matches("host", "api.example")
        .shared()
        .limit(limit("1/min"));
    let (limiter, _) = limiter([policy]);
    let with_host = |host: &str, path: &str| {
        let mut request = request(path);
        request.headers_mut().insert("host", host.parse().unwrap());
        request
    };
    assert_eq!(
        status(&limiter, with_host("api.example", "/auth/login")).await,
        200
    );
    for (host, path) in [
        ("API.example:8080", "/auth/login"),
        ("api.example", "//auth/login"),
        ("api.example", "/%61uth/./login"),
        ("other.example", "http://api.example/auth/login"),
    ] {
        let response = send(&limiter, with_host(host, path)).await;
        assert_eq!(
            response.status(),
            StatusCode::TOO_MANY_REQUESTS,
            "{host} {path}"
        );
    }
}
