//! The store on several servers: clusters, masters that sentinels watch; and how to come to them.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

mod cluster;
mod given;
mod login;
mod moving;
mod sentinel;
#[cfg(feature = "tls")]
mod tls;
