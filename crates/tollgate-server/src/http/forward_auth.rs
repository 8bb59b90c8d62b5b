//! Forward-auth: a proxy asks about each request before it passes it on.
//!
//! The request that is asked about is described by fields of the proxy's own request. They are
//! believed of trusted proxies only; for anyone else there is no answer but an error, so that nobody
//! gains anything by inventing one, and a proxy that was forgotten in the list is noticed at once.

mod accel;
mod dialect;
mod nginx;
mod original;

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use axum::routing::any;
use tollgate::AnyStore;
use tollgate_http::{HttpLimiter, Peer, RequestHead};
use tollgate_policy::{AddressSource, Attributes as _, Decision};

use super::Shared;
use super::problem::{MEDIA_TYPE, Problem};
use crate::metrics::Outcome;
use dialect::Dialect;
use original::Original;

pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/v1/auth", any(forwarded))
        .route("/v1/auth/nginx", any(nginx::nginx))
        .route("/v1/auth/accel", any(accel::accel))
}

/// `/v1/auth`: Traefik, Caddy and whoever else names the request in `X-Forwarded-…`.
async fn forwarded(State(shared): State<Arc<Shared>>, request: Request<Body>) -> Response<Body> {
    let (parts, _) = request.into_parts();
    match decide(&shared, Dialect::Forwarded, &parts).await {
        Ok(Some(decision)) => answer(shared.engine.limiter(), &decision),
        Ok(None) => Response::default(),
        Err(problem) => problem.into_response(),
    }
}

/// Decides the request that a proxy asks about; `None` for one that is not counted.
async fn decide(
    shared: &Shared,
    dialect: Dialect,
    parts: &Parts,
) -> Result<Option<Arc<Decision>>, Problem> {
    shared.count(decide_uncounted(shared, dialect, parts).await)
}

async fn decide_uncounted(
    shared: &Shared,
    dialect: Dialect,
    parts: &Parts,
) -> Result<Option<Arc<Decision>>, Problem> {
    trust(shared, parts)?;
    let span = shared.surface.trace("forward-auth", &parts.headers);
    let limiter = shared.engine.limiter();
    let peer = peer_of(parts);
    let (counted, decided) = {
        let in_force = limiter.in_force();
        let original = Original::read(dialect, parts, limiter)
            .inspect_err(|problem| unclear(shared, peer, problem))?;
        let method = original.method();
        let head = RequestHead::from(parts);
        if limiter.passes(RequestHead { method, ..head }) {
            shared.surface.count(Outcome::Other);
            return Ok(None);
        }
        if let Some(client) = original.client()
            && client.source() == AddressSource::PeerWithoutHeader
        {
            unnamed_client(shared, peer, in_force.identity().header_name());
        }
        let counted = shared.begin()?;
        let decided = in_force.policies().decide_at_once(&original);
        let decided = decided.map_err(|undecided| (in_force.policies().clone(), undecided));
        (counted, decided)
    };
    let (decision, counted) = match decided {
        Ok(decision) => (decision, counted),
        Err((policies, undecided)) => {
            let (_place, counted) = shared.wait(counted, 1)?;
            (policies.decide_later(undecided).await, counted)
        }
    };
    span.end(&decision);
    counted.end(Outcome::of(&decision));
    Ok(Some(decision))
}

/// Nothing, for a trusted proxy.
///
/// # Errors
///
/// It is none: whatever else is wrong with what it says does not matter then.
fn trust(shared: &Shared, parts: &Parts) -> Result<(), Problem> {
    let peer = peer_of(parts);
    let in_force = shared.engine.limiter().in_force();
    let is_trusted = peer.is_some_and(|Peer(address)| {
        let ip = address.map(|address| address.ip());
        in_force.identity().trusts(ip)
    });
    if is_trusted {
        Ok(())
    } else {
        Err(untrusted(shared, peer))
    }
}

fn peer_of(parts: &Parts) -> Option<Peer> {
    parts.extensions.get().copied()
}

/// What a proxy gives to its client, or takes fields from.
fn answer(limiter: &HttpLimiter<AnyStore>, decision: &Decision) -> Response<Body> {
    let mut response = Response::default();
    if !decision.is_allowed() {
        let denial = limiter.denial(decision);
        *response.status_mut() = denial.status();
        *response.body_mut() = denial.problem_json().into();
        response.headers_mut().insert(CONTENT_TYPE, MEDIA_TYPE);
    }
    limiter.write_headers(decision, response.headers_mut());
    response
}

fn untrusted(shared: &Shared, peer: Option<Peer>) -> Problem {
    if let Some(untold) = shared.untrusted.tell() {
        tracing::warn!(
            peer = peer_text(peer),
            untold,
            "forward-auth was refused: the peer is not among `trusted_proxies` of `[client]` in the \
             policy file; add its address there, or say `trust_unix_peer = true` for a Unix socket"
        );
    }
    // A proxy gives it to whoever asks, who need not know how this is set up.
    Problem::new(
        StatusCode::FORBIDDEN,
        "the proxy is not trusted; the log of the rate limiter says why",
    )
}

fn unclear(shared: &Shared, peer: Option<Peer>, problem: &Problem) {
    if let Some(untold) = shared.unclear.tell() {
        tracing::warn!(
            peer = peer_text(peer),
            untold,
            problem = problem.detail(),
            "a proxy does not say what it asks about"
        );
    }
}

fn unnamed_client(shared: &Shared, peer: Option<Peer>, header: &str) {
    if let Some(untold) = shared.unclear.tell() {
        tracing::warn!(
            peer = peer_text(peer),
            header,
            untold,
            "a proxy does not say who its client is: all of its clients are counted as one"
        );
    }
}

fn peer_text(peer: Option<Peer>) -> String {
    match peer {
        Some(Peer(Some(address))) => address.ip().to_string(),
        Some(Peer(None)) => "a Unix socket".to_owned(),
        None => "unknown".to_owned(),
    }
}

/// The value of a field that is there once, if it is there.
fn single<'h>(
    headers: &'h HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'h HeaderValue>, Problem> {
    let mut lines = headers.get_all(name).iter();
    match (lines.next(), lines.next()) {
        (first, None) => Ok(first),
        _ => Err(Problem::bad_request(format!(
            "`{name}` is there more than once: have the proxy set it, and not add to it"
        ))),
    }
}
