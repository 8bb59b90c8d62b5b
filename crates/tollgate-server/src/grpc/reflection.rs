//! What clients such as grpcurl and buf ask to learn which services there are.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::BoxError;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame};
use hyper::body::Bytes;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
use tonic::body::Body;
use tonic_reflection::server::Builder;
use tower_service::Service;

use super::bounds;
use super::generated;
use crate::memory::Arriving;

const V1: &str = "grpc.reflection.v1.ServerReflection";
const V1_ALPHA: &str = "grpc.reflection.v1alpha.ServerReflection";

type Answering = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;
type Answer = dyn Fn(Request<Arriving>, &CancellationToken) -> Answering + Send + Sync;

/// Both versions that clients ask for.
#[derive(Clone)]
pub(super) struct Reflection {
    v1: Option<Arc<Answer>>,
    v1_alpha: Option<Arc<Answer>>,
}

impl Reflection {
    pub(super) fn new() -> Self {
        // What is registered is part of the program, and a test asks for it: there is no error.
        let v1 = builder().build_v1().ok().map(|server| {
            let server = server.max_decoding_message_size(bounds::SMALL_MESSAGE);
            answer(move |request| server.clone().call(request))
        });
        let v1_alpha = builder().build_v1alpha().ok().map(|server| {
            let server = server.max_decoding_message_size(bounds::SMALL_MESSAGE);
            answer(move |request| server.clone().call(request))
        });
        Self { v1, v1_alpha }
    }

    /// The service of a name.
    pub(super) fn named(&self, name: &str) -> Option<&Answer> {
        match name {
            V1 => self.v1.as_deref(),
            V1_ALPHA => self.v1_alpha.as_deref(),
            _ => None,
        }
    }
}

fn builder<'b>() -> Builder<'b> {
    Builder::configure()
        .register_encoded_file_descriptor_set(generated::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
}

fn answer(call: impl Fn(Request<UntilDrain>) -> Answering + Send + Sync + 'static) -> Arc<Answer> {
    Arc::new(move |request, drain| {
        let drain = drain.clone().cancelled_owned();
        call(request.map(|body| UntilDrain {
            body,
            drain: Box::pin(drain),
        }))
    })
}

/// What a client sends, until it is time to drain. Its questions come in one call that may last,
/// and would keep the daemon from ending.
struct UntilDrain {
    body: Arriving,
    drain: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl HttpBody for UntilDrain {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.drain.as_mut().poll(cx).is_ready() {
            return Poll::Ready(None);
        }
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}
