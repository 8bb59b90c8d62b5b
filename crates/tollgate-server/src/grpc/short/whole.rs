//! An answer of one message.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};
use hyper::body::{Body, Frame};

const STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// A message, and after it that all is well.
pub(super) enum Whole {
    Message(Bytes),
    Status,
    Over,
}

impl Whole {
    /// Of a message with its prefix.
    pub(super) fn new(message: Vec<u8>) -> Self {
        Self::Message(message.into())
    }
}

impl Body for Whole {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let (frame, next) = match std::mem::replace(&mut *self, Self::Over) {
            Self::Message(message) => (Frame::data(message), Self::Status),
            Self::Status => {
                let mut trailers = HeaderMap::with_capacity(1);
                trailers.insert(STATUS, HeaderValue::from_static("0"));
                (Frame::trailers(trailers), Self::Over)
            }
            Self::Over => return Poll::Ready(None),
        };
        *self = next;
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Over)
    }
}
