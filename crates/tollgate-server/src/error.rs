//! Why a daemon does not run.

use std::io;

use crate::{ListenAddress, TlsError};

/// A daemon cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServerError {
    /// No surface has an address.
    #[error("nothing to serve: give at least one of --http, --grpc and --redis an address")]
    NoListener,
    /// An address cannot be listened on.
    #[error("cannot listen on {address} for {surface}")]
    Listen {
        /// What was to be spoken there.
        surface: &'static str,
        /// The address.
        address: ListenAddress,
        /// What the system says.
        source: io::Error,
    },
    /// The certificates cannot be used.
    #[error("cannot encrypt")]
    Tls(#[from] TlsError),
    /// A thread that serves connections cannot be made.
    #[error("cannot start a thread that serves connections")]
    Worker(#[source] io::Error),
}
