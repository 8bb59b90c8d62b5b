//! `grpc.health.v1`: whether calls are answered.
//!
//! An outage of the store does not change that, since each policy says what happens meanwhile;
//! taking all daemons out for it would make it worse.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio_stream::Stream;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use super::bounds;

/// Serving, until the daemon drains.
pub(super) struct Served {
    services: &'static [&'static str],
    drain: CancellationToken,
}

/// The health of these services, and of the daemon, whose name is empty.
pub(super) fn service(
    services: &'static [&'static str],
    drain: CancellationToken,
) -> HealthServer<Served> {
    HealthServer::new(Served { services, drain }).max_decoding_message_size(bounds::SMALL_MESSAGE)
}

impl Served {
    fn knows(&self, service: &str) -> bool {
        service.is_empty() || self.services.contains(&service)
    }
}

#[tonic::async_trait]
impl Health for Served {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        if !self.knows(&request.get_ref().service) {
            return Err(Status::not_found("there is no such service"));
        }
        let status = match self.drain.is_cancelled() {
            true => ServingStatus::NotServing,
            false => ServingStatus::Serving,
        };
        Ok(Response::new(answer(status)))
    }

    type WatchStream = Watched;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Watched>, Status> {
        let drain = Box::pin(self.drain.clone().cancelled_owned());
        Ok(Response::new(if self.knows(&request.get_ref().service) {
            Watched::Begins(ServingStatus::Serving, drain)
        } else {
            // The protocol wants no error here: the service may come.
            Watched::Begins(ServingStatus::ServiceUnknown, drain)
        }))
    }
}

fn answer(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse {
        status: status.into(),
    }
}

/// The health of a service as it changes. It ends when the daemon does, so that whoever watches
/// does not keep it from ending.
pub(super) enum Watched {
    Begins(ServingStatus, Drain),
    Lasts(ServingStatus, Drain),
    Ended,
}

type Drain = Pin<Box<WaitForCancellationFutureOwned>>;

impl Stream for Watched {
    type Item = Result<HealthCheckResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let told = match std::mem::replace(this, Self::Ended) {
            Self::Begins(status, drain) => {
                *this = Self::Lasts(status, drain);
                status
            }
            Self::Lasts(status, mut drain) => {
                if drain.as_mut().poll(cx).is_pending() {
                    *this = Self::Lasts(status, drain);
                    return Poll::Pending;
                }
                match status {
                    ServingStatus::Serving => ServingStatus::NotServing,
                    _ => return Poll::Ready(None),
                }
            }
            Self::Ended => return Poll::Ready(None),
        };
        Poll::Ready(Some(Ok(answer(told))))
    }
}
