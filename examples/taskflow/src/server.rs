//! Serving, and stopping without cutting anyone off.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::oneshot;

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
    let service = app(state.clone()).into_make_service_with_connect_info::<SocketAddr>();
    let (stopping, stopped) = oneshot::channel();
    let server = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        tracing::info!("stopping: no new connections");
        // Nobody listens only if the server is gone already.
        let _ = stopping.send(());
    });
    let result = tokio::select! {
        result = async { server.await } => result,
        () = drained(stopped, drain) => {
            tracing::warn!(?drain, "requests still ran after the drain time, and were cut off");
            Ok(())
        }
    };
    state.db.close().await;
    result
}

/// Completes once the drain time has passed since the stop; never without one.
async fn drained(stopped: oneshot::Receiver<()>, drain: Duration) {
    match stopped.await {
        Ok(()) => tokio::time::sleep(drain).await,
        Err(_) => std::future::pending().await,
    }
}

/// Completes at the first SIGINT or SIGTERM.
///
/// # Errors
///
/// Handlers for these signals cannot be installed.
pub fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
