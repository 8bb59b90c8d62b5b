//! The body of a request, which takes memory as it arrives.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::BoxError;
use bytes::Bytes;
use hyper::body::{Body, Frame, Incoming, SizeHint};

use super::{Held, UNFINISHED};

/// A body that ends in [`Exhausted`](super::Exhausted) where there is no memory for more of it. What
/// it has taken is given back when the request has ended, since whoever reads it may keep it.
#[derive(Debug)]
pub(crate) struct Arriving {
    body: Incoming,
    held: Arc<Held>,
    /// It is waited for, and has taken [`UNFINISHED`] for that.
    is_awaited: bool,
}

impl Arriving {
    pub(crate) const fn new(body: Incoming, held: Arc<Held>) -> Self {
        Self {
            body,
            held,
            is_awaited: false,
        }
    }

    fn arrived(&mut self) {
        if std::mem::take(&mut self.is_awaited) {
            self.held.shrink(UNFINISHED);
        }
    }
}

/// True if a connection of HTTP/1 ends since nobody reads this body. What is short has mostly come with
/// the head, and is passed over.
pub(crate) fn is_left(body: &Incoming) -> bool {
    const SHORT: u64 = 4 << 10;
    !body.is_end_stream() && body.size_hint().upper().is_none_or(|length| length > SHORT)
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.arrived();
        if is_left(&self.body) {
            self.held.leave_unread();
        }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let taken = match Pin::new(&mut self.body).poll_frame(cx) {
            Poll::Pending if self.is_awaited => return Poll::Pending,
            Poll::Pending => {
                if let Err(exhausted) = self.held.grow(UNFINISHED) {
                    return Poll::Ready(Some(Err(exhausted.into())));
                }
                self.is_awaited = true;
                return Poll::Pending;
            }
            Poll::Ready(None) => {
                self.arrived();
                return Poll::Ready(None);
            }
            Poll::Ready(Some(frame)) => frame.map_err(BoxError::from),
        };
        if self.body.is_end_stream() {
            self.arrived();
        }
        let frame = taken.and_then(|frame| {
            let bytes = frame.data_ref().map_or(0, Bytes::len);
            self.held.grow(bytes)?;
            Ok(frame)
        });
        Poll::Ready(Some(frame))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
