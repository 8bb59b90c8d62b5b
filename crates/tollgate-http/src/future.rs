//! The way of one request: decide, call the inner service or answer, settle.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::request::Parts;
use http::{Request, Response};
use pin_project_lite::pin_project;
use tollgate::Store;
use tollgate_policy::Decision;
use tower_service::Service;

use crate::{Decided, HttpLimiter, Render, RequestHead};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pin_project! {
    /// The response of [`RateLimit`](crate::RateLimit).
    ///
    /// Dropping it while the inner service works leaves the request charged: whoever goes away early has still
    /// asked. It holds the inner service from the first poll on, ready and not yet called,
    /// and lets go of it at once when the request is turned away.
    pub struct RateLimitFuture<Inner, S, R, B>
    where
        Inner: Service<Request<B>>,
    {
        #[pin]
        state: State<Inner, R, B>,
        limiter: HttpLimiter<S>,
    }
}

pin_project! {
    #[project = StateProjection]
    enum State<Inner, R, B>
    where
        Inner: Service<Request<B>>,
    {
        // Nothing is counted.
        Passing { #[pin] response: Inner::Future },
        Deciding { decide: Boxed<(Parts, Decision)>, waiting: Option<(Inner, R, B)> },
        Calling { #[pin] response: Inner::Future, decision: Option<Decided> },
        Settling { settle: Boxed<Decided>, response: Option<Inner::Response> },
    }
}

impl<Inner, S, R, B> RateLimitFuture<Inner, S, R, B>
where
    Inner: Service<Request<B>>,
    S: Store,
{
    pub(crate) fn new(
        mut inner: Inner,
        limiter: HttpLimiter<S>,
        render: R,
        request: Request<B>,
    ) -> Self {
        let (parts, body) = request.into_parts();
        let state = if limiter.passes(RequestHead::from(&parts)) {
            let response = inner.call(Request::from_parts(parts, body));
            State::Passing { response }
        } else {
            let limiter = limiter.clone();
            // The store's future has no name and borrows the request's parts, so they share a box.
            let decide = Box::pin(async move {
                let decision = limiter.check(&parts).await;
                (parts, decision)
            });
            State::Deciding {
                decide,
                waiting: Some((inner, render, body)),
            }
        };
        Self { state, limiter }
    }
}

impl<Inner, S, R, B, ResBody> Future for RateLimitFuture<Inner, S, R, B>
where
    Inner: Service<Request<B>, Response = Response<ResBody>>,
    S: Store,
    R: Render<ResBody>,
{
    type Output = Result<Response<ResBody>, Inner::Error>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut this = self.project();
        loop {
            let next = match this.state.as_mut().project() {
                StateProjection::Passing { response } => return response.poll(cx),
                StateProjection::Deciding { decide, waiting } => {
                    let (mut parts, decision) = ready!(decide.as_mut().poll(cx));
                    let Some((mut inner, render, body)) = waiting.take() else {
                        // Polled again after completion, which nobody may do.
                        return Poll::Pending;
                    };
                    let decision = Decided::from(decision);
                    if !decision.is_allowed() {
                        drop(inner);
                        let denial = this.limiter.denial(&decision);
                        let mut response = render.render(denial, &parts);
                        this.limiter.finish(decision, &mut response);
                        return Poll::Ready(Ok(response));
                    }
                    parts.extensions.insert(decision.clone());
                    State::Calling {
                        response: inner.call(Request::from_parts(parts, body)),
                        decision: Some(decision),
                    }
                }
                StateProjection::Calling { response, decision } => {
                    // If the inner service errs, there is no status to settle by: the charge stays.
                    let mut response = ready!(response.poll(cx))?;
                    let Some(decision) = decision.take() else {
                        return Poll::Pending;
                    };
                    if !decision.needs_settling() {
                        this.limiter.finish(decision, &mut response);
                        return Poll::Ready(Ok(response));
                    }
                    let (limiter, status) = (this.limiter.clone(), response.status());
                    let settle = Box::pin(async move {
                        limiter.settle(&decision, status).await;
                        decision
                    });
                    State::Settling {
                        settle,
                        response: Some(response),
                    }
                }
                StateProjection::Settling { settle, response } => {
                    let decision = ready!(settle.as_mut().poll(cx));
                    let Some(mut response) = response.take() else {
                        return Poll::Pending;
                    };
                    this.limiter.finish(decision, &mut response);
                    return Poll::Ready(Ok(response));
                }
            };
            this.state.set(next);
        }
    }
}

impl<Inner, S, R, B> fmt::Debug for RateLimitFuture<Inner, S, R, B>
where
    Inner: Service<Request<B>>,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitFuture").finish_non_exhaustive()
    }
}
