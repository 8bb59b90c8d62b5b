//! The time of day, and the same for the limiter.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub use examples_common::clock::Clock;
use tollgate::Timestamp;

/// Seconds since the Unix epoch, as a test says.
#[derive(Debug, Clone)]
pub struct ManualSeconds(Arc<AtomicI64>);

impl ManualSeconds {
    /// The same time for the rate limiter, if a test says what it is. Otherwise the limiter has a
    /// finer one of its own.
    #[must_use]
    pub fn of(clock: &Clock) -> Option<Self> {
        match clock {
            Clock::System => None,
            Clock::Manual(seconds) => Some(Self(Arc::clone(seconds))),
        }
    }
}

impl tollgate::Clock for ManualSeconds {
    fn now(&self) -> Timestamp {
        let seconds = self.0.load(Ordering::SeqCst);
        Timestamp::from_secs(seconds.try_into().unwrap_or(0))
    }
}
