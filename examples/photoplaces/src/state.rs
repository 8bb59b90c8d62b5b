//! What every handler shares.

use std::sync::Arc;

use examples_common::password::{PasswordError, Passwords};

use crate::admin;
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{self, Db, OpenError};
use crate::error::AppError;
use crate::sessions::Sessions;

/// The service could not be put together.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectError {
    /// The database is out of reach or cannot be migrated.
    #[error(transparent)]
    Database(#[from] OpenError),
    /// The configured cost of a password hash is impossible.
    #[error("the cost of a password hash is not possible")]
    PasswordCost(#[from] PasswordError),
    /// The first administrator could not be stored.
    #[error("cannot make the administrator of ADMIN_EMAIL")]
    FirstAdmin(#[from] AppError),
}

/// The shared parts of the service. Cloning is cheap, and the clones are one.
#[derive(Debug, Clone)]
pub struct AppState {
    pub(crate) config: Arc<Config>,
    pub(crate) db: Db,
    pub(crate) sessions: Sessions,
    pub(crate) passwords: Passwords,
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
        let passwords = Passwords::new(config.password_cost, config.password_workers)?;
        let db = db::open(&config.database, config.database_connections).await?;
        let sessions = Sessions::new(db.clone(), clock.clone(), config.session_lifetime);
        let state = Self {
            config: Arc::new(config.clone()),
            db,
            sessions,
            passwords,
            clock,
        };
        if let Some(first) = &config.first_admin {
            admin::ensure_first(&state, first).await?;
        }
        Ok(state)
    }

    /// The database.
    #[must_use]
    pub const fn db(&self) -> &Db {
        &self.db
    }
}
