//! Clients that have said all, and wait for their answers.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Stream;
use super::opening::Opening;
use crate::memory::Portion;

/// A connection of HTTP/2 that has not ended for its reader while requests are under way: else they
/// would be dropped, although the client may only have shut down its own side. For HTTP/1 it changes
/// nothing.
///
/// What can be answered by then is; flow control can keep back what the client would have to make
/// room for, which it cannot any more.
pub(crate) struct Lasting {
    stream: Stream,
    portion: Portion,
    is_http2: bool,
    /// Nothing was under way when it was last looked; what was answered has been written since.
    is_idle: bool,
    is_flushed: bool,
    /// Until it is known what the client speaks, where that has its time.
    opening: Option<Opening>,
}

impl Lasting {
    /// A connection that is known to be of HTTP/2.
    pub(crate) const fn new(stream: Stream, portion: Portion) -> Self {
        Self {
            stream,
            portion,
            is_http2: true,
            is_idle: false,
            is_flushed: true,
            opening: None,
        }
    }

    /// One of which it is not known yet. It fails with [`io::ErrorKind::TimedOut`] if the client takes
    /// longer to tell whether it speaks HTTP/1 or HTTP/2.
    pub(crate) fn open_within(self, limit: Duration) -> Self {
        Self {
            is_http2: false,
            opening: Some(Opening::new(limit)),
            ..self
        }
    }

    /// Ready if the end that was read is to be told.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        if self.portion.poll_idle(cx).is_pending() {
            self.is_idle = false;
            return Poll::Pending;
        }
        if self.is_idle && self.is_flushed {
            return Poll::Ready(());
        }
        if !self.is_idle {
            self.is_idle = true;
            // Once more, when what has been answered is written.
            cx.waker().wake_by_ref();
        }
        Poll::Pending
    }
}

impl AsyncRead for Lasting {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = buffer.filled().len();
        let read = Pin::new(&mut this.stream).poll_read(cx, buffer);
        if !matches!(read, Poll::Ready(Ok(()))) {
            if let Some(opening) = &mut this.opening
                && read.is_pending()
                && opening.poll_late(cx).is_ready()
            {
                let late = "the client has not said in time what it speaks";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, late)));
            }
            return read;
        }
        let piece = buffer.filled().get(before..).unwrap_or_default();
        let is_end = piece.is_empty() && buffer.remaining() > 0;
        if let Some(opening) = &mut this.opening
            && let Some(is_http2) = opening.is_http2(piece)
        {
            this.is_http2 = is_http2;
            this.opening = None;
        }
        if is_end && this.is_http2 {
            return this.poll_end(cx).map(Ok);
        }
        read
    }
}

impl AsyncWrite for Lasting {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.is_flushed = false;
        Pin::new(&mut this.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        this.is_flushed = false;
        Pin::new(&mut this.stream).poll_write_vectored(cx, bytes)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.stream).poll_flush(cx);
        this.is_flushed = flushed.is_ready();
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}
