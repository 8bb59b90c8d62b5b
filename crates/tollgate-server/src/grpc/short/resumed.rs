//! A body that has been read.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::HeaderMap;
use hyper::body::{Body, Frame};

/// A body that is there, once more.
pub(super) struct Resumed {
    data: Option<Bytes>,
    trailers: Option<HeaderMap>,
}

impl Resumed {
    pub(super) fn new(data: Bytes, trailers: Option<HeaderMap>) -> Self {
        Self {
            data: Some(data).filter(|data| !data.is_empty()),
            trailers,
        }
    }
}

impl Body for Resumed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let this = self.get_mut();
        let data = this.data.take().map(Frame::data);
        let frame = data.or_else(|| this.trailers.take().map(Frame::trailers));
        Poll::Ready(frame.map(Ok))
    }

    fn is_end_stream(&self) -> bool {
        self.data.is_none() && self.trailers.is_none()
    }
}
