//! The short way of a call to `ShouldRateLimit`.
//!
//! Nearly every call is one short message that comes in one piece, and is decided without waiting.
//! Such a one is answered right here, from the bytes that came. One that comes in several is gathered
//! first. Whatever is otherwise (a message of a form that we do not know, one that is malformed, hits
//! that are given back) goes the long way, through the service that is generated, as if it had not been
//! looked at: so there is nothing here to be told about it.

mod message;
mod resumed;
mod whole;

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use hyper::body::{Body as _, Incoming};
use tonic::Status;
use tonic::body::Body;
use tower_service::Service as _;

use super::bounds;
use super::counted::Counted;
use super::generated::rate_limit_service_server::RateLimitServiceServer;
use super::rate_limit::{Answer, Begun};
use super::wire;
use crate::memory::Held;
use message::{Message, PREFIX};
use resumed::Resumed;
use whole::Whole;

/// An answer that is being made.
pub(super) type Answering =
    Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

/// The path of the method.
pub(super) const PATH: &str = "/envoy.service.ratelimit.v3.RateLimitService/ShouldRateLimit";

/// How a message is compressed.
const ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");

/// A call to `ShouldRateLimit`.
pub(super) struct Short {
    limiter: Arc<Counted>,
    /// Until its message is there.
    request: Option<Request<Incoming>>,
    /// What has come of it.
    message: Message,
    /// Grows with a message that does not come at once.
    held: Arc<Held>,
    /// From when on it has to be waited for.
    answering: Option<Answering>,
}

impl Short {
    pub(super) const fn new(
        limiter: Arc<Counted>,
        request: Request<Incoming>,
        held: Arc<Held>,
    ) -> Self {
        Self {
            limiter,
            request: Some(request),
            message: Message::Nothing,
            held,
            answering: None,
        }
    }

    /// Ready as soon as the message is there, with the trailers, if there are any.
    fn arrive(
        &mut self,
        body: &mut Incoming,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Option<HeaderMap>, Status>> {
        loop {
            let Poll::Ready(frame) = Pin::new(&mut *body).poll_frame(cx) else {
                return match self.message.wait(&self.held) {
                    Ok(()) => Poll::Pending,
                    Err(status) => Poll::Ready(Err(status)),
                };
            };
            let frame = match frame {
                Some(Ok(frame)) => frame,
                Some(Err(error)) => return Poll::Ready(Err(Status::from_error(error.into()))),
                None => return Poll::Ready(Ok(None)),
            };
            match frame.into_data() {
                Ok(empty) if empty.is_empty() => {}
                Ok(piece) => self.message.add(piece, &self.held)?,
                Err(frame) => return Poll::Ready(Ok(frame.into_trailers().ok())),
            }
            if body.is_end_stream() {
                return Poll::Ready(Ok(None));
            }
        }
    }

    /// What becomes of a call whose message is there, if that can be told here.
    fn begin(&self, request: &Request<Incoming>) -> Option<Result<Begun, Status>> {
        if request.headers().contains_key(ENCODING) {
            return None;
        }
        let message = bare(self.message.bytes())?;
        let message = wire::Request::read(message)?;
        // What is given back has to be waited for.
        let gives_back = message.descriptors.iter().any(|it| it.is_negative_hits);
        (!gives_back).then(|| self.limiter.begin(&message, request.headers()))
    }

    fn long_way(&mut self, request: Request<Incoming>, trailers: Option<HeaderMap>) -> Answering {
        let message = std::mem::take(&mut self.message).into_bytes();
        let mut request = request.map(|_| Resumed::new(message, trailers));
        request.extensions_mut().insert(Arc::clone(&self.held));
        service(Arc::clone(&self.limiter)).call(request)
    }

    /// A call that is refused, and what has come of it counted.
    #[cold]
    fn refused(&self, status: Status) -> Response<Body> {
        self.limiter.refused(&status);
        status.into_http()
    }
}

impl Future for Short {
    type Output = Result<Response<Body>, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(mut request) = self.request.take() {
            let trailers = match self.arrive(request.body_mut(), cx) {
                Poll::Ready(Ok(trailers)) => trailers,
                Poll::Ready(Err(status)) => return Poll::Ready(Ok(self.refused(status))),
                Poll::Pending => {
                    self.request = Some(request);
                    return Poll::Pending;
                }
            };
            self.message.arrived(&self.held);
            let begun = self.begin(&request);
            self.answering = Some(match begun {
                Some(Ok(Begun::Answered(it))) => return Poll::Ready(Ok(answer(it, &self.held))),
                Some(Err(status)) => return Poll::Ready(Ok(status.into_http())),
                Some(Ok(Begun::Waits(later))) => {
                    // It is not needed any more.
                    self.message = Message::Nothing;
                    let held = Arc::clone(&self.held);
                    Box::pin(async move {
                        Ok(match later.await {
                            Ok(it) => answer(it, &held),
                            Err(status) => status.into_http(),
                        })
                    })
                }
                None => {
                    match wire::check_parts(self.message.bytes().get(PREFIX..).unwrap_or_default())
                    {
                        Ok(()) => self.long_way(request, trailers),
                        Err(status) => return Poll::Ready(Ok(self.refused(status))),
                    }
                }
            });
        }
        match &mut self.answering {
            Some(answering) => answering.as_mut().poll(cx),
            // Nobody asks again for what has been answered.
            None => Poll::Pending,
        }
    }
}

/// The service that is generated.
pub(super) fn service(limiter: Arc<Counted>) -> RateLimitServiceServer<Counted> {
    RateLimitServiceServer::from_arc(limiter).max_decoding_message_size(bounds::MESSAGE)
}

/// A message without its prefix, if that says what it should.
fn bare(message: &[u8]) -> Option<&[u8]> {
    // The flag says that it is not compressed.
    let (length, message) = message.strip_prefix(&[0])?.split_first_chunk()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    (length == message.len() && length <= bounds::MESSAGE).then_some(message)
}

fn answer(answer: Answer, held: &Held) -> Response<Body> {
    held.answer(answer.message.len());
    let mut response = Response::new(Body::new(Whole::new(answer.message)));
    let kind = HeaderValue::from_static("application/grpc");
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
