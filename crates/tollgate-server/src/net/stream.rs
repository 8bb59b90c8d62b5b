//! A connection as protocols see it: encrypted or not, and not idle for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::server::TlsStream;

use super::idle::Idle;
use super::socket::Socket;

/// A connection. Reading and writing fail with [`io::ErrorKind::TimedOut`] when nothing has moved in
/// either direction for the time that a connection may be idle.
pub(crate) struct Stream {
    transport: Transport,
    idle: Idle,
}

enum Transport {
    Plain(Socket),
    Tls(Box<TlsStream<Socket>>),
}

impl Stream {
    pub(super) fn plain(socket: Socket, idle: Duration) -> Self {
        Self {
            transport: Transport::Plain(socket),
            idle: Idle::new(idle),
        }
    }

    pub(super) fn tls(stream: TlsStream<Socket>, idle: Duration) -> Self {
        Self {
            transport: Transport::Tls(Box::new(stream)),
            idle: Idle::new(idle),
        }
    }
}

/// For tests of protocols: neither encrypted nor ever idle for too long.
#[cfg(test)]
impl From<tokio::net::UnixStream> for Stream {
    fn from(stream: tokio::net::UnixStream) -> Self {
        Self::plain(Socket::Unix(stream), Duration::from_secs(24 * 60 * 60))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let Self { transport, idle } = self.get_mut();
        let read = match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_read(cx, buffer),
        };
        idle.watch(cx, read)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let Self { transport, idle } = self.get_mut();
        let written = match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_write(cx, bytes),
        };
        idle.watch(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let Self { transport, idle } = self.get_mut();
        let written = match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_write_vectored(cx, bytes),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_write_vectored(cx, bytes),
        };
        idle.watch(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        match &self.transport {
            Transport::Plain(stream) => stream.is_write_vectored(),
            Transport::Tls(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { transport, idle } = self.get_mut();
        let flushed = match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_flush(cx),
        };
        // That nothing was left to send is no sign of life.
        if flushed.is_pending() {
            return idle.watch(cx, flushed);
        }
        flushed
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let Self { transport, idle } = self.get_mut();
        let shut = match transport {
            Transport::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Transport::Tls(stream) => Pin::new(stream.as_mut()).poll_shutdown(cx),
        };
        idle.watch(cx, shut)
    }
}
