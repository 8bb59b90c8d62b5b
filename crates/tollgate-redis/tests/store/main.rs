//! The store against a real server, which each test starts for itself.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod conformance;
mod denial_cache;
mod failures;
mod fake;
mod given;
mod joining;
mod keys;
mod long_logs;
mod messages;
mod permissions;
mod refusals;
mod runtimes;
mod sharing;
mod still;
mod together;
mod waiting;
