//! The service.

use std::fmt;
use std::mem;
use std::task::{Context, Poll};

use http::{Request, Response};
use tollgate::{MemoryStore, Store};
use tower_service::Service;

use crate::future::turned_away;
use crate::{HttpLimiter, ProblemJson, RateLimitFuture, Render, RequestHead};

/// Decides each request before the inner service sees it, and answers those that are turned away.
///
/// Made by [`RateLimitLayer`](crate::RateLimitLayer). It is ready when the inner service is, and
/// its errors are the inner service's: a request that is turned away gets a response.
pub struct RateLimit<Inner, S = MemoryStore, R = ProblemJson> {
    inner: Inner,
    limiter: HttpLimiter<S>,
    render: R,
}

impl<Inner, S, R> RateLimit<Inner, S, R> {
    pub(crate) const fn new(inner: Inner, limiter: HttpLimiter<S>, render: R) -> Self {
        Self {
            inner,
            limiter,
            render,
        }
    }

    /// The inner service.
    pub const fn get_ref(&self) -> &Inner {
        &self.inner
    }

    /// The inner service, to change it.
    pub const fn get_mut(&mut self) -> &mut Inner {
        &mut self.inner
    }

    /// The inner service alone.
    pub fn into_inner(self) -> Inner {
        self.inner
    }
}

impl<Inner: Clone, S, R> RateLimit<Inner, S, R> {
    /// Takes the inner service that was polled to readiness; its clone, which was not, stays.
    fn take_ready(&mut self) -> Inner {
        let next = self.inner.clone();
        mem::replace(&mut self.inner, next)
    }
}

impl<Inner: Clone, S, R: Clone> Clone for RateLimit<Inner, S, R> {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            limiter: self.limiter.clone(),
            render: self.render.clone(),
        }
    }
}

impl<Inner: fmt::Debug, S, R> fmt::Debug for RateLimit<Inner, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimit")
            .field("inner", &self.inner)
            .finish_non_exhaustive()
    }
}

impl<Inner, S, R, B, ResBody> Service<Request<B>> for RateLimit<Inner, S, R>
where
    Inner: Service<Request<B>, Response = Response<ResBody>> + Clone,
    S: Store,
    R: Render<ResBody> + Clone,
{
    type Response = Response<ResBody>;
    type Error = Inner::Error;
    type Future = RateLimitFuture<Inner, S, R, B>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        let head = RequestHead::from(&request);
        if self.limiter.passes(head) {
            return RateLimitFuture::passing(self.limiter.clone(), self.inner.call(request));
        }
        // A store in memory decides at once, and then the inner service needs no clone.
        match self.limiter.check_at_once(head) {
            Ok(decision) if decision.is_allowed() => {
                request.extensions_mut().insert(decision.clone());
                let response = self.inner.call(request);
                RateLimitFuture::calling(self.limiter.clone(), response, decision)
            }
            Ok(decision) => {
                // The readiness that is not used must not be kept from others.
                drop(self.take_ready());
                let response = turned_away(&self.limiter, &self.render, request, decision);
                RateLimitFuture::answered(self.limiter.clone(), response)
            }
            Err(undecided) => {
                let waiting = (self.take_ready(), self.render.clone(), request);
                RateLimitFuture::deciding(self.limiter.clone(), undecided, waiting)
            }
        }
    }
}
