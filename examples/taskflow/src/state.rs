//! What every handler shares.

use std::sync::Arc;

use crate::auth::Passwords;
use crate::cache::{Cache, MemoryCache};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{self, Db, OpenError};
use crate::rate_limit::{self, Limiter, LimiterError};
use crate::sessions::{Sessions, SqlSessions};

const CACHE_BYTES: usize = 32 * 1024 * 1024;
const CACHE_LIFETIME_SECS: i64 = 30;

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
}

/// The shared parts of the service. Cloning is cheap, and the clones are one.
#[derive(Debug, Clone)]
pub struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) db: Db,
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
        let sessions = SqlSessions::new(db.clone(), clock.clone(), config.session_lifetime);
        let identity = config.client_identity.clone();
        let limiter = rate_limit::limiter(identity, clock.for_limiter())?;
        let cache = MemoryCache::new(clock.clone(), CACHE_BYTES, CACHE_LIFETIME_SECS);
        Ok(Self {
            config: Arc::new(config.clone()),
            db,
            sessions: Arc::new(sessions),
            cache: Arc::new(cache),
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
