//! The parameters behind the `?` of a database address.
//!
//! The drivers quote what they do not know, in an error or in the log, and what they do not
//! know may be a password under a name misspelt. So it does not get as far as them.

use super::Backend;

/// The place, counted from 1, of the first parameter that the driver would quote.
pub(super) fn first_unknown(url: &str, backend: Backend) -> Option<usize> {
    let query = match backend {
        // A `#` is an ordinary character to this driver.
        Backend::Sqlite => url,
        Backend::Postgres => url.split('#').next().unwrap_or(url),
    };
    let (_, query) = query.split_once('?')?;
    query
        .split('&')
        .position(|parameter| !is_known(parameter, backend))
        .map(|index| index + 1)
}

/// Names are compared as written: the drivers also read them percent-encoded, but nobody
/// writes them so.
fn is_known(parameter: &str, backend: Backend) -> bool {
    if parameter.is_empty() {
        return true;
    }
    let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    match (backend, name) {
        (Backend::Sqlite, "mode") => matches!(value, "ro" | "rw" | "rwc"),
        (Backend::Sqlite, "cache") => matches!(value, "private" | "shared"),
        (Backend::Sqlite, "immutable") => matches!(value, "true" | "false" | "1" | "0"),
        (Backend::Sqlite, name) => name == "vfs",
        (Backend::Postgres, "sslmode" | "ssl-mode") => matches!(
            value.to_ascii_lowercase().as_str(),
            "disable" | "allow" | "prefer" | "require" | "verify-ca" | "verify-full"
        ),
        (
            Backend::Postgres,
            "sslrootcert"
            | "ssl-root-cert"
            | "ssl-ca"
            | "sslcert"
            | "ssl-cert"
            | "sslkey"
            | "ssl-key"
            | "statement-cache-capacity"
            | "host"
            | "hostaddr"
            | "port"
            | "dbname"
            | "user"
            | "password"
            | "application_name"
            | "options",
        ) => true,
        (Backend::Postgres, name) => name
            .strip_prefix("options[")
            .is_some_and(|rest| rest.ends_with(']')),
    }
}
