//! Which part of the surface answers a request.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response};
use axum::response::IntoResponse as _;
use tollgate_http::Peer;
use tower_service::Service as _;

use super::{Shared, check};
use crate::memory::Arriving;

/// Answers the requests of a connection.
pub(super) trait Answer: Send + Sync + 'static {
    /// Answers a request that comes from there.
    ///
    /// The future is moved for each request, so what is seldom gone through belongs in a box.
    fn answer(
        &self,
        request: Request<Arriving>,
        peer: Peer,
    ) -> impl Future<Output = Response<Body>> + Send;
}

impl Answer for Router {
    async fn answer(&self, mut request: Request<Arriving>, peer: Peer) -> Response<Body> {
        request.extensions_mut().insert(peer);
        // A router is always ready, and does not fail.
        self.clone()
            .call(request)
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
    async fn answer(&self, mut request: Request<Arriving>, peer: Peer) -> Response<Body> {
        if request.method() == Method::POST && request.uri().path() == check::PATH {
            return check::check(&self.shared, &mut request)
                .await
                .into_response();
        }
        Box::pin(self.all.answer(request, peer)).await
    }
}

#[cfg(test)]
mod tests {
    use tollgate_engine::Engine;

    use super::super::routes_beside;
    use super::*;
    use crate::ServerSettings;
    use crate::metrics::Surface;
    use crate::waiting::Waiting;

    #[test]
    fn what_is_moved_for_each_request_is_small() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tollgate.toml");
        let policies = "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['9/min']\n";
        std::fs::write(&file, policies).unwrap();
        let shared = (&Surface::new("http", 1), &Waiting::new(1));
        let (engine, settings) = (Engine::open(file).unwrap(), ServerSettings::default());
        let routes = routes_beside(Router::new(), engine, &settings, shared);
        let mut request = Request::new(Body::empty());
        let size = size_of_val(&check::check(&routes.shared, &mut request));
        assert!(size <= 1_500, "{size} bytes");
    }
}
