//! When to try again to connect.

use std::time::Duration;

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_millis(500);

/// Waits between the beginnings of attempts: none before the first, then twice as long after each
/// that failed, up to half a second, and each shortened by up to a half by chance, so that many
/// processes do not come back at once.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    failures: u32,
    next: Option<Instant>,
}

impl Backoff {
    /// An attempt that began at `start` has failed.
    pub(super) fn failed(&mut self, start: Instant) {
        let longest = FIRST
            .saturating_mul(2_u32.saturating_pow(self.failures))
            .min(LONGEST);
        let wait = longest.mul_f64(1.0 - fastrand::f64() / 2.0);
        self.failures = self.failures.saturating_add(1);
        self.next = Some(start + wait);
    }

    pub(super) fn succeeded(&mut self) {
        *self = Self::default();
    }

    /// Whether the last attempt has failed.
    pub(super) const fn has_failed(&self) -> bool {
        self.failures > 0
    }

    /// How long to wait before the next attempt, if any longer.
    pub(super) fn wait(&self) -> Option<Duration> {
        let wait = self.next?.saturating_duration_since(Instant::now());
        (wait > Duration::ZERO).then_some(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn waits_longer_after_each_failure_up_to_half_a_second() {
        let mut backoff = Backoff::default();
        assert_eq!(backoff.wait(), None);
        let mut longest = FIRST;
        for _ in 0..40 {
            backoff.failed(Instant::now());
            let wait = backoff.wait().unwrap();
            assert!(
                wait >= longest / 2 && wait <= longest,
                "{wait:?} {longest:?}"
            );
            tokio::time::advance(wait).await;
            assert_eq!(backoff.wait(), None);
            longest = (longest * 2).min(LONGEST);
        }
        backoff.succeeded();
        backoff.failed(Instant::now());
        assert!(backoff.wait().unwrap() <= FIRST);
    }

    /// Who has waited for a server that did not answer has waited already.
    #[tokio::test(start_paused = true)]
    async fn the_time_of_a_long_attempt_counts() {
        let mut backoff = Backoff::default();
        let start = Instant::now();
        tokio::time::advance(LONGEST).await;
        backoff.failed(start);
        assert!(backoff.has_failed());
        assert_eq!(backoff.wait(), None);
    }
}
