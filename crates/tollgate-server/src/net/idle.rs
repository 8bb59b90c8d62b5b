//! The end of connections on which nothing moves.

use std::io;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Instant;

use super::alarm::Alarm;

/// Into how many parts the time is cut that a connection may be idle. It ends after so many of them
/// in which nothing has moved, and what moves only leaves a mark: the time is read when a part ends.
const PARTS: u32 = 8;

/// Whether something moves, and for how long nothing has.
pub(super) struct Idle {
    part: Duration,
    has_moved: bool,
    still: u32,
    alarm: Alarm,
}

impl Idle {
    /// For a connection that may be idle for `limit`, and an eighth of it more.
    pub(super) fn new(limit: Duration) -> Self {
        let part = limit / PARTS;
        Self {
            part,
            has_moved: false,
            still: 0,
            alarm: Alarm::at(Instant::now() + part),
        }
    }

    /// Gives on what came of reading or writing, or an error if it has been waited for too long.
    pub(super) fn watch<T>(
        &mut self,
        cx: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.has_moved = true;
            return result;
        }
        while self.alarm.poll(cx).is_ready() {
            self.still = match std::mem::take(&mut self.has_moved) {
                true => 0,
                false => self.still + 1,
            };
            if self.still == PARTS {
                return Poll::Ready(Err(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "nothing has moved for as long as a connection may be idle",
                )));
            }
            self.alarm.set(self.part);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::UnixStream;
    use tokio::time::advance;

    use super::super::Stream;
    use super::super::socket::Socket;
    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    fn connection() -> (Stream, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Stream::plain(Socket::Unix(ours), LIMIT), theirs)
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_on_which_nothing_moves_ends() {
        let (mut stream, _theirs) = connection();
        let begun = Instant::now();
        let error = stream.read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed().as_secs(), 60);
    }

    #[tokio::test(start_paused = true)]
    async fn what_moves_begins_the_time_anew() {
        let (mut stream, mut theirs) = connection();
        let begun = Instant::now();
        advance(Duration::from_secs(59)).await;
        theirs.write_all(b"x").await.unwrap();
        assert_eq!(stream.read_u8().await.unwrap(), b'x');
        stream.read_u8().await.unwrap_err();
        // A minute, and at most an eighth of it more.
        let ended = begun.elapsed().as_secs_f64();
        assert!((119.0..=126.5).contains(&ended), "{ended}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_takes_no_answers_holds_nothing_for_ever() {
        let (mut stream, _theirs) = connection();
        let endless = async {
            loop {
                stream.write_all(&[0; 4096]).await?;
            }
        };
        let error: io::Result<()> = endless.await;
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }
}
