//! The begin of a connection of which it is not known yet what it speaks.

use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use super::alarm::Alarm;

/// How a client of HTTP/2 begins (RFC 9113, section 3.4). What begins otherwise is HTTP/1.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The time until a client has said which of the two it speaks, which neither of them counts.
pub(super) struct Opening {
    alarm: Alarm,
    /// How much of the preface has come.
    said: usize,
}

impl Opening {
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            alarm: Alarm::at(Instant::now() + limit),
            said: 0,
        }
    }

    /// Whether the client speaks HTTP/2, as soon as that is known with what has been read now.
    pub(super) fn is_http2(&mut self, piece: &[u8]) -> Option<bool> {
        let rest = PREFACE.get(self.said..).unwrap_or_default();
        let same = piece.iter().zip(rest).take_while(|(a, b)| a == b).count();
        self.said += same;
        match self.said == PREFACE.len() {
            true => Some(true),
            false => (same < piece.len()).then_some(false),
        }
    }

    /// Ready if it takes too long.
    pub(super) fn poll_late(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        self.alarm.poll(cx)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io;
    use std::pin::pin;

    use http::HeaderMap;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::UnixStream;
    use tokio::time::advance;

    use super::super::{Lasting, Stream};
    use super::*;
    use crate::memory::Memory;

    const LIMIT: Duration = Duration::from_secs(120);

    fn connection() -> (Lasting, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let portion = Memory::new(0).portion();
        let stream = Lasting::new(Stream::from(ours), portion).open_within(LIMIT);
        (stream, theirs)
    }

    #[tokio::test(start_paused = true)]
    async fn who_says_nothing_is_cut_off() {
        let (mut stream, _theirs) = connection();
        let begun = Instant::now();
        let error = stream.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), LIMIT);
    }

    #[tokio::test(start_paused = true)]
    async fn who_never_ends_the_preface_is_cut_off() {
        let (mut stream, mut theirs) = connection();
        let begun = Instant::now();
        for byte in PREFACE.iter().take(5) {
            theirs.write_all(&[*byte]).await.unwrap();
            assert_eq!(stream.read_u8().await.unwrap(), *byte);
            advance(Duration::from_secs(20)).await;
        }
        stream.read_u8().await.unwrap_err();
        assert_eq!(begun.elapsed(), LIMIT);
    }

    #[tokio::test]
    async fn who_begins_http2_byte_by_byte_and_shuts_down_is_answered_before_the_end() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let portion = Memory::new(0).portion();
        let held = portion.hold(&HeaderMap::new()).unwrap();
        let mut stream = Lasting::new(Stream::from(ours), portion).open_within(LIMIT);
        for byte in PREFACE {
            theirs.write_all(&[*byte]).await.unwrap();
            assert_eq!(stream.read_u8().await.unwrap(), *byte);
        }
        theirs.shutdown().await.unwrap();
        let mut rest = [0; 1];
        let mut end = pin!(stream.read(&mut rest));
        assert!(
            poll_fn(|cx| Poll::Ready(end.as_mut().poll(cx)))
                .await
                .is_pending()
        );
        drop(held);
        assert_eq!(end.await.unwrap(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn who_has_said_what_it_is_has_the_time_of_that() {
        for said in [b"G".as_slice(), b"PRINT / HTTP/1.1\r\n", PREFACE] {
            let (mut stream, mut theirs) = connection();
            let begun = Instant::now();
            theirs.write_all(said).await.unwrap();
            stream.read_exact(&mut vec![0; said.len()]).await.unwrap();
            stream.read_u8().await.unwrap_err();
            assert!(begun.elapsed() > 10 * LIMIT);
        }
    }
}
