//! The way of one request: decide, call the inner service or answer, settle.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use http::{Request, Response};
use pin_project_lite::pin_project;
use tollgate::Store;
use tollgate_policy::Undecided;
use tower_service::Service;

use crate::{Decided, HttpLimiter, Render};

type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;

pin_project! {
    /// The response of [`RateLimit`](crate::RateLimit).
    ///
    /// Dropping it leaves the request charged: whoever goes away early has still asked. Until the
    /// store has decided it holds the inner service, ready and not yet called, and lets go of it
    /// at once when the request is turned away.
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
        Answered { response: Option<Inner::Response> },
        Deciding { decide: Boxed<Decided>, waiting: Option<(Inner, R, Request<B>)> },
        Calling { #[pin] response: Inner::Future, decision: Option<Decided> },
        Settling { settle: Boxed<Decided>, response: Option<Inner::Response> },
    }
}

impl<Inner, S, R, B> RateLimitFuture<Inner, S, R, B>
where
    Inner: Service<Request<B>>,
{
    /// Of a request that is not counted.
    pub(crate) const fn passing(limiter: HttpLimiter<S>, response: Inner::Future) -> Self {
        let state = State::Passing { response };
        Self { state, limiter }
    }

    /// Of a request that is not decided yet, and is for `inner`, which is ready.
    pub(crate) fn deciding(
        limiter: HttpLimiter<S>,
        undecided: Undecided,
        waiting: (Inner, R, Request<B>),
    ) -> Self
    where
        S: Store,
    {
        let waiting = Some(waiting);
        let policies = limiter.policies();
        // Boxed, since the store's future has no name.
        let decide = Box::pin(async move { Decided::from(policies.decide_later(undecided).await) });
        let state = State::Deciding { decide, waiting };
        Self { state, limiter }
    }

    /// Of a request that was let through.
    pub(crate) const fn calling(
        limiter: HttpLimiter<S>,
        response: Inner::Future,
        decision: Decided,
    ) -> Self {
        let decision = Some(decision);
        let state = State::Calling { response, decision };
        Self { state, limiter }
    }

    /// Of a request that was turned away.
    pub(crate) const fn answered(limiter: HttpLimiter<S>, response: Inner::Response) -> Self {
        let response = Some(response);
        let state = State::Answered { response };
        Self { state, limiter }
    }
}

/// The answer to a request that is turned away.
pub(crate) fn turned_away<S, R, B, ResBody>(
    limiter: &HttpLimiter<S>,
    render: &R,
    request: Request<B>,
    decision: Decided,
) -> Response<ResBody>
where
    R: Render<ResBody>,
{
    let (parts, _) = request.into_parts();
    let mut response = render.render(limiter.denial(&decision), &parts);
    limiter.finish(decision, &mut response);
    response
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
                StateProjection::Answered { response } => {
                    return response
                        .take()
                        .map_or(Poll::Pending, |response| Poll::Ready(Ok(response)));
                }
                StateProjection::Deciding { decide, waiting } => {
                    let decision = ready!(decide.as_mut().poll(cx));
                    let Some((mut inner, render, mut request)) = waiting.take() else {
                        // Polled again after completion, which nobody may do.
                        return Poll::Pending;
                    };
                    if !decision.is_allowed() {
                        // Its place is another's from now on.
                        drop(inner);
                        let response = turned_away(this.limiter, &render, request, decision);
                        return Poll::Ready(Ok(response));
                    }
                    request.extensions_mut().insert(decision.clone());
                    State::Calling {
                        response: inner.call(request),
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
                        // What cannot be given back stays counted, which is the safe side. The
                        // response is no worse for it, so that nobody is told.
                        let _ = limiter.settle(&decision, status).await;
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
