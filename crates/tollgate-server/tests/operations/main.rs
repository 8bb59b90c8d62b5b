//! The daemon as operators see it: encrypted, bounded, watched, and ended.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod bounds;
mod encryption;
mod ending;
mod sockets;
mod support;
mod watching;
