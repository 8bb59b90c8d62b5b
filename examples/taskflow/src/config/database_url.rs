//! The address of the database, which hides its password.

use std::fmt::{self, Debug, Display, Formatter};

use super::error::ConfigError;

/// Which database engine an address names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// A file, opened by this process.
    Sqlite,
    /// A PostgreSQL server.
    Postgres,
}

/// A database address. `Debug` and `Display` leave the password out.
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
    /// Another scheme, or an SQLite database that would not outlive a connection.
    pub fn parse(url: &str) -> Result<Self, ConfigError> {
        let error = |problem| {
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

/// `url` with nothing in it that could be a password, however malformed it is:
/// all before the last `@` goes, and everything if a parameter speaks of one.
fn redact(url: &str) -> String {
    let (scheme, rest) = url
        .split_once("://")
        .map_or(("", url), |(scheme, rest)| (scheme, rest));
    let scheme = if scheme.is_empty() {
        String::new()
    } else {
        format!("{scheme}://")
    };
    if url.to_ascii_lowercase().contains("password") {
        return format!("{scheme}***");
    }
    match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}***@{host}"),
        None => format!("{scheme}{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_an_address_shows_its_password() {
        for url in [
            "postgres://tom:s3cret@db/tasks",
            "postgres://tom:s3cret@@db/tasks",
            "postgres://tom:x/s3cret?y@db/tasks",
            "postgres://db/tasks?user=tom&password=s3cret",
            "postgres://db/tasks?PassWord=a@s3cret",
            "mysql://tom:s3cret@db/tasks",
            "tom:s3cret@db",
        ] {
            assert!(!redact(url).contains("s3cret"), "{}", redact(url));
            let shown =
                DatabaseUrl::parse(url).map_or_else(|e| e.to_string(), |u| format!("{u} {u:?}"));
            assert!(!shown.contains("s3cret"), "{shown}");
        }
    }

    #[test]
    fn shows_what_is_no_secret() {
        assert_eq!(
            redact("postgres://tom:s3cret@db:5432/tasks"),
            "postgres://***@db:5432/tasks"
        );
        assert_eq!(redact("sqlite://taskflow.db"), "sqlite://taskflow.db");
    }

    #[test]
    fn an_sqlite_file_is_created_unless_a_mode_is_given() {
        let url = |text| DatabaseUrl::parse(text).unwrap().expose();
        assert_eq!(url("sqlite://a.db"), "sqlite://a.db?mode=rwc");
        assert_eq!(
            url("sqlite://a.db?cache=private"),
            "sqlite://a.db?cache=private&mode=rwc"
        );
        assert_eq!(url("sqlite://a.db?mode=rw"), "sqlite://a.db?mode=rw");
    }
}
