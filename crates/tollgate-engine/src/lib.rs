//! A policy file in force.
//!
//! [`Engine::open`] reads the file and makes what it says: the store, with what keeps its outages
//! short and its denials cheap; the policies over it; the client identity; what responses tell.
//! [`Engine::keep_current`] goes on reading the file while the service runs.
//!
//! ```no_run
//! use tollgate_engine::{Engine, hangup_signal};
//! use tollgate_http::RateLimitLayer;
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let engine = Engine::open("tollgate.toml")?;
//! tokio::spawn(engine.clone().keep_current(hangup_signal()?));
//! let layer = RateLimitLayer::new(engine.limiter().clone()); // goes around the routes
//! # let _ = layer; Ok(())
//! # }
//! ```
//!
//! It is what the daemon and a service that is limited by a file have in common. A service whose
//! policies are in its code needs none of it.
//!
//! # Guarantees
//!
//! * Opening sends nothing to the store, which may be away: each policy says what happens until it
//!   is there.
//! * A file that has become wrong changes nothing, nor one whose `[store]` no store can be made of. One that is right is in force for all requests
//!   that begin afterwards, and what was used stays used.
//! * Without `[store]`, or with `url = "memory:"`, there is no connection and no background task
//!   but the one that you spawn.

mod clock;
mod counts;
mod engine;
mod error;
mod limiter;
#[cfg(feature = "prometheus")]
mod metrics;
mod reload;

pub use counts::check_store;
pub use engine::{Engine, EngineBuilder};
pub use error::EngineError;
pub use limiter::limiter_of;
#[cfg(feature = "prometheus")]
pub use metrics::{Metrics, MetricsError};
pub use reload::hangup_signal;

/// The examples of the README: this crate has all others below it.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
mod readme {}

/// The example of the page about metrics.
#[cfg(all(doctest, feature = "prometheus"))]
#[doc = include_str!("../../../docs/metrics.md")]
mod metrics_page {}
