//! Where the time comes from.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime};

use tollgate_core::{Micros, Timestamp};

/// Tells the time to a store.
pub trait Clock: Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

/// The system's time, read once when the clock is made, and moved on by the monotonic clock: it
/// never steps, whatever is done to the system's time afterwards.
#[derive(Clone, Debug)]
pub struct SystemClock {
    origin: Instant,
    origin_wall: Timestamp,
}

impl SystemClock {
    /// A clock that agrees with the system's time now.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn new() -> Self {
        let since_epoch = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        Self {
            origin: Instant::now(),
            origin_wall: Timestamp::EPOCH.saturating_add(Micros::from_duration(since_epoch)),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        self.origin_wall
            .saturating_add(Micros::from_duration(self.origin.elapsed()))
    }
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
