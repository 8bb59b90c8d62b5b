//! What went wrong, in the words of a store.

mod permission;

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Write as _};

use redis::{ErrorKind, RedisError, ServerErrorKind, Value};
use tollgate::{StoreError, StoreErrorKind};

/// A URL that does not name servers, or certificates that cannot be used for them: which part is
/// wrong, and what to write instead. Nothing of them is repeated, since they may hold secrets.
#[derive(Debug)]
pub struct UrlError {
    message: String,
}

impl UrlError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }
}

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for UrlError {}

/// True if the server says that it does not know the script.
pub(crate) fn is_unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

/// True if another connection may do better: this one is broken, hangs, or leads to a server that
/// no longer takes writes.
pub(crate) fn spoils_connection(error: &RedisError) -> bool {
    error.is_unrecoverable_error() || error.is_timeout() || is_read_only(error)
}

pub(crate) fn is_read_only(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::ReadOnly) || says(error, "READONLY")
}

/// True if the server's error has this code. Servers before 7 put the code of what a script ran
/// into into the text.
fn says(error: &RedisError, code: &str) -> bool {
    let detail = error.detail().unwrap_or_default();
    error.code() == Some(code) || detail.contains(&format!("-{code} "))
}

/// The server cannot be reached, or does not serve.
pub(crate) fn unavailable(message: impl Into<Cow<'static, str>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, message)
}

/// A call was not answered in time.
pub(crate) fn timed_out() -> StoreError {
    StoreError::new(StoreErrorKind::Timeout, "redis did not answer in time")
}

/// What a command said in a script that went on without it, as if the server had said it to the call.
pub(crate) fn said_in_script(text: &str) -> RedisError {
    let line = text.replace(['\r', '\n'], " ");
    let code = line.split(' ').next().unwrap_or_default();
    let has_code = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_uppercase());
    // Servers before 7 begin with the place in the script.
    let prefix = if has_code { "-" } else { "-ERR script: " };
    let answer = redis::parse_redis_value(format!("{prefix}{line}\r\n").as_bytes());
    match answer.and_then(Value::extract_error) {
        Err(error) => error,
        Ok(_) => (ErrorKind::Extension, "an error of a script", line).into(),
    }
}

/// What the client library says, in one line and without a source: its own says the same again. The
/// words are those of whatever answers there, so that they are kept short and printable.
#[derive(Debug)]
struct Said(RedisError);

impl Said {
    /// The most characters of it.
    const LONGEST: usize = 400;
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let mut characters = lines
            .flat_map(|line| "; ".chars().chain(line.chars()))
            .skip(2);
        for character in characters.by_ref().take(Self::LONGEST) {
            match character.is_control() {
                true => write!(f, "{}", character.escape_debug())?,
                false => f.write_char(character)?,
            }
        }
        f.write_str(if characters.next().is_some() {
            "..."
        } else {
            ""
        })
    }
}

impl Error for Said {}

pub(crate) fn store_error(error: RedisError) -> StoreError {
    let (kind, message) = describe(&error);
    StoreError::new(kind, message).with_source(Said(error))
}

fn describe(error: &RedisError) -> (StoreErrorKind, Cow<'static, str>) {
    use StoreErrorKind as Kind;

    if error.is_timeout() {
        return (Kind::Timeout, "redis did not answer in time".into());
    }
    if error.kind() == ErrorKind::Parse {
        // For the client library, another way in which a connection ends.
        let message = "what answers there is no redis; compare the host and the port of the url";
        return (Kind::Unavailable, message.into());
    }
    if let Some(message) = refused_connection(error) {
        return (Kind::Unavailable, message.into());
    }
    if error.kind() == ErrorKind::AuthenticationFailed {
        // For the client library, another way in which a connection ends.
        let message = "redis refuses the user or the password of the url";
        return (Kind::Unavailable, message.into());
    }
    if error.is_unrecoverable_error() || error.is_io_error() {
        return (Kind::Unavailable, "the connection to redis failed".into());
    }
    if permission::is_missing(error) {
        return (Kind::Unavailable, permission::remedy(error));
    }
    let (kind, message) = match error.kind() {
        ErrorKind::Server(kind) => describe_server(kind, error),
        ErrorKind::Extension => describe_code(error),
        _ => (Kind::Protocol, "redis answered what cannot be understood"),
    };
    (kind, message.into())
}

/// Why a server takes no connection, or not this one.
fn refused_connection(error: &RedisError) -> Option<&'static str> {
    let text = error.to_string();
    if text.contains("max number of clients") {
        Some("redis has too many clients; raise its maxclients")
    } else if text.contains("DB index is out of range") {
        Some(
            "redis has no database of this number; compare the end of the url with its `databases`",
        )
    } else if text.contains("SELECT is not allowed in cluster mode") {
        Some("this is a node of a cluster, which has database 0 alone; write redis-cluster://")
    } else {
        None
    }
}

fn describe_server(kind: ServerErrorKind, error: &RedisError) -> (StoreErrorKind, &'static str) {
    use StoreErrorKind as Kind;

    match kind {
        ServerErrorKind::BusyLoading => (Kind::Unavailable, "redis is loading its data"),
        ServerErrorKind::MasterDown => (Kind::Unavailable, "this replica has lost its master"),
        ServerErrorKind::ClusterDown | ServerErrorKind::TryAgain => {
            (Kind::Unavailable, "the redis cluster does not serve")
        }
        // In a cluster they are followed, and seldom get here.
        ServerErrorKind::Moved | ServerErrorKind::Ask | ServerErrorKind::CrossSlot => (
            Kind::Unavailable,
            "this is a node of a cluster, and the keys are at another; write redis-cluster://",
        ),
        _ => describe_code(error),
    }
}

/// Errors that the client library has no name for.
fn describe_code(error: &RedisError) -> (StoreErrorKind, &'static str) {
    use StoreErrorKind as Kind;

    let says = |code| says(error, code);
    if is_read_only(error) {
        (Kind::Unavailable, "this redis is a read-only replica")
    } else if says("OOM") {
        (
            Kind::Full,
            "redis has no memory left; raise its maxmemory or let it evict",
        )
    } else if says("MISCONF") {
        (
            Kind::Unavailable,
            "redis takes no writes because it cannot save its data",
        )
    } else if says("NOREPLICAS") {
        (
            Kind::Unavailable,
            "redis takes no writes because it has too few replicas",
        )
    } else if says("BUSY") {
        (Kind::Unavailable, "redis is busy with another script")
    } else if says("NOAUTH") || says("WRONGPASS") {
        (
            Kind::Unavailable,
            "redis refuses the user or the password of the url",
        )
    } else {
        (Kind::Protocol, "redis could not run the script")
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn the_words_of_a_server_are_kept_short_and_printable() {
        let said = format!("\x1b[31mFAKE\x07 {}", "x".repeat(1_000_000));
        let error = store_error((ErrorKind::Extension, "an error", said).into());
        let told = error.source().unwrap().to_string();
        assert!(told.contains(r"\u{1b}[31mFAKE\u{7} xxx"), "{told}");
        assert!(told.ends_with("x..."), "{told}");
        assert!(told.len() < 500, "{} bytes", told.len());
        let two_lines = (
            ErrorKind::Extension,
            "an error",
            "of two\r\n\n lines\n".to_owned(),
        );
        let told = store_error(two_lines.into()).source().unwrap().to_string();
        assert!(told.ends_with("of two; lines"), "{told}");
    }
}
