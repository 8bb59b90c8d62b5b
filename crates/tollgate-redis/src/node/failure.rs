//! Why there is no connection, in words that say what to mend.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use redis::{ConnectionAddr, ErrorKind, RedisError};
use tollgate::{StoreError, StoreErrorKind};

use crate::error::store_error;

/// Why an attempt to connect has failed.
#[derive(Clone)]
pub(super) struct Failure {
    kind: StoreErrorKind,
    message: String,
    source: Option<Cause>,
}

impl Failure {
    /// An attempt to connect to this address has failed with this error.
    pub(super) fn new(address: &ConnectionAddr, error: RedisError) -> Self {
        let described = store_error(error.clone());
        Self {
            kind: described.kind(),
            message: hint(address, &error).unwrap_or_else(|| described.to_string()),
            source: Some(Cause(error)),
        }
    }

    /// There has been no connection within this time.
    pub(super) fn timed_out(address: &ConnectionAddr, timeout: Duration) -> Self {
        let question = if is_tls(address) {
            // A server that does not speak it takes the greeting for a command without an end.
            "; does this port speak TLS?"
        } else {
            ""
        };
        Self {
            kind: StoreErrorKind::Timeout,
            message: format!(
                "no connection to redis within {} ms{question}",
                timeout.as_millis()
            ),
            source: None,
        }
    }

    /// What a caller is told who was not there for the attempt.
    pub(super) fn told_later(&self, what: &str) -> StoreError {
        let message = format!("{what}; the last one failed: {}", self.message);
        self.error(StoreErrorKind::Unavailable, message)
    }

    fn error(&self, kind: StoreErrorKind, message: String) -> StoreError {
        let error = StoreError::new(kind, message);
        match &self.source {
            Some(cause) => error.with_source(cause.clone()),
            None => error,
        }
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        failure.error(failure.kind, failure.message.clone())
    }
}

/// What the error of a new connection hints at, beyond what it would mean later.
fn hint(address: &ConnectionAddr, error: &RedisError) -> Option<String> {
    let text = error.to_string();
    if text.contains("failed to lookup address") || text.contains("No address found") {
        let (ConnectionAddr::Tcp(host, _) | ConnectionAddr::TcpTls { host, .. }) = address else {
            return None;
        };
        return Some(format!("the host {host} of redis is unknown"));
    }
    if is_tls(address) && text.contains("certificate") {
        return Some("the certificate of redis is not accepted".to_owned());
    }
    if is_tls(address) && !error.is_connection_refusal() && error.is_io_error() {
        return Some("the connection to redis failed; does this port speak TLS?".to_owned());
    }
    // The greeting was answered with what is no answer, or with the end of the connection.
    let is_other_protocol = error.kind() == ErrorKind::Parse
        || (error.is_connection_dropped() && !error.is_connection_refusal());
    if !is_tls(address) && is_other_protocol {
        return Some(
            "this port does not greet as redis does; if it speaks TLS, write rediss:// or its like"
                .to_owned(),
        );
    }
    None
}

const fn is_tls(address: &ConnectionAddr) -> bool {
    matches!(address, ConnectionAddr::TcpTls { .. })
}

/// The client library's error, which names the one below it and has it as a source too: here it is
/// that source's text, once.
#[derive(Clone)]
struct Cause(RedisError);

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // On one line, for logs.
        for (position, word) in self.0.to_string().split_whitespace().enumerate() {
            let space = if position == 0 { "" } else { " " };
            write!(f, "{space}{word}")?;
        }
        Ok(())
    }
}

impl Error for Cause {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let text = self.0.to_string();
        let mut below = self.0.source();
        while let Some(error) = below.filter(|error| text.contains(&error.to_string())) {
            below = error.source();
        }
        below
    }
}
