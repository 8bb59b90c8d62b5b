//! The time by which all parts count.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use tollgate::{Clock, SystemClock, Timestamp};

/// The system's time, or one's own.
#[derive(Clone)]
pub(crate) enum EngineClock {
    /// Of this process, for what it counts itself. Redis has its own.
    System(SystemClock),
    /// For everything, also in Redis.
    Given(Arc<dyn Clock>),
}

impl Default for EngineClock {
    fn default() -> Self {
        Self::System(SystemClock::new())
    }
}

impl Clock for EngineClock {
    #[inline]
    fn now(&self) -> Timestamp {
        match self {
            Self::System(clock) => clock.now(),
            Self::Given(clock) => clock.now(),
        }
    }
}

impl Debug for EngineClock {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System(_) => "System",
            Self::Given(_) => "Given",
        })
    }
}
