//! The body of an answer, with the memory of its request.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper::body::{Body, Frame, SizeHint};

use super::Held;

pin_project_lite::pin_project! {
    /// A body that holds memory until it is sent. A client that does not take answers keeps them.
    #[derive(Debug)]
    pub(crate) struct Kept<B> {
        #[pin]
        body: B,
        held: Option<Arc<Held>>,
    }
}

impl<B> Kept<B> {
    pub(crate) const fn new(body: B, held: Option<Arc<Held>>) -> Self {
        Self { body, held }
    }
}

impl<B: Body> Body for Kept<B> {
    type Data = B::Data;
    type Error = B::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, B::Error>>> {
        self.project().body.poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
