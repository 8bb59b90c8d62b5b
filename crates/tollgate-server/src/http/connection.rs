//! One connection of HTTP/1 or HTTP/2.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, Version, header};
use axum::response::IntoResponse as _;
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio_util::sync::CancellationToken;

use super::answer::Answer;
use super::counted::no_memory;
use super::head_timer::HeadTimer;
use super::problem::Problem;
use crate::lifecycle::Lifecycle;
use crate::memory::{Arriving, Held, Kept, Memory, Portion, is_left};
use crate::metrics::{Outcome, Surface};
use crate::net::{Lasting, Peer, Stream, http2};

/// How long a connection may wait for a request, and its head take to arrive: longer than proxies and
/// client libraries keep connections that they do not use (nginx 60 s, Go 90 s), so that it is they
/// who close. A request that meets a connection being closed is an error that nobody repeats.
const HEAD_TIMEOUT: Duration = Duration::from_secs(120);
/// The largest head, in bytes, for HTTP/1.
const MAX_HEAD: usize = 64 * 1024;
/// The same for HTTP/2, as that counts it: with 32 bytes more for each field.
const MAX_HEAD_OF_HTTP2: u32 = 16 * 1024;
/// How often a connection of HTTP/2 on which nothing happens is asked whether it lives, and how long
/// it may take to say so.
const KEEP_ALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));

/// What the connections of a surface have in common.
#[derive(Clone)]
pub(super) struct Common {
    pub(super) lifecycle: Lifecycle,
    pub(super) surface: Arc<Surface>,
    pub(super) memory: Arc<Memory>,
}

/// What the requests of one connection have in common.
struct Serving<A> {
    answers: A,
    common: Common,
    portion: Portion,
    peer: tollgate_http::Peer,
}

pub(super) async fn serve(
    answers: impl Answer,
    common: Common,
    stream: Stream,
    peer: Peer,
    drain: CancellationToken,
) {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(HeadTimer::new(HEAD_TIMEOUT / 8))
        .header_read_timeout(HEAD_TIMEOUT)
        // Who has said all is still answered.
        .half_close(true)
        // Answers are short: to copy one behind its head costs less than to send two pieces.
        .writev(false)
        .max_buf_size(MAX_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(http2::STREAMS)
        .initial_stream_window_size(http2::STREAM_WINDOW)
        .initial_connection_window_size(http2::WINDOW)
        .max_pending_accept_reset_streams(http2::RESETS)
        .max_local_error_reset_streams(http2::ERRORS)
        .max_header_list_size(MAX_HEAD_OF_HTTP2)
        .keep_alive_interval(KEEP_ALIVE.0)
        .keep_alive_timeout(KEEP_ALIVE.1);
    let portion = common.memory.portion();
    let stream = Lasting::new(stream, portion.clone()).open_within(HEAD_TIMEOUT);
    let serving = Arc::new(Serving {
        answers,
        common,
        portion,
        peer: tollgate_http::Peer(peer.address),
    });
    let service = service_fn(move |request: Request<Incoming>| {
        let serving = Arc::clone(&serving);
        async move { Ok::<_, Infallible>(serving.answer(request).await) }
    });
    let connection = builder.serve_connection(TokioIo::new(stream), service);
    tokio::pin!(connection);
    let ended = tokio::select! {
        biased;
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

impl<A: Answer> Serving<A> {
    /// Answers a request, if there is memory for it and it is one.
    async fn answer(&self, request: Request<Incoming>) -> Response<Kept<Body>> {
        let surface = &self.common.surface;
        // HTTP/2 has a way of its own to say farewell.
        let can_be_told = request.version() <= Version::HTTP_11;
        let (mut response, is_unread) = match admit(&self.portion, &request) {
            Ok(held) => {
                let body = Arc::clone(&held);
                let request = request.map(|it| Arriving::new(it, body));
                let answer = self.answers.answer(request, self.peer).await;
                let is_unread = held.is_unread();
                (keep(answer, held, surface), is_unread)
            }
            Err((problem, outcome)) => {
                surface.count(outcome);
                let answer = problem.into_response().map(|body| Kept::new(body, None));
                (answer, is_left(request.body()))
            }
        };
        // A client that is told does not send its next request into a connection that is being
        // closed, where nobody would know whether it was seen. After a body that was not read to its
        // end no other request can be told from it.
        if can_be_told && (is_unread || self.common.lifecycle.is_leaving()) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        response
    }
}

fn admit(portion: &Portion, request: &Request<Incoming>) -> Result<Arc<Held>, (Problem, Outcome)> {
    if !has_one_host(request) {
        let problem = Problem::bad_request("a request of HTTP/1.1 has the field `Host` once");
        return Err((problem, Outcome::Invalid));
    }
    let held = portion.hold(request.headers());
    held.map_err(|exhausted| (no_memory(exhausted), Outcome::Overloaded))
}

/// RFC 9112, section 3.2. Of HTTP/2 it is seen to elsewhere.
fn has_one_host(request: &Request<Incoming>) -> bool {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    match request.version() {
        Version::HTTP_11 => hosts == 1,
        Version::HTTP_10 => hosts <= 1,
        _ => true,
    }
}

/// An answer, with the memory that is held for it until it is sent.
fn keep(answer: Response<Body>, held: Arc<Held>, surface: &Surface) -> Response<Kept<Body>> {
    let length = answer.body().size_hint().exact().unwrap_or_default();
    held.answer(usize::try_from(length).unwrap_or_default());
    if held.was_refused() {
        surface.count(Outcome::Overloaded);
    }
    answer.map(|body| Kept::new(body, Some(held)))
}
