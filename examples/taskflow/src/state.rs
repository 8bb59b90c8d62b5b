//! What every handler shares.

use std::sync::Arc;

use tollgate::AnyStore;

use crate::auth::Passwords;
use crate::cache::{Cache, MemoryCache, RedisCache};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{self, Db, OpenError};
use crate::rate_limit::{self, Limiter, LimiterClock, LimiterError};
use crate::redis_connection::{RedisConnection, RedisFailure};
use crate::sessions::{RedisSessions, Sessions, SqlSessions};

const CACHE_BYTES: usize = 32 * 1024 * 1024;
const CACHE_LIFETIME_SECS: u32 = 30;

/// The service could not be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The database is out of reach or cannot be migrated.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The configured cost of a password hash is impossible.
    #[error("the cost of a password hash is not possible: {0}")]
    PasswordCost(String),
    /// The rate limiter cannot be built.
    #[error(transparent)]
    Limiter(#[from] LimiterError),
    /// The address of Redis cannot be used. One that is only out of reach is no error.
    #[error("REDIS_URL cannot be used: {0}")]
    Redis(String),
}

impl From<RedisFailure> for ConnectError {
    fn from(failure: RedisFailure) -> Self {
        Self::Redis(failure.to_string())
    }
}

/// The shared parts of the service. Cloning is cheap, and the clones are one.
#[derive(Debug, Clone)]
pub struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) db: Db,
    pub(crate) redis: Option<RedisConnection>,
    pub(crate) sessions: Arc<dyn Sessions>,
    pub(crate) cache: Arc<dyn Cache>,
    pub(crate) passwords: Passwords,
    pub(crate) limiter: Limiter,
    pub(crate) clock: Clock,
}

impl AppState {
    /// Connects to what the configuration names.
    ///
    /// # Errors
    ///
    /// Something that it names is not there.
    pub async fn connect(config: &Config) -> Result<Self, ConnectError> {
        Self::connect_with_clock(config, Clock::default()).await
    }

    /// As [`connect`](Self::connect), with the time of day from `clock`.
    ///
    /// # Errors
    ///
    /// Something that the configuration names is not there.
    pub async fn connect_with_clock(config: &Config, clock: Clock) -> Result<Self, ConnectError> {
        let passwords = Passwords::new(config.password_cost, config.password_workers)
            .map_err(|error| ConnectError::PasswordCost(error.to_string()))?;
        let db = db::open(&config.database, config.database_connections).await?;
        let redis = match &config.redis {
            Some(url) => Some(RedisConnection::new(url, config.redis_timeout)?),
            None => None,
        };
        if let Some(redis) = &redis {
            // Whether it is there or not is in the log from now on. Nothing else depends on it:
            // the service starts without Redis, and finds it as soon as it is there.
            let _ = redis.ping().await;
        }
        let identity = config.client_identity.clone();
        let limiter = rate_limit::limiter(identity, limiter_store(config, &clock)?)?;
        let lifetime = config.session_lifetime;
        let (sessions, cache): (Arc<dyn Sessions>, Arc<dyn Cache>) = match &redis {
            Some(redis) => (
                Arc::new(RedisSessions::new(redis.clone(), clock.clone(), lifetime)),
                Arc::new(RedisCache::new(redis.clone(), CACHE_LIFETIME_SECS.into())),
            ),
            None => (
                Arc::new(SqlSessions::new(db.clone(), clock.clone(), lifetime)),
                Arc::new(MemoryCache::new(
                    clock.clone(),
                    CACHE_BYTES,
                    CACHE_LIFETIME_SECS.into(),
                )),
            ),
        };
        Ok(Self {
            config: Arc::new(config.clone()),
            db,
            redis,
            sessions,
            cache,
            passwords,
            limiter,
            clock,
        })
    }

    /// Keeps boards in another cache.
    #[must_use]
    pub fn with_cache(mut self, cache: Arc<dyn Cache>) -> Self {
        self.cache = cache;
        self
    }

    /// Keeps sessions in another place.
    #[must_use]
    pub fn with_sessions(mut self, sessions: Arc<dyn Sessions>) -> Self {
        self.sessions = sessions;
        self
    }

    /// The database.
    #[must_use]
    pub const fn db(&self) -> &Db {
        &self.db
    }
}

fn limiter_store(config: &Config, clock: &Clock) -> Result<AnyStore, LimiterError> {
    let clock = LimiterClock::from(clock);
    match &config.redis {
        None => Ok(rate_limit::in_memory(clock)),
        Some(url) => rate_limit::in_redis(url, config.limiter_deadline, clock),
    }
}
