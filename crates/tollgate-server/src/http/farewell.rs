//! The last answer of a connection, while the daemon is leaving.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::http::{HeaderValue, Request, Response, Version, header};
use pin_project_lite::pin_project;
use tower_service::Service;

use crate::lifecycle::Lifecycle;

/// Ends connections of HTTP/1 by an answer: a client that is told does not send its next request
/// into a connection that is being closed, where nobody would know whether it was seen.
#[derive(Clone)]
pub(super) struct Farewell<S> {
    inner: S,
    lifecycle: Lifecycle,
}

impl<S> Farewell<S> {
    pub(super) const fn new(inner: S, lifecycle: Lifecycle) -> Self {
        Self { inner, lifecycle }
    }
}

impl<S, B, C> Service<Request<B>> for Farewell<S>
where
    S: Service<Request<B>, Response = Response<C>>,
{
    type Response = Response<C>;
    type Error = S::Error;
    type Future = Answer<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        // HTTP/2 has a way of its own to say it.
        let can_be_told = request.version() <= Version::HTTP_11;
        Answer {
            inner: self.inner.call(request),
            lifecycle: can_be_told.then(|| self.lifecycle.clone()),
        }
    }
}

pin_project! {
    pub(super) struct Answer<F> {
        #[pin]
        inner: F,
        lifecycle: Option<Lifecycle>,
    }
}

impl<F, C, E> Future for Answer<F>
where
    F: Future<Output = Result<Response<C>, E>>,
{
    type Output = Result<Response<C>, E>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let mut response = ready!(this.inner.poll(cx))?;
        if this.lifecycle.as_ref().is_some_and(Lifecycle::is_leaving) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        Poll::Ready(Ok(response))
    }
}
