//! What went wrong, in the words of a store.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use redis::{ErrorKind, RedisError, ServerErrorKind};
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

pub(crate) fn store_error(error: RedisError) -> StoreError {
    let (kind, message) = describe(&error);
    StoreError::new(kind, message).with_source(error)
}

fn describe(error: &RedisError) -> (StoreErrorKind, &'static str) {
    use StoreErrorKind as Kind;

    if error.is_timeout() {
        return (Kind::Timeout, "redis did not answer in time");
    }
    if error.kind() == ErrorKind::AuthenticationFailed {
        // For the client library, another way in which a connection ends.
        return (
            Kind::Unavailable,
            "redis refuses the user or the password of the url",
        );
    }
    if error.is_unrecoverable_error() || error.is_io_error() {
        return (Kind::Unavailable, "the connection to redis failed");
    }
    match error.kind() {
        ErrorKind::Server(kind) => describe_server(kind, error),
        ErrorKind::Extension => describe_code(error),
        _ => (Kind::Protocol, "redis answered what cannot be understood"),
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
        ServerErrorKind::NoPerm => (
            Kind::Unavailable,
            "the redis user may not run scripts on these keys; allow +@scripting, +time and the prefix",
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
