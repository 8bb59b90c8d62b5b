//! How long to wait between probes.

use std::time::Duration;

use tokio::time::Instant;

const FIRST: Duration = Duration::from_millis(25);
const LONGEST: Duration = Duration::from_millis(200);
/// How long a store must have served for its next outage to begin with a probe at once.
const SETTLED: Duration = Duration::from_secs(1);

/// None before the first probe of an outage, then twice as long each time, up to a cap; each
/// shortened by chance by up to a half, so that many processes do not probe together.
#[derive(Debug, Default)]
pub(super) struct Waits {
    probes: u32,
    served_since: Option<Instant>,
}

impl Waits {
    /// An outage begins.
    pub(super) fn begin(&mut self) {
        let is_settled = self
            .served_since
            .is_none_or(|since| since.elapsed() >= SETTLED);
        if is_settled {
            self.probes = 0;
        }
    }

    /// An outage ends.
    pub(super) fn end(&mut self) {
        self.served_since = Some(Instant::now());
    }

    /// The wait before the next probe.
    pub(super) fn next(&mut self) -> Duration {
        let Some(doublings) = self.probes.checked_sub(1) else {
            self.probes = 1;
            return Duration::ZERO;
        };
        self.probes = self.probes.saturating_add(1);
        let longest = FIRST
            .saturating_mul(2_u32.saturating_pow(doublings))
            .min(LONGEST);
        longest.mul_f64(1.0 - fastrand::f64() / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_within_half(wait: Duration, longest: Duration) {
        assert!(wait >= longest / 2 && wait <= longest, "{wait:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn probes_at_once_then_doubles_up_to_a_cap() {
        let mut waits = Waits::default();
        waits.begin();
        assert_eq!(waits.next(), Duration::ZERO);
        for millis in [25, 50, 100, 200, 200, 200] {
            assert_within_half(waits.next(), Duration::from_millis(millis));
        }
        for _ in 0..100 {
            assert!(waits.next() <= LONGEST);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn goes_on_where_an_outage_follows_soon_and_begins_afresh_otherwise() {
        let mut waits = Waits::default();
        waits.begin();
        waits.next();
        waits.end();
        tokio::time::advance(SETTLED / 2).await;
        waits.begin();
        assert_within_half(waits.next(), FIRST);
        waits.end();
        tokio::time::advance(SETTLED).await;
        waits.begin();
        assert_eq!(waits.next(), Duration::ZERO);
    }
}
