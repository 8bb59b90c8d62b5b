//! Requests are counted, each for its client.

use tollgate::Micros;

use crate::support::{Answer, Daemon, Proxy, Recipe, Told};

const TEN_LOGINS: &str = "
[[policy]]
name = 'auth'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['10/min fixed-window']
";

/// The fields that tell of a limit of ten a minute.
#[track_caller]
fn tells(answer: &Answer, remaining: u8) {
    let standing = format!("\"auth\";r={remaining};t=60");
    let remaining = remaining.to_string();
    for (name, value) in [
        ("ratelimit", standing.as_str()),
        ("ratelimit-policy", "\"auth\";q=10;w=60"),
        ("x-ratelimit-limit", "10"),
        ("x-ratelimit-remaining", &remaining),
        ("x-ratelimit-reset", "1800000060"),
    ] {
        assert_eq!(answer.field(name), Some(value), "{name}");
    }
}

pub(crate) async fn denies_the_eleventh_until_retry_after(recipe: &Recipe) {
    let daemon = Daemon::start(TEN_LOGINS).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    let before = proxy.service.asked();
    for remaining in (0..10).rev() {
        let answer = client.get("/auth/login").await;
        let echo = answer.echo();
        assert_eq!(answer.field("retry-after"), None);
        match recipe.told {
            Told::Client => tells(&answer, remaining),
            Told::Service => {
                let standing = format!("\"auth\";r={remaining};t=60");
                assert_eq!(echo.headers.get("ratelimit"), Some(&standing));
                assert_eq!(answer.field("ratelimit"), None);
            }
            Told::Nobody => assert_eq!(answer.field("ratelimit"), None),
        }
    }
    let denied = client.get("/auth/login").await;
    assert_eq!(denied.problem(429)["violated-policies"][0], "auth");
    assert_eq!(denied.field("retry-after"), Some("60"));
    assert_eq!(denied.field("cache-control"), Some("no-store"));
    tells(&denied, 0);
    assert_eq!(proxy.service.asked() - before, 10);
    // Another client is not concerned, nor is what has no limit.
    proxy.client(2).get("/auth/login").await.echo();
    let free = client.get("/free").await;
    free.echo();
    for name in ["ratelimit", "ratelimit-policy", "x-ratelimit-limit"] {
        assert_eq!(free.field(name), None, "{name}");
    }
    // It was the truth, to the microsecond.
    daemon.clock.advance(Micros::new(59_999_999));
    let denied = client.get("/auth/login").await;
    denied.problem(429);
    assert_eq!(denied.field("retry-after"), Some("1"));
    daemon.clock.advance(Micros::new(1));
    client.get("/auth/login").await.echo();
}

const ONE_LOGIN: &str = "
[[policy]]
name = 'auth'
match = { path = '/auth/**' }
key = ['client.ip']
limits = ['1/min fixed-window']
";

/// What clients say who hope to be counted for somebody else, or not at all.
const CLAIMS: &[&[(&str, &str)]] = &[
    &[("x-forwarded-for", "127.0.1.2")],
    &[
        ("x-forwarded-for", "127.0.1.2"),
        ("x-forwarded-for", "127.0.0.1"),
    ],
    &[("forwarded", "for=127.0.1.2")],
    &[("x-real-ip", "127.0.1.2")],
    &[
        ("x-forwarded-uri", "/free"),
        ("x-forwarded-method", "OPTIONS"),
    ],
    &[
        ("x-original-uri", "/free"),
        ("x-original-method", "OPTIONS"),
    ],
    &[("x-forwarded-uri", "/free"), ("x-forwarded-uri", "/free")],
    &[("x_forwarded_for", "127.0.1.2")],
    &[("x-tollgate-status", "200"), ("x-tollgate-accel", "/free")],
    // Fields that a proxy may take away, as those of this connection only.
    &[("connection", "close, x-forwarded-for, x-real-ip")],
    &[("connection", "close, x-forwarded-uri, x-forwarded-method")],
    &[("connection", "close, x-original-uri, x-original-method")],
];

pub(crate) async fn believes_nothing_that_clients_say_of_themselves(recipe: &Recipe) {
    let daemon = Daemon::start(ONE_LOGIN).await;
    let proxy = Proxy::start(recipe, daemon.port).await;
    let client = proxy.client(1);
    client.get("/auth/login").await.echo();
    for claim in CLAIMS {
        let answer = client.ask("GET", "/auth/login", claim, "").await;
        assert_eq!(answer.status, 429, "{claim:?} {answer:?}");
    }
    // Nobody else was counted for it.
    proxy.client(2).get("/auth/login").await.echo();
}

pub(crate) async fn believes_a_load_balancer_and_not_its_clients(recipe: &Recipe) {
    let daemon = Daemon::start(ONE_LOGIN).await;
    let proxy = Proxy::start_behind_balancer(recipe, daemon.port).await;
    let ask = async |client: &str, claim: Option<(&str, &str)>| {
        let mut headers = vec![("x-forwarded-for", client)];
        headers.extend(claim);
        let balancer = proxy.balancer();
        let answer = balancer.ask("GET", "/auth/login", &headers, "").await;
        answer.status.as_u16()
    };
    assert_eq!(ask("198.51.100.7", None).await, 200);
    assert_eq!(ask("198.51.100.7", None).await, 429);
    // The load balancer appends to what its client says.
    assert_eq!(ask("203.0.113.1, 198.51.100.7", None).await, 429);
    for claim in [
        ("x-forwarded-uri", "/free"),
        ("x-forwarded-method", "OPTIONS"),
        ("x-original-uri", "/free"),
        ("x-real-ip", "203.0.113.2"),
        ("forwarded", "for=203.0.113.3"),
    ] {
        assert_eq!(ask("198.51.100.7", Some(claim)).await, 429, "{claim:?}");
    }
    assert_eq!(ask("198.51.100.8", None).await, 200);
    // Nobody else is one.
    let client = proxy.client(1);
    client.get("/auth/login").await.echo();
    let claim = [("x-forwarded-for", "203.0.113.4")];
    let answer = client.ask("GET", "/auth/login", &claim, "").await;
    answer.problem(429);
}
