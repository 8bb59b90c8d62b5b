//! The address of the Redis server, which hides its password.

use std::fmt::{self, Debug, Display, Formatter};
use std::net::IpAddr;

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};
use tollgate_redis::RedisStore;

use super::ConfigError;

const VARIABLE: &str = "REDIS_URL";
const REMEDY: &str = "set it to redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] \
                      or redis+unix:///PATH, or do not set it";

/// Where Redis is. `Debug` and `Display` show of it only what cannot be a secret.
#[derive(Clone)]
pub struct RedisUrl {
    url: String,
    info: ConnectionInfo,
}

impl RedisUrl {
    /// Reads `redis://…` or `redis+unix://…`.
    ///
    /// # Errors
    ///
    /// Nothing, or no such address. No part of it is repeated: where a password ends is known
    /// only if the address is well formed.
    pub fn parse(url: &str) -> Result<Self, ConfigError> {
        let error = |problem: String| ConfigError::hidden(VARIABLE, problem).remedy(REMEDY);
        if url.is_empty() {
            // To go on without Redis would let each process count for itself, unnoticed.
            return Err(error("empty".to_owned()));
        }
        // The limiter's store says what is wrong with it, and never what it is.
        RedisStore::open(url).map_err(|problem| error(problem.to_string()))?;
        let info = url
            .into_connection_info()
            .map_err(|_| error("not the address of a single Redis".to_owned()))?;
        // In a password, either would end it, and what stands before would become a host.
        if !matches!(info.addr(), ConnectionAddr::Unix(_)) && url.contains(['?', '#']) {
            let problem = "an address with a ? or a #; in a password write %3F or %23";
            return Err(error(problem.to_owned()));
        }
        Ok(Self {
            url: url.to_owned(),
            info,
        })
    }

    /// The whole address, password included, for the limiter's store.
    pub(crate) fn expose(&self) -> &str {
        &self.url
    }

    /// The same, password included, for the driver.
    pub(crate) fn connection_info(&self) -> ConnectionInfo {
        self.info.clone()
    }
}

impl Debug for RedisUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "RedisUrl({self})")
    }
}

impl Display for RedisUrl {
    /// Host and port if the host is an IP address or `localhost`, as with
    /// [`DatabaseUrl`](super::DatabaseUrl).
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.info.addr() {
            ConnectionAddr::Tcp(host, port)
                if host == "localhost" || host.parse::<IpAddr>().is_ok() =>
            {
                let bracketed = host.contains(':');
                let (open, close) = if bracketed { ("[", "]") } else { ("", "") };
                write!(f, "redis://{open}{host}{close}:{port}")
            }
            ConnectionAddr::Unix(_) => f.write_str("redis+unix://…"),
            _ => f.write_str("redis://…"),
        }
    }
}
