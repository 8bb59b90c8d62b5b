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
use crate::lifecycle::Lifecycle;

/// Serving, until the daemon was told to stop.
pub(super) struct Served {
    services: &'static [&'static str],
    lifecycle: Lifecycle,
    /// Of the connection, which it must not keep from ending.
    drain: CancellationToken,
}

/// The health of these services, and of the daemon, whose name is empty.
pub(super) fn service(
    services: &'static [&'static str],
    lifecycle: Lifecycle,
    drain: CancellationToken,
) -> HealthServer<Served> {
    let served = Served {
        services,
        lifecycle,
        drain,
    };
    HealthServer::new(served).max_decoding_message_size(bounds::SMALL_MESSAGE)
}

impl Served {
    fn knows(&self, service: &str) -> bool {
        service.is_empty() || self.services.contains(&service)
    }

    fn status(&self) -> ServingStatus {
        match self.lifecycle.is_leaving() {
            true => ServingStatus::NotServing,
            false => ServingStatus::Serving,
        }
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
        Ok(Response::new(answer(self.status())))
    }

    type WatchStream = Watched;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Watched>, Status> {
        let status = match self.knows(&request.get_ref().service) {
            true => self.status(),
            // The protocol wants no error here: the service may come.
            false => ServingStatus::ServiceUnknown,
        };
        Ok(Response::new(Watched {
            tell: Some(status),
            status,
            leaving: Box::pin(self.lifecycle.leaving()),
            drain: Box::pin(self.drain.clone().cancelled_owned()),
        }))
    }
}

fn answer(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse {
        status: status.into(),
    }
}

/// The health of a service as it changes. It ends when the connection does, so that whoever watches
/// does not keep the daemon from ending.
pub(super) struct Watched {
    /// What is to be told next.
    tell: Option<ServingStatus>,
    /// What was told last.
    status: ServingStatus,
    leaving: Cancelled,
    drain: Cancelled,
}

type Cancelled = Pin<Box<WaitForCancellationFutureOwned>>;

impl Stream for Watched {
    type Item = Result<HealthCheckResponse, Status>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        let is_serving = this.status == ServingStatus::Serving;
        if this.tell.is_none() && is_serving && this.leaving.as_mut().poll(cx).is_ready() {
            this.tell = Some(ServingStatus::NotServing);
        }
        if let Some(status) = this.tell.take() {
            this.status = status;
            return Poll::Ready(Some(Ok(answer(status))));
        }
        // The connection's end is not before the daemon leaves, and is told after that.
        this.drain.as_mut().poll(cx).map(|()| None)
    }
}
