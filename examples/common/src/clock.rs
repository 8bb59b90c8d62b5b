//! Where a service takes the time of day from.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since the Unix epoch: the system's, or a test's.
#[derive(Debug, Clone, Default)]
pub enum Clock {
    /// The system's.
    #[default]
    System,
    /// Stands still until somebody stores another time.
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `seconds` until the caller stores another time.
    #[must_use]
    pub const fn manual(seconds: Arc<AtomicI64>) -> Self {
        Self::Manual(seconds)
    }

    /// Now, in seconds since the Unix epoch.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everyone else asks"
    )]
    pub fn now(&self) -> i64 {
        match self {
            Self::Manual(seconds) => seconds.load(Ordering::SeqCst),
            Self::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |elapsed| {
                    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
                }),
        }
    }
}
