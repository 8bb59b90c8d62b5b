//! All surfaces of one daemon, and what they have in common.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod clients;
mod counting;
mod daemon;
mod encrypted;
#[path = "../grpc/generated.rs"]
#[expect(unused_imports, reason = "one call is enough here")]
mod generated;
mod guide;
mod leaving;
mod load;
mod memory;
mod overload;
mod reload;
mod rolling;
