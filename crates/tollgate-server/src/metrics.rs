//! What operators can count: the process's metrics, and the daemon's own.
//!
//! Decisions, reloads and stores count through the `metrics` facade, into the recorder that
//! [`Metrics::install`](tollgate_engine::Metrics::install) makes. What a surface does is counted here, without the facade: its cost is a
//! few atomic additions, and it is there with no recorder too.
//!
//! # How a surface counts
//!
//! Each protocol is given its [`Surface`] when it is made. For every request:
//!
//! ```text
//! let Ok(request) = self.surface.begin() else {
//!     // Too many are in flight: answered at once, and counted already.
//!     return unavailable(crate::metrics::RETRY_AFTER);
//! };
//! let decision = policies.decide(…).await;
//! request.end(if decision.is_allowed() { Outcome::Allow } else { Outcome::Deny });
//! ```
//!
//! A request that is dropped without `end` is counted as [`Outcome::Cancelled`]: its client has gone,
//! or the time to drain was over. What is no question for a decision (`PING`, a health check, the
//! metrics themselves) ends in [`Outcome::Other`], and can be left out altogether.
//!
//! Connections are counted by `net`, which surfaces need not do.
//!
//! No label comes from a client: a series is a surface, and an outcome or a reason of those here.

mod exposition;
mod seconds;
mod surface;

pub(crate) use exposition::write;
pub(crate) use surface::{InFlight, Outcome, Overloaded, RETRY_AFTER, Refusal, Surface};
