//! Where the limiter counts: in this process, or in Redis for all that share it.

use std::time::Duration;

use tollgate::{Charge, Limit, MemoryStore, Outcomes, Store, StoreError};
use tollgate_redis::{RedisStore, UrlError};

use super::LimiterClock;
use crate::config::RedisUrl;

/// What the keys of the limiter begin with.
const PREFIX: &str = "ratelimit";

/// The store that the configuration asks for.
#[derive(Debug)]
pub enum LimiterStore {
    /// Counts of this process alone, gone with it.
    Memory(Box<MemoryStore<LimiterClock>>),
    /// Counts that processes share.
    Redis(Box<RedisStore>),
}

impl LimiterStore {
    /// Counts in this process.
    #[must_use]
    pub fn in_memory(clock: LimiterClock) -> Self {
        Self::Memory(Box::new(MemoryStore::with_clock(clock)))
    }

    /// Counts in Redis, by its clock unless `clock` is a test's. A decision waits at most
    /// `timeout` for a connection, and as long for an answer.
    ///
    /// # Errors
    ///
    /// The store cannot use the address.
    pub fn in_redis(
        url: &RedisUrl,
        timeout: Duration,
        clock: LimiterClock,
    ) -> Result<Self, UrlError> {
        let store = RedisStore::open(url.expose())?
            .prefix(PREFIX)
            .timeout(timeout);
        let store = match clock {
            LimiterClock::System(_) => store,
            manual @ LimiterClock::Manual(_) => store.with_clock(manual),
        };
        Ok(Self::Redis(Box::new(store)))
    }
}

impl Store for LimiterStore {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        match self {
            Self::Memory(store) => store.decide(charges).await,
            Self::Redis(store) => store.decide(charges).await,
        }
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        match self {
            Self::Memory(store) => store.decide_at_once(charges),
            Self::Redis(store) => store.decide_at_once(charges),
        }
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        match self {
            Self::Memory(store) => store.peek(charges).await,
            Self::Redis(store) => store.peek(charges).await,
        }
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        match self {
            Self::Memory(store) => store.refund(charges, admitted).await,
            Self::Redis(store) => store.refund(charges, admitted).await,
        }
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        match self {
            Self::Memory(store) => store.reset(limit, policy, key).await,
            Self::Redis(store) => store.reset(limit, policy, key).await,
        }
    }
}
