//! Where the limiter counts: in this process, or in Redis for all that share it.

use std::fmt::Display;
use std::time::Duration;

use tollgate::{AnyStore, MemoryStore, OutageGuard};
use tollgate_redis::RedisStore;

use super::{LimiterClock, LimiterError};
use crate::config::RedisUrl;

/// What the keys of the limiter begin with.
const PREFIX: &str = "ratelimit";

/// Counts of this process alone, gone with it.
#[must_use]
pub fn in_memory(clock: LimiterClock) -> AnyStore {
    AnyStore::new(MemoryStore::with_clock(clock))
}

/// Counts in Redis, by its clock unless `clock` is a test's. A decision takes at most `deadline`;
/// an outage costs that once, and not for every request.
///
/// # Errors
///
/// The address or the deadline cannot be used.
pub fn in_redis(
    url: &RedisUrl,
    deadline: Duration,
    clock: LimiterClock,
) -> Result<AnyStore, LimiterError> {
    let wrong = |error: &dyn Display| LimiterError(error.to_string());
    let store = RedisStore::open(url.expose())
        .map_err(|error| wrong(&error))?
        .prefix(PREFIX)
        .timeout(deadline);
    let store = match clock {
        LimiterClock::System(_) => store,
        manual @ LimiterClock::Manual(_) => store.with_clock(manual),
    };
    let guard = OutageGuard::builder(store).deadline(deadline).build();
    Ok(AnyStore::new(guard.map_err(|error| wrong(&error))?))
}
