//! An answer for who cannot be served.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::timeout;

use super::socket::Socket;

/// How long a client may take to go once it was told.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much of what it says meanwhile is passed over.
const MOST: usize = 16 << 10;

/// How many clients are told at the same time. Further ones are only disconnected: a flood must not
/// cost more than that.
pub(super) const MOST_AT_ONCE: usize = 64;

/// Says `words`, and waits until the client has gone: while something of its is unread, closing would
/// take the words away from it again.
pub(super) async fn refuse(mut socket: Socket, words: &[u8]) {
    let telling = async {
        socket.write_all(words).await?;
        socket.shutdown().await?;
        let mut left = MOST;
        let mut passed_over = [0; 1024];
        while left > 0 {
            match socket.read(&mut passed_over).await? {
                0 => break,
                count => left = left.saturating_sub(count),
            }
        }
        std::io::Result::Ok(())
    };
    // Who goes at once needs no answer, and who stays has had one.
    let _ = timeout(PATIENCE, telling).await;
}

#[cfg(test)]
mod tests {
    use tokio::net::UnixStream;
    use tokio::time::Instant;

    use super::*;

    #[tokio::test]
    async fn what_the_client_has_said_takes_nothing_from_its_answer() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(b"GET / HTTP/1.1\r\n\r\n").await.unwrap();
        let told = async {
            let mut told = String::new();
            // Closed too early, it would end in an error.
            theirs.read_to_string(&mut told).await.unwrap();
            drop(theirs);
            told
        };
        let (told, ()) = tokio::join!(told, refuse(Socket::Unix(ours), b"no"));
        assert_eq!(told, "no");
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_go_is_not_waited_for() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let begun = Instant::now();
        refuse(Socket::Unix(ours), b"no").await;
        assert_eq!(begun.elapsed(), PATIENCE);
        drop(theirs);
    }
}
