//! The address of Redis, which hides all of itself.

use std::fmt::{self, Debug, Display, Formatter};

use tollgate_redis::RedisStore;

use super::ConfigError;

/// An address that a store can be opened at. `Debug` and `Display` show nothing of it: where a
/// password ends is known only if the address is well formed.
#[derive(Clone, PartialEq, Eq)]
pub struct RedisUrl(String);

impl RedisUrl {
    /// Reads `redis://…`, `redis+unix://…` and so on. Nothing is sent to it yet.
    ///
    /// # Errors
    ///
    /// No store can be opened at it.
    pub fn parse(url: &str) -> Result<Self, ConfigError> {
        let error = |shown: &str, problem: &dyn Display| {
            ConfigError::new("REDIS_URL", shown, problem).remedy(
                "set it to redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE], or do not set it",
            )
        };
        if url.is_empty() {
            // To go on without Redis would let each process count for itself, unnoticed.
            return Err(error("", &"an empty address"));
        }
        match RedisStore::open(url) {
            Ok(_) => Ok(Self(url.to_owned())),
            // The store says what is wrong and never repeats the address.
            Err(problem) => Err(error("…", &problem)),
        }
    }

    /// The whole address, password included, for the limiter's store.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl Debug for RedisUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "RedisUrl({self})")
    }
}

impl Display for RedisUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}
