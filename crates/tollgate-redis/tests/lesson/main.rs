//! What simple counters in Redis get wrong, seen on a real server, and what the store does instead.
//!
//! `docs/redis.md` tells it with these numbers; each test fails when the page no longer does.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod crash;
mod edge;
mod given;
mod refill;
mod skew;
mod together;
mod traffic;
