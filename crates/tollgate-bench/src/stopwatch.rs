//! The two times that are measured.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// The time on the wall.
#[must_use]
#[expect(clippy::disallowed_methods, reason = "a benchmark measures real time")]
pub fn wall() -> Instant {
    Instant::now()
}

/// How long this thread has run. What the system gave to other programs is not in it, so that it
/// tells a limiter's stall from a busy machine.
#[must_use]
pub fn thread_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime)
        .try_into()
        .unwrap_or_default()
}
