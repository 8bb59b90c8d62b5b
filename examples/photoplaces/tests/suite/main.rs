//! The service over real HTTP, on SQLite and on PostgreSQL.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails has failed its test"
)]

mod access;
mod accounts;
mod admin;
mod bookings;
mod caller;
mod config;
mod distance;
mod errors;
mod limits;
mod panics;
mod places;
mod process;
mod reviews;
mod services;
mod shutdown;
mod support;
mod walk;
