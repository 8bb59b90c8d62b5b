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
use super::counted::Counted;
use super::deadline::Call;
use super::generated::rate_limit_service_server::{RateLimitServiceServer, SERVICE_NAME};
use super::health::{self, Served};
use super::reflection::Reflection;
use crate::lifecycle::Lifecycle;
use crate::metrics::{Outcome, Surface};

/// The services whose health can be asked for.
const NAMES: &[&str] = &[SERVICE_NAME, HealthServer::<Served>::NAME];

/// All services, as one connection calls them.
#[derive(Clone)]
pub(super) struct Services {
    limiter: RateLimitServiceServer<Counted>,
    reflection: Reflection,
    lifecycle: Lifecycle,
    surface: Arc<Surface>,
}

impl Services {
    pub(super) fn new(engine: Engine, lifecycle: Lifecycle, surface: Arc<Surface>) -> Self {
        Self {
            limiter: RateLimitServiceServer::new(Counted::new(engine, Arc::clone(&surface)))
                .max_decoding_message_size(bounds::MESSAGE),
            reflection: Reflection::new(),
            lifecycle,
            surface,
        }
    }

    /// The services for a connection that ends when it is time to drain.
    pub(super) fn on_connection(&self, drain: CancellationToken) -> OnConnection {
        OnConnection {
            services: self.clone(),
            health: health::service(NAMES, self.lifecycle.clone(), drain.clone()),
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
            self.services.surface.count(Outcome::Other);
            let mut health = self.health.clone();
            return Call::to(request, |request| health.call(request));
        }
        let reflection = &self.services.reflection;
        if let Some(service) = reflection.named(service) {
            self.services.surface.count(Outcome::Other);
            return Call::to(request, |request| service(request, &self.drain));
        }
        self.services.surface.count(Outcome::Invalid);
        Call::refused(Status::unimplemented("there is no such service"))
    }
}

/// `package.Service` of `/package.Service/Method`.
fn service_of(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or("", |(service, _)| service)
}
