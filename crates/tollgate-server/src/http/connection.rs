//! One connection of HTTP/1 or HTTP/2.

use std::convert::Infallible;
use std::time::Duration;

use axum::http::{HeaderValue, Request, Version, header};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::head_timer::HeadTimer;
use crate::lifecycle::Lifecycle;
use crate::net::{Peer, Stream};

/// How long a connection may wait for a request, and its head take to arrive: longer than proxies and
/// client libraries keep connections that they do not use (nginx 60 s, Go 90 s), so that it is they
/// who close. A request that meets a connection being closed is an error that nobody repeats.
const HEAD_TIMEOUT: Duration = Duration::from_secs(120);
/// The largest head, in bytes, for HTTP/1; HTTP/2 has a bound of its own, of 16 KiB.
const MAX_HEAD: usize = 64 * 1024;
/// How many requests one connection of HTTP/2 has under way.
const MAX_STREAMS: u32 = 256;
/// How often a connection of HTTP/2 on which nothing happens is asked whether it lives, and how long
/// it may take to say so.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));

pub(super) async fn serve(
    answers: impl Answer,
    lifecycle: Lifecycle,
    stream: Stream,
    peer: Peer,
    drain: CancellationToken,
) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(HeadTimer::new(HEAD_TIMEOUT / 8))
        .header_read_timeout(HEAD_TIMEOUT)
        .max_buf_size(MAX_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .keep_alive_interval(KEEP_ALIVE.0)
        .keep_alive_timeout(KEEP_ALIVE.1);
    let peer = tollgate_http::Peer(peer.address);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(peer);
        // HTTP/2 has a way of its own to say farewell.
        let can_be_told = request.version() <= Version::HTTP_11;
        let lifecycle = lifecycle.clone();
        let answer = answers.clone().answer(request);
        async move {
            let mut response = answer.await;
            // A client that is told does not send its next request into a connection that is being
            // closed, where nobody would know whether it was seen.
            if can_be_told && lifecycle.is_leaving() {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(header::CONNECTION, close);
            }
            Ok::<_, Infallible>(response)
        }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = drain.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "an HTTP connection has ended early");
    }
}
