//! One connection of HTTP/2.

use std::future::pending;
use std::sync::atomic::{AtomicBool, Ordering};

use hyper::server::conn::http2::Builder;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::bounds;
use super::gathered::Gathered;
use super::services::Services;
use crate::net::{Lasting, Stream, http2};

pub(super) async fn serve(services: &Services, stream: Stream, drain: CancellationToken) {
    let service = services.on_connection(drain.clone());
    let is_used = service.is_used();
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .timer(TokioTimer::new())
        .max_concurrent_streams(http2::STREAMS)
        .initial_stream_window_size(http2::STREAM_WINDOW)
        .initial_connection_window_size(http2::WINDOW)
        .max_pending_accept_reset_streams(http2::RESETS)
        .max_local_error_reset_streams(http2::ERRORS)
        .max_header_list_size(bounds::HEADERS)
        .keep_alive_interval(bounds::PING_AFTER)
        .keep_alive_timeout(bounds::PING)
        .auto_date_header(false);
    let stream = Gathered(Lasting::new(stream, service.portion()));
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        biased;
        ended = connection.as_mut() => ended,
        () = drain.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
        () = unused(&is_used) => {
            connection.as_mut().graceful_shutdown();
            // Nobody waits for an answer; one who has not even begun to speak would not end either.
            match timeout(bounds::FAREWELL, connection).await {
                Ok(ended) => ended,
                Err(_) => return,
            }
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a gRPC connection has ended early");
    }
}

/// Ready if there was no call for a while after the connection was opened.
async fn unused(is_used: &AtomicBool) {
    sleep(bounds::FIRST_CALL).await;
    if is_used.load(Ordering::Relaxed) {
        pending::<()>().await;
    }
}

#[cfg(test)]
mod tests;
