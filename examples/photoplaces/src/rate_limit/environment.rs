//! What the variables of the policy file stand for.

use std::env::VarError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tollgate_policy::file::{Environment as Variables, ProcessEnvironment};

use crate::config::{Config, Environment, RedisUrl};

/// What a request gets when the store makes no decision, as `APP_ENV` has it.
const LIMIT_FAILURE: &str = "LIMIT_FAILURE";
/// Where counts live.
const REDIS_URL: &str = "REDIS_URL";

/// The process's environment, and what follows from `APP_ENV`. Clones know what each was asked.
#[derive(Clone)]
pub(super) struct FileEnvironment {
    environment: Environment,
    redis: Option<RedisUrl>,
    has_missed_redis: Arc<AtomicBool>,
}

impl FileEnvironment {
    pub(super) fn of(config: &Config) -> Self {
        Self {
            environment: config.environment,
            redis: config.redis.clone(),
            has_missed_redis: Arc::default(),
        }
    }

    /// True if the file has asked for `REDIS_URL`, and there is none.
    pub(super) fn has_missed_redis(&self) -> bool {
        self.has_missed_redis.load(Ordering::Acquire)
    }
}

impl Variables for FileEnvironment {
    fn variable(&self, name: &str) -> Result<String, VarError> {
        match name {
            LIMIT_FAILURE => Ok(match self.environment {
                Environment::Production => "deny".to_owned(),
                Environment::Development => "local".to_owned(),
            }),
            REDIS_URL => match &self.redis {
                Some(url) => Ok(url.expose().to_owned()),
                None => {
                    self.has_missed_redis.store(true, Ordering::Release);
                    Err(VarError::NotPresent)
                }
            },
            _ => ProcessEnvironment.variable(name),
        }
    }
}
