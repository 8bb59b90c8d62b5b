//! What the program of a service does around the service.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write, stderr};
use std::net::SocketAddr;
use std::process::ExitCode;

use tokio::net::TcpListener;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// The address to listen on cannot be had.
#[derive(Debug, thiserror::Error)]
#[error("cannot listen on {address}; set APP_HOST and APP_PORT to an address that is free")]
pub struct ListenError {
    address: SocketAddr,
    source: io::Error,
}

/// The exit code of the program `name`, which ended with `result`. An error goes to standard error.
pub fn exit_code<E: Display>(name: &str, result: Result<(), E>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is gone, there is nobody left to tell.
            let _ = writeln!(stderr(), "{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// From now on the log goes to standard error, as far as `filter` lets it.
///
/// # Errors
///
/// It is no filter in the language of `EnvFilter`.
///
/// # Panics
///
/// Something else has taken the log already.
pub fn log_to_stderr(filter: &str) -> Result<(), ParseError> {
    tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::try_new(filter)?)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .init();
    Ok(())
}

/// Listens on `address`.
///
/// # Errors
///
/// It is not free, or not of this machine.
pub async fn listen(address: SocketAddr) -> Result<TcpListener, ListenError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| ListenError { address, source })
}
