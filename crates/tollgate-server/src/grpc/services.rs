//! Which service a call is for.
//!
//! By hand rather than by a router: nearly all calls are for one service.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use http::{Request, Response};
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;
use tollgate_engine::Engine;
use tonic::Status;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::pb::health_server::HealthServer;

use super::bounds;
use super::deadline::Call;
use super::generated::rate_limit_service_server::{RateLimitServiceServer, SERVICE_NAME};
use super::health::{self, Served};
use super::rate_limit::RateLimiter;
use super::reflection::Reflection;

/// The services whose health can be asked for.
const NAMES: &[&str] = &[SERVICE_NAME, HealthServer::<Served>::NAME];

/// All services, as one connection calls them.
#[derive(Clone)]
pub(super) struct Services {
    limiter: RateLimitServiceServer<RateLimiter>,
    reflection: Reflection,
}

impl Services {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            limiter: RateLimitServiceServer::new(RateLimiter::new(engine))
                .max_decoding_message_size(bounds::MESSAGE),
            reflection: Reflection::new(),
        }
    }

    /// The services for a connection that ends when it is time to drain.
    pub(super) fn on_connection(&self, drain: CancellationToken) -> OnConnection {
        OnConnection {
            services: self.clone(),
            health: health::service(NAMES, drain.clone()),
            is_used: Arc::default(),
            drain,
        }
    }
}

/// The services of one connection.
pub(super) struct OnConnection {
    services: Services,
    health: HealthServer<Served>,
    is_used: Arc<AtomicBool>,
    drain: CancellationToken,
}

impl OnConnection {
    /// True as soon as there was a call.
    pub(super) fn is_used(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_used)
    }
}

impl hyper::service::Service<Request<Incoming>> for OnConnection {
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Call;

    fn call(&self, request: Request<Incoming>) -> Call {
        use tower_service::Service;
        self.is_used.store(true, Ordering::Relaxed);
        let service = service_of(request.uri().path());
        if service == SERVICE_NAME {
            let mut limiter = self.services.limiter.clone();
            return Call::to(request, |request| limiter.call(request));
        }
        if service == HealthServer::<Served>::NAME {
            let mut health = self.health.clone();
            return Call::to(request, |request| health.call(request));
        }
        let reflection = &self.services.reflection;
        if let Some(service) = reflection.named(service) {
            return Call::to(request, |request| service(request, &self.drain));
        }
        Call::refused(Status::unimplemented("there is no such service"))
    }
}

/// `package.Service` of `/package.Service/Method`.
fn service_of(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or("", |(service, _)| service)
}
