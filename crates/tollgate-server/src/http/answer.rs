//! Which part of the surface answers a request.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response};
use axum::response::IntoResponse as _;
use tower_service::Service as _;

use super::{Shared, check};
use crate::memory::Arriving;

/// Answers the requests of a connection.
pub(super) trait Answer: Clone + Send + 'static {
    fn answer(self, request: Request<Arriving>) -> impl Future<Output = Response<Body>> + Send;
}

impl Answer for Router {
    async fn answer(mut self, request: Request<Arriving>) -> Response<Body> {
        // A router is always ready, and does not fail.
        self.call(request)
            .await
            .unwrap_or_else(|never| match never {})
    }
}

/// All routes of the surface. A check is answered without the router, which costs a tenth of it.
#[derive(Clone)]
pub(super) struct Routes {
    pub(super) shared: Arc<Shared>,
    pub(super) all: Router,
}

impl Answer for Routes {
    async fn answer(self, request: Request<Arriving>) -> Response<Body> {
        if request.method() == Method::POST && request.uri().path() == check::PATH {
            return check::check(&self.shared, request).await.into_response();
        }
        self.all.answer(request).await
    }
}
