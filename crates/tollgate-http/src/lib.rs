//! Work in progress.

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
pub use limiter::{HttpLimiter, HttpLimiterBuilder};
pub use render::{NoBody, ProblemJson, Render};
pub use request::{Peer, RequestAttributes, RequestHead};
pub use service::RateLimit;
pub use status::status;
