//! Which service a call is for.
//!
//! By hand rather than by a router: nearly all calls are for one service.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::body::Body;
use tonic::server::NamedService;
use tonic_health::pb::health_server::HealthServer;

use super::counted::{Counted, too_many};
use super::deadline::Call;
use super::generated::rate_limit_service_server::SERVICE_NAME;
use super::health::{self, Served};
use super::reflection::Reflection;
use super::short::{self, Answering, Short};
use crate::lifecycle::Lifecycle;
use crate::memory::{Arriving, Exhausted, Kept, Memory, Portion};
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
    memory: Arc<Memory>,
}

impl Services {
    pub(super) fn new(limiter: Counted, lifecycle: Lifecycle, memory: Arc<Memory>) -> Self {
        Self {
            surface: limiter.surface(),
            limiter: Arc::new(limiter),
            reflection: Reflection::new(),
            lifecycle,
            memory,
        }
    }

    /// The services for a connection that ends when it is time to drain.
    pub(super) fn on_connection(&self, drain: CancellationToken) -> OnConnection {
        OnConnection {
            services: self.clone(),
            health: health::service(NAMES, self.lifecycle.clone(), drain.clone()),
            is_used: Arc::default(),
            portion: self.memory.portion(),
            drain,
        }
    }
}

/// The services of one connection.
pub(super) struct OnConnection {
    services: Services,
    health: HealthServer<Served>,
    is_used: Arc<AtomicBool>,
    portion: Portion,
    drain: CancellationToken,
}

impl OnConnection {
    pub(super) fn portion(&self) -> Portion {
        self.portion.clone()
    }

    /// True as soon as there was a call.
    pub(super) fn is_used(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_used)
    }
}

impl hyper::service::Service<Request<Incoming>> for OnConnection {
    type Response = Response<Kept<Body>>;
    type Error = Infallible;
    type Future = Call<Answer>;

    fn call(&self, request: Request<Incoming>) -> Call<Answer> {
        use tower_service::Service;
        self.is_used.store(true, Ordering::Relaxed);
        if !is_grpc(request.headers()) {
            self.services.surface.count(Outcome::Invalid);
            return Call::answered(Answer::ready(not_grpc()));
        }
        let limiter = || Arc::clone(&self.services.limiter);
        let held = match self.portion.hold(request.headers()) {
            Ok(held) => held,
            Err(exhausted) => {
                self.services.surface.count(Outcome::Overloaded);
                return Call::answered(Answer::ready(no_memory(exhausted).into_http()));
            }
        };
        let kept = Arc::clone(&held);
        if request.uri().path() == short::PATH {
            return Call::to(request, held, |it| {
                Answer::Short(Short::new(limiter(), it, kept))
            });
        }
        let request = request.map(|body| Arriving::new(body, kept));
        let service = service_of(request.uri().path());
        if service == SERVICE_NAME {
            let mut limiter = short::service(limiter());
            return Call::to(request, held, |it| {
                Answer::Other(limiter.call(it.map(status_of)))
            });
        }
        if service == HealthServer::<Served>::NAME {
            self.services.surface.count(Outcome::Other);
            let mut health = self.health.clone();
            return Call::to(request, held, |it| {
                Answer::Other(health.call(it.map(status_of)))
            });
        }
        let reflection = &self.services.reflection;
        if let Some(service) = reflection.named(service) {
            self.services.surface.count(Outcome::Other);
            return Call::to(request, held, |it| Answer::Other(service(it, &self.drain)));
        }
        self.services.surface.count(Outcome::Invalid);
        let refusal = Status::unimplemented("there is no such service").into_http();
        Call::answered(Answer::ready(refusal))
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

impl Answer {
    fn ready(answer: Response<Body>) -> Self {
        Self::Other(Box::pin(std::future::ready(Ok(answer))))
    }
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

/// A call is refused, or its message is not taken any further.
pub(super) fn no_memory(exhausted: Exhausted) -> Status {
    too_many(format!(
        "{exhausted}, or start the daemon with a larger --max-request-memory"
    ))
}

/// The errors of a body, in the words of gRPC.
fn status_of(body: Arriving) -> impl http_body::Body<Data = Bytes, Error = Status> {
    body.map_err(|error| match Exhausted::is_cause_of(&*error) {
        true => no_memory(Exhausted),
        false => Status::from_error(error),
    })
}

/// True for `application/grpc` and `application/grpc+proto`, with any parameters.
fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let Some(rest) = kind.and_then(|kind| kind.strip_prefix(b"application/grpc")) else {
        return false;
    };
    let rest = rest.strip_prefix(b"+proto").unwrap_or(rest);
    rest.is_empty() || rest.trim_ascii_start().starts_with(b";")
}

/// The protocol has a status of HTTP for that, and none of its own.
fn not_grpc() -> Response<Body> {
    let mut refusal = Response::new(Body::empty());
    *refusal.status_mut() = StatusCode::UNSUPPORTED_MEDIA_TYPE;
    refusal
}

/// `package.Service` of `/package.Service/Method`.
fn service_of(path: &str) -> &str {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_once('/').map_or("", |(service, _)| service)
}
