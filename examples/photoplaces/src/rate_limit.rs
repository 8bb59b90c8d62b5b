//! How often who may call: all of it is said in the policy file, and nothing here.
//!
//! [`RateLimits::open`] puts the file in force, by [`tollgate_engine`]. What is of this service: what
//! the file's variables stand for, that production counts in Redis, and the form of a denial.

mod answer;
mod environment;

use std::path::PathBuf;

use axum::Router;
use tokio::signal::unix::Signal;
pub use tollgate_engine::hangup_signal;
use tollgate_engine::{Engine, EngineError};
use tollgate_http::RateLimitLayer;
use tollgate_policy::file::StoreKind;

use self::environment::FileEnvironment;
use crate::clock::{Clock, ManualSeconds};
use crate::config::{Config, Environment};

/// The service cannot be limited as the policy file says, so it does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RateLimitError {
    /// The file is missing or wrong, or no store can be made of it.
    #[error("the limits cannot be put in force; TOLLGATE_FILE names another policy file")]
    Engine(#[from] EngineError),
    /// It is production, the file counts in Redis, and there is none to count in.
    #[error(
        "REDIS_URL is not set, and production counts there by {}; set it, or write `url = \"memory:\"` \
         in [store] if each process is to count for itself",
        file.display()
    )]
    NoRedis {
        /// The policy file.
        file: PathBuf,
    },
}

/// The limits in force. Clones share them, and the counts.
#[derive(Clone, Debug)]
pub struct RateLimits {
    engine: Engine,
}

impl RateLimits {
    /// Reads the policy file. Nothing is sent to the store yet, which may be away.
    ///
    /// # Errors
    ///
    /// The file cannot be used. In production also if it counts in `REDIS_URL` and there is none,
    /// whatever default it has for that.
    pub fn open(config: &Config, clock: &Clock) -> Result<Self, RateLimitError> {
        let path = &config.policy_file;
        let environment = FileEnvironment::of(config);
        let engine = Engine::builder(path).environment(environment.clone());
        let engine = match ManualSeconds::of(clock) {
            None => engine,
            Some(manual) => engine.clock(manual),
        };
        let engine = engine.open()?;
        let is_production = config.environment == Environment::Production;
        if is_production && engine.store_settings().url.kind() == StoreKind::Memory {
            if environment.has_missed_redis() {
                // Several processes would each give the whole limit, and nobody would notice.
                return Err(RateLimitError::NoRedis { file: path.clone() });
            }
            tracing::warn!("the policy file counts in memory: each process counts for itself");
        }
        engine.log();
        Ok(Self { engine })
    }

    /// Limits `routes`. Whoever is turned away gets the service's own form of errors.
    pub fn around(&self, routes: Router) -> Router {
        let layer = RateLimitLayer::new(self.engine.limiter().clone());
        routes.layer(layer.render_with(answer::turned_away))
    }

    /// Looks at the file each second, and reads it at once on SIGHUP. Never ends.
    pub async fn keep_current(self, hangup: Signal) {
        self.engine.keep_current(hangup).await;
    }

    /// What the limits are made of: to reload them at will.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// True while the store is not asked because of an outage.
    #[must_use]
    pub fn store_is_away(&self) -> bool {
        self.engine.store_is_away()
    }

    /// Brings the metrics up to date that nobody counts as they change.
    pub fn record_metrics(&self) {
        self.engine.record_metrics();
    }
}
