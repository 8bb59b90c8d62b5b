//! The service over its listener, and its database closed in the end.

use std::io;

pub use examples_common::server::stop_signal;
use tokio::net::TcpListener;

use crate::app;
use crate::state::AppState;

/// Serves on `listener` until `stop` completes. New connections are then refused,
/// and requests that run may finish within the configured drain time.
///
/// # Errors
///
/// The listener fails.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let drain = state.config.drain;
    let result = examples_common::server::serve(listener, app(state.clone()), drain, stop).await;
    state.db.close().await;
    result
}
