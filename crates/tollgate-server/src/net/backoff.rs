//! What to do when a connection cannot be accepted.

use std::io::{self, ErrorKind};
use std::time::Duration;

use tokio::time::{Instant, sleep};

/// How long to wait at first, and at most, when the system has no more to give, as without free
/// descriptors. What connects meanwhile waits, and is accepted as soon as there are some.
const WAITS: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(500));
/// How often that is told, at most.
const TELL: Duration = Duration::from_secs(10);

/// Remembers how it went.
pub(super) struct Backoff {
    surface: &'static str,
    wait: Duration,
    told: Option<Instant>,
    untold: u64,
}

impl Backoff {
    pub(super) const fn new(surface: &'static str) -> Self {
        Self {
            surface,
            wait: WAITS.0,
            told: None,
            untold: 0,
        }
    }

    /// A connection was accepted.
    pub(super) const fn succeeded(&mut self) {
        self.wait = WAITS.0;
    }

    /// One was not: tells it, and waits if more of it is to be expected.
    pub(super) async fn failed(&mut self, error: &io::Error) {
        // It was the client that went away again.
        if matches!(
            error.kind(),
            ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset | ErrorKind::Interrupted
        ) {
            return;
        }
        if self.told.is_none_or(|told| told.elapsed() >= TELL) {
            tracing::warn!(
                surface = self.surface,
                %error,
                more = self.untold,
                "connections cannot be accepted; if files are too many, raise the limit (LimitNOFILE, ulimit -n) or lower --max-connections"
            );
            self.told = Some(Instant::now());
            self.untold = 0;
        } else {
            self.untold += 1;
        }
        sleep(self.wait).await;
        self.wait = (self.wait * 2).min(WAITS.1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_longer_while_it_goes_on_and_not_for_clients_that_left() {
        let mut backoff = Backoff::new("http");
        let begun = Instant::now();
        let exhausted = io::Error::from_raw_os_error(24);
        backoff.failed(&exhausted).await;
        backoff.failed(&exhausted).await;
        assert_eq!(begun.elapsed().as_millis(), 15);
        backoff.failed(&ErrorKind::ConnectionAborted.into()).await;
        assert_eq!(begun.elapsed().as_millis(), 15);
        for _ in 0..20 {
            backoff.failed(&exhausted).await;
        }
        let long = Instant::now();
        backoff.failed(&exhausted).await;
        assert_eq!(long.elapsed(), WAITS.1);
        backoff.succeeded();
        let short = Instant::now();
        backoff.failed(&exhausted).await;
        assert_eq!(short.elapsed(), WAITS.0);
    }
}
