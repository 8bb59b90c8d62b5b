//! The responses in `docs/http.md` are what clients get.
#![expect(
    clippy::unwrap_used,
    reason = "helpers of tests: lints exempt only the test functions themselves"
)]

use std::time::Duration;

use axum::body::{Body, to_bytes};
use http::{HeaderMap, Request, Response};
use tollgate::{ManualClock, MemoryStore, Micros, Timestamp};
use tollgate_http::{HttpLimiter, Peer, RateLimitLayer};
use tollgate_policy::{Policy, PolicyLimiter, PolicySet};
use tower::{ServiceExt, service_fn};
use tower_layer::Layer;

const GUIDE: &str = include_str!("../../../docs/http.md");

struct Api {
    limiter: HttpLimiter<MemoryStore<ManualClock>>,
    clock: ManualClock,
}

impl Api {
    /// At the beginning of an hour.
    fn new<const N: usize>(limits: [&str; N]) -> Self {
        let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
        let policy = Policy::builder("api").key("client.ip");
        let policy = policy.limits(limits.map(|limit| limit.parse().unwrap()));
        let set = PolicySet::new([policy.build().unwrap()]).unwrap();
        let store = MemoryStore::with_clock(clock.clone());
        let limiter = HttpLimiter::new(PolicyLimiter::new(set, store));
        Self { limiter, clock }
    }

    async fn get(&self) -> Response<Body> {
        let inner = service_fn(async |_: Request<Body>| {
            Ok::<_, std::convert::Infallible>(Response::new(Body::empty()))
        });
        let peer = Peer("198.51.100.7:4711".parse().ok());
        let request = Request::builder().extension(peer).body(Body::empty());
        let service = RateLimitLayer::new(self.limiter.clone()).layer(inner);
        service.oneshot(request.unwrap()).await.unwrap()
    }
}

fn told(headers: &HeaderMap) -> String {
    let names = [
        "ratelimit-policy",
        "ratelimit",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
    ];
    names
        .map(|name| format!("{name}: {}\n", headers[name].to_str().unwrap()))
        .concat()
}

#[tokio::test]
async fn tells_the_fields_of_a_response() {
    let api = Api::new(["60/min", "1000/h fixed-window"]);
    api.get().await;
    api.clock
        .advance(Micros::from_duration(Duration::from_secs(60)));
    let fields = told(api.get().await.headers());
    assert!(
        GUIDE.contains(&format!("```text\n{fields}```")),
        "docs/http.md does not say:\n{fields}"
    );
}

#[tokio::test]
async fn tells_the_body_of_a_denial() {
    let api = Api::new(["10/min"]);
    for _ in 0..10 {
        assert_eq!(api.get().await.status(), 200);
    }
    let denied = api.get().await;
    assert_eq!(denied.status(), 429);
    let body = to_bytes(denied.into_body(), 10_000).await.unwrap();
    let body = str::from_utf8(&body).unwrap();
    assert!(
        GUIDE.contains(&format!("```json\n{body}\n```")),
        "docs/http.md does not say:\n{body}"
    );
}
