//! A body of which something has been read.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming};

/// A body that begins once more.
pub(super) struct Resumed {
    begin: Option<Bytes>,
    then: Option<Result<Frame<Bytes>, hyper::Error>>,
    rest: Incoming,
}

impl Resumed {
    pub(super) const fn new(
        begin: Option<Bytes>,
        then: Option<Result<Frame<Bytes>, hyper::Error>>,
        rest: Incoming,
    ) -> Self {
        Self { begin, then, rest }
    }
}

impl Body for Resumed {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let this = self.get_mut();
        if let Some(begin) = this.begin.take() {
            return Poll::Ready(Some(Ok(Frame::data(begin))));
        }
        if let Some(then) = this.then.take() {
            return Poll::Ready(Some(then));
        }
        Pin::new(&mut this.rest).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.begin.is_none() && self.then.is_none() && self.rest.is_end_stream()
    }
}
