//! Servers that only read what they are asked and say yes: what the daemon is compared with.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{Ready, ready};
use std::net::Ipv4Addr;

use anyhow::{Result, bail};
use axum::routing::post;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Service};
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Response, Status};

use super::grpc::{Answer, Request};

/// Serves `kind`, `grpc` or `http`, in a current-thread runtime as each of the daemon's threads has,
/// until it is killed.
///
/// # Errors
///
/// If there is no such server, or the port is taken.
pub fn serve(kind: &str, port: &str) -> Result<()> {
    let port: u16 = port.parse()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        match kind {
            "grpc" => {
                let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
                let server = Server::builder();
                Ok(server.serve_with_incoming(Yes, incoming).await?)
            }
            "http" => {
                let routes = Router::new().route("/v1/check", post(check));
                let listener = axum::serve::ListenerExt::tap_io(listener, |stream| {
                    // It is only a little slower if that fails.
                    let _ = stream.set_nodelay(true);
                });
                Ok(axum::serve(listener, routes).await?)
            }
            _ => bail!("no empty server is called {kind:?}"),
        }
    })
}

#[derive(Deserialize)]
struct Check {
    attributes: HashMap<String, String>,
}

#[derive(Serialize)]
struct Checked {
    allowed: bool,
}

async fn check(Json(check): Json<Check>) -> Json<Checked> {
    Json(Checked {
        allowed: !check.attributes.is_empty(),
    })
}

/// The service, as generated code has it.
#[derive(Clone, Copy)]
struct Yes;

impl NamedService for Yes {
    const NAME: &'static str = "envoy.service.ratelimit.v3.RateLimitService";
}

impl UnaryService<Request> for Yes {
    type Response = Answer;
    type Future = Ready<Result<Response<Answer>, Status>>;

    fn call(&mut self, _: tonic::Request<Request>) -> Self::Future {
        ready(Ok(Response::new(Answer::OK)))
    }
}

impl Service<http::Request<Body>> for Yes {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(
        &mut self,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async move {
            let mut grpc = Grpc::new(tonic_prost::ProstCodec::default());
            Ok(grpc.unary(Self, request).await)
        })
    }
}
