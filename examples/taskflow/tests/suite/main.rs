//! The service over real HTTP, on SQLite, on PostgreSQL, and with Redis.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper that fails has failed its test"
)]

mod access;
mod auth;
mod boards;
mod cache;
mod cards;
mod columns;
mod config;
mod cors;
mod errors;
mod labels;
mod members;
mod process;
mod rate_limit;
mod redis_cache;
mod redis_outages;
mod redis_processes;
mod redis_sharing;
mod replay;
mod shutdown;
mod support;
mod walk;
