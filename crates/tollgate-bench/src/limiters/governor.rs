//! governor's keyed limiter on its default map (`DashMap`) and default clock.

use std::hint::black_box;
use std::num::NonZeroU32;

use anyhow::{Context, Result};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use super::{Answer, Subject};

/// `governor::RateLimiter::keyed`.
#[derive(Debug)]
pub struct Governor(DefaultKeyedRateLimiter<String>);

impl Governor {
    /// The limiter itself, for what only governor has.
    #[must_use]
    pub const fn inner(&self) -> &DefaultKeyedRateLimiter<String> {
        &self.0
    }
}

impl Subject for Governor {
    const NAME: &'static str = "governor";

    fn new(answer: Answer) -> Result<Self> {
        let units = NonZeroU32::new(answer.units()).context("a limit of 0 units")?;
        Ok(Self(RateLimiter::keyed(Quota::per_hour(units))))
    }

    fn check(&self, key: &String) -> bool {
        let answer = self.0.check_key(key);
        black_box(&answer).is_ok()
    }
}
