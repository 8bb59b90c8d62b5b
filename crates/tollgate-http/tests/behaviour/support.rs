//! Limiters on a manual clock, services behind them, and readers of responses.

use std::convert::Infallible;
use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use serde_json::Value;
use sfv::{BareItem, List, ListEntry, Parser};
use tollgate::{
    Charge, Limit, ManualClock, MemoryStore, Micros, Outcomes, Store, StoreError, StoreErrorKind,
    Timestamp,
};
use tollgate_http::{HttpLimiter, HttpLimiterBuilder, Peer, RateLimit, RateLimitLayer, Render};
use tollgate_policy::{Policy, PolicyBuilder, PolicyLimiter, PolicySet};
use tower::{Layer, Service, ServiceExt, service_fn};

pub(crate) type Body = Full<Bytes>;
pub(crate) type TestStore = MemoryStore<ManualClock>;

pub(crate) const NOW: Timestamp = Timestamp::from_secs(1_800_000_000);
pub(crate) const PEER: &str = "198.51.100.7:4711";

pub(crate) fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

/// A policy of one client's requests.
pub(crate) fn per_client(name: &str, limits: &[&str]) -> PolicyBuilder {
    Policy::builder(name)
        .key("client.ip")
        .limits(limits.iter().map(|text| limit(text)))
}

pub(crate) fn set(policies: impl IntoIterator<Item = PolicyBuilder>) -> PolicySet {
    let policies = policies.into_iter().map(|policy| policy.build().unwrap());
    PolicySet::new(policies).unwrap()
}

/// Options for policies in memory, and the clock that they count by.
pub(crate) fn options(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> (HttpLimiterBuilder<TestStore>, ManualClock) {
    let clock = ManualClock::new(NOW);
    let store = MemoryStore::with_clock(clock.clone());
    let policies = PolicyLimiter::new(set(policies), store);
    (HttpLimiter::builder(policies), clock)
}

/// A limiter with default options.
pub(crate) fn limiter(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> (HttpLimiter<TestStore>, ManualClock) {
    let (options, clock) = options(policies);
    (options.build(), clock)
}

/// A limiter whose store never decides, and whose local store has a clock that stands still.
pub(crate) fn failing(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> HttpLimiterBuilder<FailingStore> {
    let local = MemoryStore::with_clock(ManualClock::new(NOW));
    let policies = PolicyLimiter::new(set(policies), FailingStore).with_local_store(local);
    HttpLimiter::builder(policies)
}

/// A request of the usual peer.
pub(crate) fn request(path: &str) -> Request<Body> {
    request_from(PEER, path)
}

pub(crate) fn request_from(peer: &str, path: &str) -> Request<Body> {
    let peer: SocketAddr = peer.parse().unwrap();
    let request = Request::builder().uri(path).extension(Peer(Some(peer)));
    request.body(Body::default()).unwrap()
}

/// Sends one request through a layer to a service that answers with a status.
pub(crate) async fn send_to<S, R>(
    layer: &RateLimitLayer<S, R>,
    request: Request<Body>,
    status: StatusCode,
) -> Response<Body>
where
    S: Store,
    R: Render<Body> + Clone,
{
    let service = service_fn(move |_: Request<Body>| async move {
        let mut response = Response::new(Body::from("served"));
        *response.status_mut() = status;
        Ok::<_, Infallible>(response)
    });
    let service: RateLimit<_, S, R> = layer.layer(service);
    let Ok(response) = service.oneshot(request).await;
    response
}

/// Sends one request through a limiter to a service that answers 200.
pub(crate) async fn send<S: Store>(
    limiter: &HttpLimiter<S>,
    request: Request<Body>,
) -> Response<Body> {
    let layer = RateLimitLayer::new(limiter.clone());
    send_to(&layer, request, StatusCode::OK).await
}

/// Sends the same request so many times, and gives the last response.
pub(crate) async fn send_times<S: Store>(
    limiter: &HttpLimiter<S>,
    times: usize,
    path: &str,
) -> Response<Body> {
    for _ in 1..times {
        send(limiter, request(path)).await;
    }
    send(limiter, request(path)).await
}

/// Calls a ready service.
pub(crate) async fn call<T>(service: T, request: Request<Body>) -> Response<Body>
where
    T: Service<Request<Body>, Response = Response<Body>, Error = Infallible>,
{
    let Ok(response) = service.oneshot(request).await;
    response
}

pub(crate) async fn text(response: Response<Body>) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub(crate) async fn json(response: Response<Body>) -> Value {
    serde_json::from_str(&text(response).await).unwrap()
}

/// The value of a field that is there at most once.
pub(crate) fn field<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    let mut lines = headers.get_all(name).iter();
    let line = lines.next();
    assert_eq!(lines.next(), None, "{name} is there twice");
    line.map(|line| line.to_str().unwrap())
}

/// A member of a list field: its name and its parameters.
pub(crate) type Member = (String, Vec<(String, i64)>);

/// Reads a list field as RFC 9651 says, and checks what the draft asks of its members.
pub(crate) fn members(headers: &HeaderMap, name: &str) -> Vec<Member> {
    let Some(line) = field(headers, name) else {
        return Vec::new();
    };
    let list: List = Parser::new(line).parse().unwrap();
    assert!(!list.is_empty());
    list.iter().map(member).collect()
}

fn member(entry: &ListEntry) -> Member {
    let ListEntry::Item(item) = entry else {
        panic!("{entry:?} is no item");
    };
    let BareItem::String(name) = &item.bare_item else {
        panic!("{item:?} is no string");
    };
    let parameters = item.params.iter().map(|(key, value)| {
        let BareItem::Integer(value) = value else {
            panic!("{value:?} is no integer");
        };
        let value = i64::from(*value);
        assert!(value >= 0);
        (key.as_str().to_owned(), value)
    });
    (name.as_str().to_owned(), parameters.collect())
}

pub(crate) fn names(members: &[Member]) -> Vec<&str> {
    members.iter().map(|(name, _)| name.as_str()).collect()
}

pub(crate) fn has_no_rate_limit_fields(headers: &HeaderMap) -> bool {
    headers
        .keys()
        .all(|name| !name.as_str().contains("ratelimit"))
}

pub(crate) fn secs(secs: u64) -> Micros {
    Micros::from_secs(secs)
}

/// A store that cannot be reached.
#[derive(Debug)]
pub(crate) struct FailingStore;

fn unreachable() -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, "the store cannot be reached")
}

impl Store for FailingStore {
    async fn decide(&self, _: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        Err(unreachable())
    }

    async fn peek(&self, _: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        Err(unreachable())
    }

    async fn refund(&self, _: &[Charge<'_>], _: &Outcomes) -> Result<(), StoreError> {
        Err(unreachable())
    }

    async fn reset(&self, _: &Limit, _: &str, _: &str) -> Result<bool, StoreError> {
        Err(unreachable())
    }
}
