//! Readiness and errors of the inner service.

use std::sync::Arc;
use std::task::Poll;

use http::{Request, Response, StatusCode};
use tokio::sync::Notify;
use tokio_test::{assert_pending, assert_ready, assert_ready_err, assert_ready_ok, task};
use tollgate::{Charge, Limit, Outcomes, Store, StoreError};
use tollgate_http::{HttpLimiter, RateLimit, RateLimitLayer};
use tollgate_policy::PolicyLimiter;
use tower::{Layer, Service, ServiceExt};
use tower_test::mock::{self, Handle, Mock, Spawn};

use crate::support::*;

type Inner = Mock<Request<Body>, Response<Body>>;
type Mocked<S> = (
    Spawn<RateLimit<Inner, S>>,
    Handle<Request<Body>, Response<Body>>,
);

fn mocked<S: Store>(limiter: &HttpLimiter<S>) -> Mocked<S> {
    mock::spawn_layer(RateLimitLayer::new(limiter.clone()))
}

fn one_a_minute() -> HttpLimiter<TestStore> {
    limiter([per_client("a", &["1/min"])]).0
}

#[tokio::test]
async fn is_ready_and_woken_when_the_inner_service_is() {
    let (mut service, mut handle) = mocked(&one_a_minute());
    handle.allow(0);
    assert_pending!(service.poll_ready());
    assert!(!service.is_woken());
    handle.allow(1);
    assert!(service.is_woken());
    assert_ready_ok!(service.poll_ready());
}

#[tokio::test]
async fn calls_the_service_that_was_ready_and_not_its_clone() {
    let (mut service, mut handle) = mocked(&one_a_minute());
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    // The mock panics if a service is called that was not polled to readiness.
    let mut response = task::spawn(service.call(request("/")));
    assert_pending!(response.poll());
    let (_, send) = assert_ready!(task::spawn(handle.next_request()).poll()).unwrap();
    send.send_response(Response::new(Body::from("hello")));
    assert!(response.is_woken());
    let response = assert_ready_ok!(response.poll());
    assert_eq!(text(response).await, "hello");

    // The one that stayed behind asks anew.
    handle.allow(0);
    assert_pending!(service.poll_ready());
}

#[tokio::test]
async fn turns_a_request_away_without_calling_the_inner_service_and_lets_it_go() {
    let limiter = one_a_minute();
    send(&limiter, request("/")).await;
    let (mut service, mut handle) = mocked(&limiter);
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    let mut response = task::spawn(service.call(request("/")));
    let answered = assert_ready_ok!(response.poll());
    assert_eq!(answered.status(), StatusCode::TOO_MANY_REQUESTS);
    assert_pending!(task::spawn(handle.next_request()).poll());

    // The readiness that was not used is there for another, although the future is still alive.
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    drop(response);
}

#[tokio::test]
async fn dropping_the_future_early_drops_the_request_and_leaves_the_service_usable() {
    let (limiter, clock) = limiter([per_client("a", &["1/min"])]);
    let (mut service, mut handle) = mocked(&limiter);
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    // Never polled: nothing is charged, nothing called.
    drop(service.call(request("/")));
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    let mut response = task::spawn(service.call(request("/")));
    assert_pending!(response.poll());
    // Polled: charged.
    drop(response);
    let (_, send) = assert_ready!(task::spawn(handle.next_request()).poll()).unwrap();
    send.send_response(Response::new(Body::default()));
    let denied = send_once(&limiter).await;
    assert_eq!(denied, StatusCode::TOO_MANY_REQUESTS);
    clock.advance(secs(60));
    assert_eq!(send_once(&limiter).await, StatusCode::OK);
}

async fn send_once(limiter: &HttpLimiter<TestStore>) -> StatusCode {
    send(limiter, request("/")).await.status()
}

#[tokio::test]
async fn passes_on_the_error_of_readiness() {
    let (mut service, mut handle) = mocked(&one_a_minute());
    handle.send_error("closed");
    let error = assert_ready_err!(service.poll_ready());
    assert_eq!(error.to_string(), "closed");
}

#[tokio::test]
async fn keeps_the_type_of_the_inner_services_errors() {
    #[derive(Debug, PartialEq)]
    struct Broken(u8);

    let inner = tower::service_fn(async |_: Request<Body>| Err::<Response<Body>, _>(Broken(7)));
    let service = RateLimitLayer::new(one_a_minute()).layer(inner);
    let error: Broken = service.oneshot(request("/")).await.unwrap_err();
    assert_eq!(error, Broken(7));
}

#[tokio::test]
async fn needs_neither_body_nor_error_nor_future_to_be_send() {
    use std::rc::Rc;

    let inner = tower::service_fn(async |request: Request<Rc<str>>| {
        Ok::<_, Rc<str>>(Response::new(Body::from(request.into_body().to_string())))
    });
    let mut service = RateLimitLayer::new(one_a_minute()).layer(inner);
    let request = request("/").map(|_| Rc::from("local"));
    let response = service.ready().await.unwrap().call(request).await.unwrap();
    assert_eq!(text(response).await, "local");
}

#[tokio::test]
async fn waits_for_the_store_before_it_calls_the_inner_service() {
    let (limiter, store) = slow();
    let (mut service, mut handle) = mocked(&limiter);
    handle.allow(1);
    assert_ready_ok!(service.poll_ready());
    let mut response = task::spawn(service.call(request("/")));
    assert_pending!(response.poll());
    assert_pending!(task::spawn(handle.next_request()).poll());
    store.notify_one();
    assert!(response.is_woken());
    assert_pending!(response.poll());
    assert!(matches!(
        task::spawn(handle.next_request()).poll(),
        Poll::Ready(Some(_))
    ));
}

/// A limiter whose store decides only when it is told to.
fn slow() -> (HttpLimiter<SlowStore>, Arc<Notify>) {
    let told = Arc::new(Notify::new());
    let store = SlowStore {
        inner: FailingStore,
        told: told.clone(),
    };
    let policies = PolicyLimiter::new(set([per_client("a", &["1/min"])]), store);
    (HttpLimiter::new(policies), told)
}

struct SlowStore {
    inner: FailingStore,
    told: Arc<Notify>,
}

impl Store for SlowStore {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.told.notified().await;
        self.inner.decide(charges).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.inner.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.inner.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.inner.reset(limit, policy, key).await
    }
}
