//! The Redis protocol, by what clients get over a connection.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on")]
#![expect(clippy::expect_used, reason = "a test that cannot go on")]
#![expect(clippy::panic, reason = "a test reports what is wrong by panicking")]

mod check;
mod clients;
mod connect;
mod daemon;
mod drain;
mod hostile;
mod page;
mod pipelines;
mod store;
mod throttle;
mod transactions;
mod wire;
