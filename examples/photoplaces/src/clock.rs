//! The time of day, and the same for the limiter.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

pub use examples_common::clock::Clock;
use tollgate::{SystemClock, Timestamp};

/// The time by which the limiter counts.
#[derive(Debug, Clone)]
pub enum LimiterClock {
    /// The system's, which never steps back.
    System(SystemClock),
    /// Seconds since the Unix epoch, as a test says.
    Manual(Arc<AtomicI64>),
}

impl From<&Clock> for LimiterClock {
    fn from(clock: &Clock) -> Self {
        match clock {
            Clock::System => Self::System(SystemClock::new()),
            Clock::Manual(seconds) => Self::Manual(Arc::clone(seconds)),
        }
    }
}

impl tollgate::Clock for LimiterClock {
    fn now(&self) -> Timestamp {
        match self {
            Self::System(clock) => clock.now(),
            Self::Manual(seconds) => {
                let seconds = seconds.load(Ordering::SeqCst);
                Timestamp::from_secs(seconds.try_into().unwrap_or(0))
            }
        }
    }
}
