//! How often who may call: all of it is said in the policy file, and nothing here.
//!
//! [`RateLimits::open`] reads the file and makes what it says: where to count, who the client is,
//! what responses tell. [`RateLimits::keep_current`] goes on reading it while the service runs.

mod answer;
mod environment;
mod reload;
mod settings;
mod store;

use std::fmt::{self, Debug, Formatter};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::Router;
use tollgate::AnyStore;
use tollgate_http::{HttpLimiter, RateLimitLayer};
use tollgate_policy::PolicyLimiter;
use tollgate_policy::file::{Diagnostics, StoreKind, Watch};

use self::environment::FileEnvironment;
pub use self::reload::hangup_signal;
use self::store::Counts;
use crate::clock::{Clock, LimiterClock};
use crate::config::{Config, Environment};

/// The service cannot be limited as the policy file says, so it does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RateLimitError {
    /// The file is missing or wrong: every mistake with its line and column.
    #[error("the policy file cannot be used; TOLLGATE_FILE names another one\n{0}")]
    File(Box<Diagnostics>),
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
    /// No store can be made of `[store]`.
    #[error("[store] of {} cannot be used: {problem}", file.display())]
    Store {
        /// The policy file.
        file: PathBuf,
        /// What is wrong, without a secret.
        problem: String,
    },
}

/// The limits in force. Clones share them, and the counts.
#[derive(Clone)]
pub struct RateLimits {
    limiter: HttpLimiter<AnyStore>,
    counts: Counts,
    /// Locked by whoever reads the file, in a thread that may block.
    watch: Arc<Mutex<Watch>>,
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
        let watch = Watch::open_with(path, environment.clone())
            .map_err(|found| RateLimitError::File(Box::new(found)))?;
        let file = watch.file();
        let is_production = config.environment == Environment::Production;
        let is_in_memory = file.store.url.kind() == StoreKind::Memory;
        if is_production && is_in_memory && environment.has_missed_redis() {
            // Several processes would each give the whole limit, and nobody would notice.
            return Err(RateLimitError::NoRedis { file: path.clone() });
        }
        let wrong = |problem| RateLimitError::Store {
            file: path.clone(),
            problem,
        };
        let counts = Counts::new(&file.store, &LimiterClock::from(clock)).map_err(wrong)?;
        let policies = PolicyLimiter::new(file.policies.clone(), counts.store())
            .with_local_store(counts.local());
        tracing::info!(
            file = %path.display(),
            policies = file.policies.policies().len(),
            store = %file.store.url,
            "limits are in force"
        );
        if is_production && is_in_memory {
            tracing::warn!("the policy file counts in memory: each process counts for itself");
        }
        for warning in &file.warnings {
            let position = file.warnings.source().position(warning.span.start);
            tracing::warn!(file = %path.display(), %position, "{}", warning.message);
        }
        Ok(Self {
            limiter: settings::limiter(policies, file),
            counts,
            watch: Arc::new(Mutex::new(watch)),
        })
    }

    /// Limits `routes`. Whoever is turned away gets the service's own form of errors.
    pub fn around(&self, routes: Router) -> Router {
        let layer = RateLimitLayer::new(self.limiter.clone());
        routes.layer(layer.render_with(answer::turned_away))
    }

    /// True while the store is not asked because of an outage.
    #[must_use]
    pub fn store_is_away(&self) -> bool {
        self.counts.is_away()
    }

    /// Brings the metrics up to date that nobody counts as they change.
    pub fn record_metrics(&self) {
        self.counts.record_metrics();
    }
}

impl Debug for RateLimits {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RateLimits")
            .field("limiter", &self.limiter)
            .finish_non_exhaustive()
    }
}
