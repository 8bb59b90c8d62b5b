//! Policies that count failures only.

use std::convert::Infallible;
use std::future::pending;

use http::{Request, Response, StatusCode};
use tollgate::{Charge, Limit, ManualClock, Outcomes, Store, StoreError, StoreErrorKind};
use tollgate_http::{HttpLimiter, RateLimitLayer};
use tollgate_policy::{Count, PolicyLimiter, Statuses};
use tower::{Layer, Service, ServiceExt, service_fn};

use crate::support::*;

fn login() -> HttpLimiter<TestStore> {
    let failures = Count::Failures(Statuses::of([401]));
    let (limiter, _) = limiter([per_client("login", &["2/min"]).count(failures)]);
    limiter
}

async fn answer(limiter: &HttpLimiter<TestStore>, status: u16) -> Response<Body> {
    let layer = RateLimitLayer::new(limiter.clone());
    let status = StatusCode::from_u16(status).unwrap();
    send_to(&layer, request("/"), status).await
}

#[tokio::test]
async fn successes_are_given_back_and_failures_stay() {
    let limiter = login();
    for _ in 0..5 {
        assert_eq!(answer(&limiter, 200).await.status(), StatusCode::OK);
    }
    for _ in 0..2 {
        assert_eq!(
            answer(&limiter, 401).await.status(),
            StatusCode::UNAUTHORIZED
        );
    }
    assert_eq!(
        answer(&limiter, 200).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test]
async fn parallel_guesses_cannot_slip_through() {
    let limiter = login();
    let service = service_fn(async |_: Request<Body>| {
        pending::<()>().await;
        Ok::<_, Infallible>(Response::new(Body::default()))
    });
    let mut service = RateLimitLayer::new(limiter.clone()).layer(service);
    let mut guesses = Vec::new();
    for _ in 0..2 {
        let mut guess = Box::pin(service.ready().await.unwrap().call(request("/")));
        assert!(futures_poll(&mut guess).is_none());
        guesses.push(guess);
    }
    assert_eq!(
        answer(&limiter, 200).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );

    // Whoever goes away early has still asked.
    drop(guesses);
    assert_eq!(
        answer(&limiter, 200).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test]
async fn a_panic_behind_the_limiter_leaves_the_request_counted() {
    let limiter = login();
    for _ in 0..2 {
        let service = service_fn(async |request: Request<Body>| {
            assert!(request.uri() != "/", "boom");
            Ok::<_, Infallible>(Response::new(Body::default()))
        });
        let service = RateLimitLayer::new(limiter.clone()).layer(service);
        let served = tokio::spawn(service.oneshot(request("/")));
        assert!(served.await.unwrap_err().is_panic());
    }
    assert_eq!(
        answer(&limiter, 200).await.status(),
        StatusCode::TOO_MANY_REQUESTS
    );
}

#[tokio::test]
async fn what_cannot_be_given_back_stays_counted_and_whoever_settles_is_told() {
    let policy = per_client("login", &["2/min"]).count(Count::Failures(Statuses::of([401])));
    let store = KeepsAll(TestStore::with_clock(ManualClock::new(NOW)));
    let limiter = HttpLimiter::new(PolicyLimiter::new(set([policy]), store));
    let decision = limiter.check(&request("/")).await;
    let error = limiter.settle(&decision, StatusCode::OK).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    // The layer answers as if nothing had happened.
    assert_eq!(send(&limiter, request("/")).await.status(), StatusCode::OK);
    let third = send(&limiter, request("/")).await;
    assert_eq!(third.status(), StatusCode::TOO_MANY_REQUESTS);
}

/// A store that decides, but gives nothing back.
struct KeepsAll(TestStore);

impl Store for KeepsAll {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.0.decide(charges).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.0.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        FailingStore.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.0.reset(limit, policy, key).await
    }
}

/// The output of a future, if it is ready at its next poll.
fn futures_poll<F: Future + Unpin>(future: &mut F) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::Pin::new(future).poll(&mut context) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
