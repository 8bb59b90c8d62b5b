//! The service.

use std::fmt;
use std::mem;
use std::task::{Context, Poll};

use http::{Request, Response};
use tollgate::{MemoryStore, Store};
use tower_service::Service;

use crate::{HttpLimiter, ProblemJson, RateLimitFuture, Render};

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

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // The one that was polled to readiness is called; its clone, which was not, stays.
        let next = self.inner.clone();
        let inner = mem::replace(&mut self.inner, next);
        RateLimitFuture::new(inner, self.limiter.clone(), self.render.clone(), request)
    }
}
