//! The service over real HTTP, on SQLite and on PostgreSQL.
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
mod shutdown;
mod support;
mod walk;
