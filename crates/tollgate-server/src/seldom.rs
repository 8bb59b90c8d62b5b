//! What is worth a line in the log, but not one for each request.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::time::Instant;

/// How long nothing more is told after a line.
const SILENCE: Duration = Duration::from_secs(10);

/// Says when to tell of something that may happen with every request or connection: at once, and then at most once
/// in ten seconds.
#[derive(Debug)]
pub(crate) struct Seldom {
    began: Instant,
    /// When to tell again, in milliseconds from the beginning.
    next: AtomicU64,
    untold: AtomicU64,
}

impl Seldom {
    pub(crate) fn new() -> Self {
        Self {
            began: Instant::now(),
            next: AtomicU64::new(0),
            untold: AtomicU64::new(0),
        }
    }

    /// Counts one; if it is to be told of, says how many were not since the last time.
    pub(crate) fn tell(&self) -> Option<u64> {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let now = millis(self.began.elapsed());
        let next = self.next.load(Ordering::Relaxed);
        let again = now.saturating_add(millis(SILENCE));
        let is_told = now >= next
            && self
                .next
                .compare_exchange(next, again, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        if is_told {
            Some(self.untold.swap(0, Ordering::Relaxed))
        } else {
            self.untold.fetch_add(1, Ordering::Relaxed);
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn tells_at_once_and_then_seldom_and_how_many_it_did_not() {
        let seldom = Seldom::new();
        assert_eq!(seldom.tell(), Some(0));
        assert_eq!(seldom.tell(), None);
        tokio::time::advance(SILENCE - Duration::from_millis(1)).await;
        assert_eq!(seldom.tell(), None);
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(seldom.tell(), Some(2));
        assert_eq!(seldom.tell(), None);
    }
}
