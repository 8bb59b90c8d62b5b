//! Limits HTTP requests by policies: a [tower layer](RateLimitLayer) for axum, hyper and every
//! other tower service.
//!
//! ```
//! use axum::{Router, routing::post};
//! use tollgate::MemoryStore;
//! use tollgate_http::{HttpLimiter, RateLimitLayer};
//! use tollgate_policy::{Policy, PolicyLimiter, PolicySet};
//!
//! let auth = Policy::builder("auth").path("/auth/**").key("client.ip").limit("10/min".parse()?);
//! let policies = PolicyLimiter::new(PolicySet::new([auth.build()?])?, MemoryStore::default());
//! let app: Router = Router::new()
//!     .route("/auth/login", post(async || "welcome"))
//!     .layer(RateLimitLayer::new(HttpLimiter::new(policies)));
//! // So that each request says where it comes from: with the feature `axum`, that is all.
//! let app = app.into_make_service_with_connect_info::<std::net::SocketAddr>();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or take the [`HttpLimiter`] from the service's state, and answer with an error of your own:
//!
//! ```
//! use axum::extract::{Request, State};
//! use axum::middleware::Next;
//! use axum::response::{IntoResponse, Response};
//! use tollgate_http::HttpLimiter;
//! # use axum::http::StatusCode;
//! # enum ApiError { TurnedAway(StatusCode) }
//! # impl IntoResponse for ApiError {
//! #     fn into_response(self) -> Response { let Self::TurnedAway(status) = self; status.into_response() }
//! # }
//!
//! async fn guard(State(limiter): State<HttpLimiter>, request: Request, next: Next) -> Response {
//!     let decision = limiter.check(&request).await;
//!     let mut response = if decision.is_allowed() {
//!         let response = next.run(request).await;
//!         // For policies that count failures only; what cannot be given back stays counted.
//!         let _ = limiter.settle(&decision, response.status()).await;
//!         response
//!     } else {
//!         ApiError::TurnedAway(limiter.denial(&decision).status()).into_response()
//!     };
//!     limiter.write_headers(&decision, response.headers_mut());
//!     response
//! }
//! # fn _app(limiter: HttpLimiter) -> axum::Router {
//! # axum::Router::new().layer(axum::middleware::from_fn_with_state(limiter, guard))
//! # }
//! ```
//!
//! Use it in a service whose requests are `http::Request`s. To limit something else by the same
//! policies there is `tollgate-policy`; to count without policies, `tollgate`.
//!
//! # Ideas
//!
//! * The limiter answers; it does not err. The service keeps its own type of error, and whoever
//!   is turned away gets a response. Why is in the extension [`Decided`] of request and response.
//! * Deciding and answering are apart: [`HttpLimiter`] knows who the client is and what fields
//!   say, the layer only when to ask it. [`Render`] makes the body.
//! * A request is charged before it is served. Dropping the response's future, or a panic behind
//!   the limiter, gives nothing back.
//! * Nothing is guessed: the peer is whom the connection names ([`Peer`], `ConnectInfo`), and its
//!   headers are believed only where the client identity trusts it. Where nobody names a peer,
//!   `client.ip` is a missing key.
//!
//! # Answers
//!
//! | what happened | status | `Retry-After` | type of problem |
//! |---|---|---|---|
//! | a limit does not admit it now | 429 | the longest wait of the limits that deny | `quota-exceeded` |
//! | its cost is more than a limit can ever admit | 429 | none: waiting does not help | `quota-exceeded` |
//! | it lacks what it is counted by ([`MissingKey::Deny`](tollgate_policy::MissingKey)) | 400 | none | `about:blank` |
//! | a policy blocks it | 403 | none | `about:blank` |
//! | the store has failed ([`OnStoreFailure::Deny`](tollgate_policy::OnStoreFailure)) | 503 | [as the options say](HttpLimiterBuilder::outage_retry_after) | `temporary-reduced-capacity` |
//! | the store has failed, and this process's share of the limits does not admit it ([`OnStoreFailure::Local`](tollgate_policy::OnStoreFailure)) | 429 | the share's own wait | `quota-exceeded` |
//!
//! Each carries `Cache-Control: no-store`, and an `application/problem+json` body with
//! `violated-policies`, unless the service [renders its own](RateLimitLayer::render_with).
//!
//! # Fields
//!
//! On every response to a request that a limit was decided for, allowed or denied, as
//! [`Headers`] says:
//!
//! | field | says |
//! |---|---|
//! | `RateLimit-Policy` | of every limit that applied: its name, quota `q` and, if it is whole seconds, window `w` |
//! | `RateLimit` | of the same limits: what remains (`r`) for the next `t` seconds |
//! | `X-RateLimit-Limit`, `-Remaining`, `-Reset` | the limit that decided: the denial with the longest wait, else the one closest to exhaustion |
//!
//! A policy's first limit goes by the policy's name, its second by `NAME/2`, and so on. A token
//! bucket announces its burst and the time of a full refill. `t` is the time until the limit is as
//! if never used; of a limit that denies, until the same request is admitted. Policies in shadow,
//! and those that hide their numbers, are left out; where one that hides them denies, there are no
//! `X-RateLimit` fields. What was let through without the store carries none.
//!
//! # Order of layers
//!
//! A layer of CORS goes outside this one, so that denials carry its fields too and pages can read
//! them; preflight requests are not counted either way, unless
//! [asked for](HttpLimiterBuilder::count_preflight). Authentication goes outside if policies
//! count by user ([`RequestAttributes`]), inside if they guard it.
//!
//! Of stacked limiters each one charges, and the innermost that has something to say writes the
//! fields: once, and those of a denial are never mixed with the numbers of a limit that admitted
//! it. Policies that should be announced together belong into one set, which also decides them in
//! one step.
//!
//! In axum, `Router::layer` sees the matched route, which policies call `route`; a layer around
//! the whole router does not.
//!
//! # Features
//!
//! * `axum`: the peer from `ConnectInfo<SocketAddr>`, `route` from `MatchedPath`, and [`Decided`]
//!   as an extractor.

mod announcements;
mod decided;
mod denial;
#[cfg(feature = "axum")]
mod extract;
mod fields;
mod future;
mod headers;
mod layer;
mod limiter;
mod preflight;
mod problem;
mod render;
mod request;
mod service;
mod status;

pub use decided::Decided;
pub use denial::Denial;
pub use future::RateLimitFuture;
pub use headers::{Headers, Reset};
pub use layer::RateLimitLayer;
pub use limiter::{HttpLimiter, HttpLimiterBuilder, InForce};
pub use render::{NoBody, ProblemJson, Render};
pub use request::{Peer, RequestAttributes, RequestHead};
pub use service::RateLimit;
pub use status::status;

/// The examples of the guides.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../docs/client-identity.md")]
    mod client_identity {}
    #[doc = include_str!("../../../docs/http.md")]
    mod http {}
    #[doc = include_str!("../../../docs/outages.md")]
    mod outages {}
}
