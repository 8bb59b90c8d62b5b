//! The address of the database, which hides its password.

mod parameters;
mod redact;

use std::fmt::{self, Debug, Display, Formatter};

use self::redact::redact;
use crate::config_error::ConfigError;

/// Which database engine an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file, opened by this process.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// A database address. `Debug` and `Display` show of it only what cannot be a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl {
    url: String,
    backend: Backend,
}

impl DatabaseUrl {
    /// Reads `sqlite://FILE` or `postgres://…`.
    ///
    /// # Errors
    ///
    /// Another scheme, an SQLite database that would not outlive a connection, or a
    /// parameter that the driver does not know.
    pub fn parse(url: &str) -> Result<Self, ConfigError> {
        let error = |problem: &str| {
            ConfigError::new("DATABASE_URL", &redact(url), problem)
                .remedy("set it to sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE")
        };
        let backend = match url.split_once("://") {
            Some(("sqlite", "")) => return Err(error("no file is named")),
            // Each connection of the pool would open an empty database of its own.
            Some(("sqlite", path)) if path.contains(":memory:") || path.contains("mode=memory") => {
                return Err(error("a database in memory is lost with its connection"));
            }
            Some(("sqlite", _)) => Backend::Sqlite,
            Some(("postgres" | "postgresql", _)) => Backend::Postgres,
            Some(_) => return Err(error("the scheme is not known")),
            None => return Err(error("not an address")),
        };
        if let Some(place) = parameters::first_unknown(url, backend) {
            return Err(error(&format!(
                "its parameter {place} is not known or has an unknown value"
            )));
        }
        Ok(Self {
            url: url.to_owned(),
            backend,
        })
    }

    /// The engine it names.
    #[must_use]
    pub const fn backend(&self) -> Backend {
        self.backend
    }

    /// The whole address, password included, for the driver. An SQLite file is
    /// created where it does not exist, unless the address says otherwise.
    pub(crate) fn expose(&self) -> String {
        match self.backend {
            Backend::Sqlite if !self.url.contains("mode=") => {
                let separator = if self.url.contains('?') { '&' } else { '?' };
                format!("{}{separator}mode=rwc", self.url)
            }
            Backend::Sqlite | Backend::Postgres => self.url.clone(),
        }
    }
}

impl Debug for DatabaseUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({self})")
    }
}

impl Display for DatabaseUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&redact(&self.url))
    }
}

#[cfg(test)]
mod tests;
