//! What the variables of the policy file stand for.

use std::env::VarError;

use tollgate_policy::file::{Environment as Variables, ProcessEnvironment};

use crate::config::{Config, Environment, RedisUrl};

/// What a request gets when the store makes no decision, as `APP_ENV` has it.
const LIMIT_FAILURE: &str = "LIMIT_FAILURE";
/// Where counts live.
const REDIS_URL: &str = "REDIS_URL";

/// The process's environment, and what follows from `APP_ENV`.
pub(super) struct FileEnvironment {
    environment: Environment,
    redis: Option<RedisUrl>,
}

impl FileEnvironment {
    pub(super) fn of(config: &Config) -> Self {
        Self {
            environment: config.environment,
            redis: config.redis.clone(),
        }
    }
}

impl Variables for FileEnvironment {
    fn variable(&self, name: &str) -> Result<String, VarError> {
        match (name, self.environment) {
            (LIMIT_FAILURE, Environment::Production) => Ok("deny".to_owned()),
            (LIMIT_FAILURE, Environment::Development) => Ok("local".to_owned()),
            (REDIS_URL, environment) => match (&self.redis, environment) {
                (Some(url), _) => Ok(url.expose().to_owned()),
                (None, Environment::Development) => Ok("memory:".to_owned()),
                // Not to be noticed only when each process counts for itself.
                (None, Environment::Production) => Err(VarError::NotPresent),
            },
            _ => ProcessEnvironment.variable(name),
        }
    }
}
