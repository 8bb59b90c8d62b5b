//! The layer.

use std::fmt;

use http::Response;
use http::request::Parts;
use tollgate::MemoryStore;
use tower_layer::Layer;

use crate::{Denial, HttpLimiter, ProblemJson, RateLimit};

/// Applies [`RateLimit`] to services: decides each request before the service sees it.
///
/// Policies that count failures only are settled when the response is known. Where the store fails
/// then, the request stays counted and nobody is told: whoever wants to know calls
/// [`HttpLimiter::settle`] in a middleware of their own.
///
/// The parameters are the store of the limiter, and what renders the answer to a request that is
/// turned away.
#[must_use = "a layer does nothing until it is added to a service"]
pub struct RateLimitLayer<S = MemoryStore, R = ProblemJson> {
    limiter: HttpLimiter<S>,
    render: R,
}

impl<S> RateLimitLayer<S> {
    /// A layer that decides by `limiter` and answers with [`ProblemJson`].
    pub const fn new(limiter: HttpLimiter<S>) -> Self {
        Self {
            limiter,
            render: ProblemJson,
        }
    }
}

impl<S, R> RateLimitLayer<S, R> {
    /// Answers with what a function makes of the denial and the request, such as the service's own
    /// form of errors. `Retry-After`, `Cache-Control` and the rate-limit fields are added to it,
    /// unless it has set them.
    pub fn render_with<B, F>(self, render: F) -> RateLimitLayer<S, F>
    where
        F: Fn(Denial<'_>, &Parts) -> Response<B>,
    {
        self.render(render)
    }

    /// Answers with [`NoBody`](crate::NoBody), say, or another type that is a
    /// [`Render`](crate::Render).
    pub fn render<R2>(self, render: R2) -> RateLimitLayer<S, R2> {
        RateLimitLayer {
            limiter: self.limiter,
            render,
        }
    }
}

impl<S, R: Clone> Clone for RateLimitLayer<S, R> {
    fn clone(&self) -> Self {
        Self {
            limiter: self.limiter.clone(),
            render: self.render.clone(),
        }
    }
}

impl<S, R> fmt::Debug for RateLimitLayer<S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimitLayer")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}

impl<Inner, S, R: Clone> Layer<Inner> for RateLimitLayer<S, R> {
    type Service = RateLimit<Inner, S, R>;

    fn layer(&self, inner: Inner) -> Self::Service {
        RateLimit::new(inner, self.limiter.clone(), self.render.clone())
    }
}
