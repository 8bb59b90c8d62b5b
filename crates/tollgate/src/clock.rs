//! Where the time comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// Microseconds to add to the fast clock's, to have those since the Unix epoch.
    offset: AtomicU64,
    /// The fast clock's microseconds at which to set it again.
    next_setting: AtomicU64,
    /// What was shown when the clock was set last: it does not show less again.
    shown: AtomicU64,
}

/// How long the fast clock runs by itself, in microseconds.
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
        let origin_wall = Timestamp::from_micros(whole_micros(since_epoch));
        Self {
            shared: Arc::new(Shared {
                fast_origin: fast.raw(),
                fast,
                origin: Instant::now(),
                origin_wall,
                offset: AtomicU64::new(origin_wall.as_micros()),
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
        let shown = fast.wrapping_add(self.offset.load(Ordering::Relaxed));
        self.shown.fetch_max(shown, Ordering::Relaxed);
        let elapsed = Micros::new(whole_micros(self.origin.elapsed()));
        let right = self.origin_wall.saturating_add(elapsed);
        // The difference may be negative; adding it wraps to the right answer.
        let offset = right.as_micros().wrapping_sub(fast);
        self.offset.store(offset, Ordering::Relaxed);
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
        let micros = fast
            .wrapping_add(shared.offset.load(Ordering::Relaxed))
            .max(shared.shown.load(Ordering::Relaxed));
        Timestamp::from_micros(micros)
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

    /// Makes the clock's present instant differ by so many hours, and due to be set.
    fn run_away(clock: &SystemClock, hours: i64) {
        let shared = &clock.shared;
        let offset = shared.offset.load(Ordering::Relaxed);
        let away = offset.saturating_add_signed(hours * 3_600_000_000);
        shared.offset.store(away, Ordering::Relaxed);
        shared.next_setting.store(u64::MAX, Ordering::Relaxed);
    }

    #[test]
    fn stands_still_where_it_was_ahead_and_never_shows_less() {
        let clock = SystemClock::new();
        let right = clock.now();
        run_away(&clock, 1);
        let ahead = clock.now();
        clock.shared.next_setting.store(0, Ordering::Relaxed);
        let set = clock.now();
        assert!(set >= ahead && clock.now() >= set);
        // And it was set, so that it does not run ahead for ever.
        clock.shared.shown.store(0, Ordering::Relaxed);
        let away = clock.now().saturating_since(right);
        assert!(away < Micros::MINUTE, "{away:?}");
    }

    #[test]
    fn a_clock_that_ran_behind_catches_up() {
        let clock = SystemClock::new();
        let right = clock.now();
        run_away(&clock, -1);
        assert!(clock.now() < right);
        clock.shared.next_setting.store(0, Ordering::Relaxed);
        assert!(clock.now() >= right);
    }

    /// Case B09.
    #[test]
    fn a_clock_stands_still_at_the_end_of_time() {
        let clock = ManualClock::new(Timestamp::MAX.saturating_sub(Micros::SECOND));
        clock.advance(Micros::DAY);
        assert_eq!(clock.now(), Timestamp::MAX);
    }
}
