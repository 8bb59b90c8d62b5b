//! Serving, and stopping without cutting anyone off.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Serves `app` on `listener` until `stop` completes. New connections are then refused,
/// and requests that run may finish within `drain`.
///
/// # Errors
///
/// The listener fails.
pub async fn serve(
    listener: TcpListener,
    app: Router,
    drain: Duration,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let service = app.into_make_service_with_connect_info::<SocketAddr>();
    let (stopping, stopped) = oneshot::channel();
    let server = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop.await;
        tracing::info!("stopping: no new connections");
        // Nobody listens only if the server is gone already.
        let _ = stopping.send(());
    });
    tokio::select! {
        result = async { server.await } => result,
        () = drained(stopped, drain) => {
            tracing::warn!(?drain, "requests still ran after the drain time, and were cut off");
            Ok(())
        }
    }
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
