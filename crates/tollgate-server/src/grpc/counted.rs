//! Calls that are counted, and not more at a time than may be.

use std::sync::Arc;

use tollgate_engine::Engine;
use tonic::metadata::MetadataValue;
use tonic::{Code as GrpcCode, Request, Response, Status};

use super::generated::rate_limit_service_server::RateLimitService;
use super::generated::{Code, RateLimitRequest, RateLimitResponse};
use super::rate_limit::RateLimiter;
use crate::metrics::{Outcome, Overloaded, RETRY_AFTER, Surface};

/// The rate limit service, as it is registered.
pub(super) struct Counted {
    limiter: RateLimiter,
    surface: Arc<Surface>,
}

impl Counted {
    pub(super) fn new(engine: Engine, surface: Arc<Surface>) -> Self {
        Self {
            limiter: RateLimiter::new(engine),
            surface,
        }
    }
}

#[tonic::async_trait]
impl RateLimitService for Counted {
    async fn should_rate_limit(
        &self,
        request: Request<RateLimitRequest>,
    ) -> Result<Response<RateLimitResponse>, Status> {
        // A call whose time is over is dropped, and counted as cancelled.
        let counted = self.surface.begin().map_err(too_many)?;
        let answer = self.limiter.decide(request).await;
        counted.end(outcome(&answer));
        answer
    }
}

fn outcome(answer: &Result<Response<RateLimitResponse>, Status>) -> Outcome {
    match answer {
        Ok(answer) if answer.get_ref().overall_code() == Code::Ok => Outcome::Allow,
        Ok(_) => Outcome::Deny,
        Err(status) if status.code() == GrpcCode::InvalidArgument => Outcome::Invalid,
        Err(_) => Outcome::Failed,
    }
}

/// The caller is told when to come back in the way in which clients of gRPC that repeat calls by
/// themselves understand it.
#[cold]
fn too_many(overloaded: Overloaded) -> Status {
    let mut status = Status::resource_exhausted(format!(
        "{overloaded}, or start the daemon with a larger --max-requests"
    ));
    let pushback = MetadataValue::from(RETRY_AFTER.as_secs() * 1000);
    status
        .metadata_mut()
        .insert("grpc-retry-pushback-ms", pushback);
    status
}
