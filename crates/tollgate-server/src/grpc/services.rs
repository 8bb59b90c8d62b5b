//! Which service a call is for.
//!
//! By hand rather than by a router: nearly all calls are for one service.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

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
use super::generated::rate_limit_service_server::SERVICE_NAME;
use super::health::{self, Served};
use super::reflection::Reflection;
use super::short::{self, Answering, Short};
use crate::lifecycle::Lifecycle;
use crate::metrics::{Outcome, Surface};

/// The services whose health can be asked for.
const NAMES: &[&str] = &[SERVICE_NAME, HealthServer::<Served>::NAME];

/// All services, as one connection calls them.
#[derive(Clone)]
pub(super) struct Services {
    limiter: Arc<Counted>,
    reflection: Reflection,
    lifecycle: Lifecycle,
    surface: Arc<Surface>,
}

impl Services {
    pub(super) fn new(engine: Engine, lifecycle: Lifecycle, surface: Arc<Surface>) -> Self {
        Self {
            limiter: Arc::new(Counted::new(engine, Arc::clone(&surface))),
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
    type Future = Call<Answer>;

    fn call(&self, request: Request<Incoming>) -> Call<Answer> {
        use tower_service::Service;
        self.is_used.store(true, Ordering::Relaxed);
        let limiter = || Arc::clone(&self.services.limiter);
        if request.uri().path() == short::PATH {
            return Call::to(request, |it| Answer::Short(Short::new(limiter(), it)));
        }
        let service = service_of(request.uri().path());
        if service == SERVICE_NAME {
            let mut limiter = short::service(limiter());
            return Call::to(request, |it| Answer::Other(limiter.call(it)));
        }
        if service == HealthServer::<Served>::NAME {
            self.services.surface.count(Outcome::Other);
            let mut health = self.health.clone();
            return Call::to(request, |it| Answer::Other(health.call(it)));
        }
        let reflection = &self.services.reflection;
        if let Some(service) = reflection.named(service) {
            self.services.surface.count(Outcome::Other);
            return Call::to(request, |it| Answer::Other(service(it, &self.drain)));
        }
        self.services.surface.count(Outcome::Invalid);
        let refusal = Status::unimplemented("there is no such service").into_http();
        let refusal = Box::pin(std::future::ready(Ok(refusal)));
        Call::within(bounds::CALL, Answer::Other(refusal))
    }
}

/// The answer of any of the services.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are of it, and have their place in a task already"
)]
pub(super) enum Answer {
    Short(Short),
    Other(Answering),
}

impl Future for Answer {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        match self.get_mut() {
            Self::Short(short) => Pin::new(short).poll(cx),
            Self::Other(answering) => answering.as_mut().poll(cx),
        }
    }
}

/// `package.Service` of `/package.Service/Method`.
fn service_of(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or("", |(service, _)| service)
}
