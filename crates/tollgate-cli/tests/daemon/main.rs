//! `tollgate serve` as service managers and operators run it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod beginning;
mod client;
mod exhaustion;
#[cfg(feature = "opentelemetry")]
mod exports;
mod logging;
mod manager;
mod process;
mod reload;
mod restart;
mod secrets;
