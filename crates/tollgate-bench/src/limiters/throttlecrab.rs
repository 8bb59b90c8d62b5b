//! throttlecrab's library with its default store, which needs a lock to be shared.

use std::hint::black_box;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use anyhow::Result;
use throttlecrab::{PeriodicStore, RateLimiter};

use super::{Answer, Subject};

const HOUR_IN_SECONDS: i64 = 3_600;

/// `throttlecrab::RateLimiter` over `PeriodicStore`, behind a mutex.
pub struct Throttlecrab {
    limiter: Mutex<RateLimiter<PeriodicStore>>,
    units: i64,
}

impl std::fmt::Debug for Throttlecrab {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Throttlecrab")
            .field("units", &self.units)
            .finish_non_exhaustive()
    }
}

impl Subject for Throttlecrab {
    const NAME: &'static str = "throttlecrab";

    fn new(answer: Answer) -> Result<Self> {
        Ok(Self {
            limiter: Mutex::new(RateLimiter::new(PeriodicStore::new())),
            units: answer.units().into(),
        })
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "throttlecrab's callers bring the time, so it belongs to the check"
    )]
    fn check(&self, key: &String) -> bool {
        let mut limiter = self.limiter.lock().unwrap_or_else(PoisonError::into_inner);
        let now = SystemTime::now();
        let answer = limiter.rate_limit(key, self.units, self.units, HOUR_IN_SECONDS, 1, now);
        drop(limiter);
        black_box(&answer)
            .as_ref()
            .is_ok_and(|(allowed, _)| *allowed)
    }
}
