//! Where the service takes the time of day from.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tollgate::Timestamp;

/// Seconds since the Unix epoch: the system's, or a test's.
#[derive(Debug, Clone, Default)]
pub struct Clock(Source);

#[derive(Debug, Clone, Default)]
enum Source {
    #[default]
    System,
    Manual(Arc<AtomicI64>),
}

impl Clock {
    /// A clock that stands at `seconds` until the caller stores another time.
    #[must_use]
    pub const fn manual(seconds: Arc<AtomicI64>) -> Self {
        Self(Source::Manual(seconds))
    }

    /// Now, in seconds since the Unix epoch.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the clock that everyone else asks"
    )]
    pub fn now(&self) -> i64 {
        match &self.0 {
            Source::Manual(seconds) => seconds.load(Ordering::SeqCst),
            Source::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |elapsed| {
                    i64::try_from(elapsed.as_secs()).unwrap_or(i64::MAX)
                }),
        }
    }

    /// The same time for the rate limiter, if a test says what it is. Otherwise the limiter has a
    /// finer one of its own.
    #[must_use]
    pub fn for_limiter(&self) -> Option<ManualSeconds> {
        match &self.0 {
            Source::System => None,
            Source::Manual(seconds) => Some(ManualSeconds(Arc::clone(seconds))),
        }
    }
}

/// Seconds since the Unix epoch, as a test says.
#[derive(Debug, Clone)]
pub struct ManualSeconds(Arc<AtomicI64>);

impl tollgate::Clock for ManualSeconds {
    fn now(&self) -> Timestamp {
        let seconds = self.0.load(Ordering::SeqCst);
        Timestamp::from_secs(seconds.try_into().unwrap_or(0))
    }
}
