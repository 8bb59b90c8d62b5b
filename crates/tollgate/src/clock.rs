//! Where the time comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime};

use tollgate_core::{Micros, Timestamp};

/// Tells the time to a store.
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// The system's time, read once when the clock is made and moved on by the monotonic clock: it
/// does not step, whatever is done to the system's time afterwards.
///
/// It reads the processor's time stamp counter where that is reliable, which takes less than half
/// of the time of asking the operating system, and sets itself by the operating system's monotonic
/// clock once a second, so that it does not drift away either. Where it was ahead, it stands still
/// until it is not. Clones show the same time.
#[derive(Clone, Debug)]
pub struct SystemClock {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    fast: quanta::Clock,
    fast_origin: u64,
    origin: Instant,
    origin_wall: Timestamp,
    /// Microseconds by which the fast clock lags behind the operating system's since the origin.
    lag: AtomicI64,
    /// The fast clock's microseconds at which to set it again.
    next_setting: AtomicU64,
    /// Microseconds since the origin that were shown when the clock was set last: it does not
    /// show less again.
    shown: AtomicU64,
}

/// How long the fast clock runs by itself.
const SETTING_INTERVAL: u64 = 1_000_000;

impl SystemClock {
    /// A clock that agrees with the system's time now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn new() -> Self {
        let fast = quanta::Clock::new();
        let since_epoch = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            shared: Arc::new(Shared {
                fast_origin: fast.raw(),
                fast,
                origin: Instant::now(),
                origin_wall: Timestamp::EPOCH.saturating_add(Micros::from_duration(since_epoch)),
                lag: AtomicI64::new(0),
                next_setting: AtomicU64::new(SETTING_INTERVAL),
                shown: AtomicU64::new(0),
            }),
        }
    }
}

impl Shared {
    #[cold]
    fn set(&self, fast: u64) {
        let next = fast.saturating_add(SETTING_INTERVAL);
        self.next_setting.store(next, Ordering::Relaxed);
        let shown = fast.saturating_add_signed(self.lag.load(Ordering::Relaxed));
        self.shown.fetch_max(shown, Ordering::Relaxed);
        let elapsed = whole_micros(self.origin.elapsed());
        let lag = elapsed.checked_signed_diff(fast).unwrap_or(0);
        self.lag.store(lag, Ordering::Relaxed);
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[inline]
    fn now(&self) -> Timestamp {
        let shared = &*self.shared;
        let nanos = shared
            .fast
            .delta_as_nanos(shared.fast_origin, shared.fast.raw());
        let fast = nanos / 1_000;
        if fast >= shared.next_setting.load(Ordering::Relaxed) {
            shared.set(fast);
        }
        let elapsed = fast
            .saturating_add_signed(shared.lag.load(Ordering::Relaxed))
            .max(shared.shown.load(Ordering::Relaxed));
        shared.origin_wall.saturating_add(Micros::new(elapsed))
    }
}

/// Whole microseconds, without the 128-bit arithmetic of [`Duration::as_micros`].
#[inline]
fn whole_micros(span: Duration) -> u64 {
    span.as_secs()
        .saturating_mul(1_000_000)
        .saturating_add(u64::from(span.subsec_micros()))
}

/// A clock that moves when it is told to, for tests. Clones show the same time.
#[derive(Clone, Debug)]
pub struct ManualClock {
    now: Arc<AtomicU64>,
}

impl ManualClock {
    /// A clock that stands at `now`.
    #[must_use]
    pub fn new(now: Timestamp) -> Self {
        Self {
            now: Arc::new(AtomicU64::new(now.as_micros())),
        }
    }

    /// Moves on by `span`; stands still at [`Timestamp::MAX`].
    pub fn advance(&self, span: Micros) {
        self.set(self.now().saturating_add(span));
    }

    /// Goes to `now`, which may be earlier.
    pub fn set(&self, now: Timestamp) {
        self.now.store(now.as_micros(), Ordering::Release);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.now.load(Ordering::Acquire))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "to compare with")]
    fn agrees_with_the_time_of_the_system() {
        let clock = SystemClock::new();
        let system = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap();
        let apart = clock.now().as_micros().abs_diff(whole_micros(system));
        assert!(apart < 60_000_000, "{apart} µs apart");
    }

    #[test]
    fn stands_still_where_it_was_ahead_and_never_shows_less() {
        let clock = SystemClock::new();
        // As if the fast clock had run an hour ahead, and must be set now.
        let hour = 3_600_000_000;
        clock.shared.lag.store(hour, Ordering::Relaxed);
        let ahead = clock.now();
        clock.shared.next_setting.store(0, Ordering::Relaxed);
        let set = clock.now();
        assert!(set >= ahead);
        assert!(clock.now() >= set);
        let lag = clock.shared.lag.load(Ordering::Relaxed);
        assert!(lag.abs() < hour / 2, "{lag}: it was set");
    }

    #[test]
    fn a_clock_that_ran_behind_catches_up() {
        let clock = SystemClock::new();
        let hour = 3_600_000_000;
        clock.shared.lag.store(-hour, Ordering::Relaxed);
        clock.shared.next_setting.store(0, Ordering::Relaxed);
        let now = clock.now();
        let origin = clock.shared.origin_wall;
        assert!(now >= origin && now.saturating_since(origin) < Micros::HOUR);
    }

    /// Case B09.
    #[test]
    fn a_clock_stands_still_at_the_end_of_time() {
        let clock = ManualClock::new(Timestamp::MAX.saturating_sub(Micros::SECOND));
        clock.advance(Micros::DAY);
        assert_eq!(clock.now(), Timestamp::MAX);
    }
}
