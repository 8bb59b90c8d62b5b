//! The service over its listener, and its database closed in the end.

use std::io;

use axum::Router;
pub use examples_common::server::stop_signal;
use tokio::net::TcpListener;

use crate::state::AppState;

/// Serves `app`, a router over `state`, on `listener` until `stop` completes. New connections are
/// then refused, and requests that run may finish within the configured drain time.
///
/// # Errors
///
/// The listener fails.
pub async fn serve(
    listener: TcpListener,
    state: AppState,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let result = examples_common::server::serve(listener, app, state.config.drain, stop).await;
    state.db.close().await;
    result
}
