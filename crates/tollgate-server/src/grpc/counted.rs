//! Calls that are counted, and not more at a time than may be.

use std::sync::Arc;

use http::HeaderMap;
use prost::Message as _;
use tokio::sync::OwnedSemaphorePermit;
use tollgate_engine::Engine;
use tonic::metadata::MetadataValue;
use tonic::{Code as GrpcCode, Request, Response, Status};

use super::generated::rate_limit_service_server::RateLimitService;
use super::generated::{Code, RateLimitRequest, RateLimitResponse};
use super::rate_limit::{Begun, RateLimiter};
use super::wire;
use crate::memory::Held;
use crate::metrics::{InFlight, Outcome, Overloaded, RETRY_AFTER, Surface};
use crate::waiting::Waiting;

/// What is asked, as spans name it.
const METHOD: &str = "ShouldRateLimit";

/// The rate limit service, as it is registered.
pub(super) struct Counted {
    limiter: RateLimiter,
    surface: Arc<Surface>,
    waiting: Waiting,
}

impl Counted {
    pub(crate) fn new(engine: Engine, surface: Arc<Surface>, waiting: Waiting) -> Self {
        Self {
            limiter: RateLimiter::new(engine),
            surface,
            waiting,
        }
    }

    pub(super) fn surface(&self) -> Arc<Surface> {
        Arc::clone(&self.surface)
    }

    /// Begins a call that gives nothing back, and answers it if that takes no waiting.
    ///
    /// # Errors
    ///
    /// There are too many calls, what is asked breaks a bound or is not understood, or there is no
    /// decision.
    pub(super) fn begin(
        &self,
        request: &wire::Request<'_>,
        metadata: &HeaderMap,
    ) -> Result<Begun, Status> {
        let counted = self.surface.begin().map_err(too_many_calls)?;
        let span = self.surface.trace(METHOD, metadata);
        match self.limiter.begin(request, span) {
            Ok(Begun::Answered(answer)) => {
                counted.end(outcome(Ok(answer.is_allowed)));
                Ok(Begun::Answered(answer))
            }
            Ok(Begun::Waits(later)) => {
                let (place, counted) = self.enter(counted)?;
                Ok(Begun::Waits(Box::pin(async move {
                    let answer = later.await;
                    drop(place);
                    counted.end(outcome(answer.as_ref().map(|answer| answer.is_allowed)));
                    answer
                })))
            }
            Err(status) => {
                counted.end(outcome(Err(&status)));
                Err(status)
            }
        }
    }
}

impl Counted {
    /// Lets a call wait for the store.
    fn enter(&self, counted: InFlight) -> Result<(OwnedSemaphorePermit, InFlight), Status> {
        match self.waiting.enter() {
            Ok(place) => Ok((place, counted)),
            Err(too_many_wait) => {
                counted.end(Outcome::Overloaded);
                Err(too_many(too_many_wait.to_string()))
            }
        }
    }

    /// Counts a call whose message did not arrive, or is longer than messages are.
    pub(super) fn refused(&self, status: &Status) {
        self.surface.count(match status.code() {
            GrpcCode::ResourceExhausted => Outcome::Overloaded,
            GrpcCode::OutOfRange | GrpcCode::InvalidArgument => Outcome::Invalid,
            _ => Outcome::Cancelled,
        });
    }
}

#[tonic::async_trait]
impl RateLimitService for Counted {
    async fn should_rate_limit(
        &self,
        request: Request<RateLimitRequest>,
    ) -> Result<Response<RateLimitResponse>, Status> {
        let held = request.extensions().get::<Arc<Held>>().cloned();
        // A call whose time is over is dropped, and counted as cancelled.
        let (_place, counted) = self.enter(self.surface.begin().map_err(too_many_calls)?)?;
        let span = self.surface.trace(METHOD, request.metadata().as_ref());
        let answer = self
            .limiter
            .decide_message(request.into_inner(), span)
            .await;
        counted.end(outcome(answer.as_ref().map(is_allowed)));
        if let (Ok(answer), Some(held)) = (&answer, held) {
            held.answer(answer.encoded_len());
        }
        answer.map(Response::new)
    }
}

fn is_allowed(answer: &RateLimitResponse) -> bool {
    answer.overall_code() == Code::Ok
}

fn outcome(is_allowed: Result<bool, &Status>) -> Outcome {
    match is_allowed {
        Ok(true) => Outcome::Allow,
        Ok(false) => Outcome::Deny,
        Err(status) if status.code() == GrpcCode::InvalidArgument => Outcome::Invalid,
        Err(_) => Outcome::Failed,
    }
}

#[cold]
fn too_many_calls(overloaded: Overloaded) -> Status {
    too_many(format!(
        "{overloaded}, or start the daemon with a larger --max-requests"
    ))
}

/// The caller is told when to come back in the way in which clients of gRPC that repeat calls by
/// themselves understand it.
#[cold]
pub(super) fn too_many(message: String) -> Status {
    let mut status = Status::resource_exhausted(message);
    let pushback = MetadataValue::from(RETRY_AFTER.as_secs() * 1000);
    status
        .metadata_mut()
        .insert("grpc-retry-pushback-ms", pushback);
    status
}
