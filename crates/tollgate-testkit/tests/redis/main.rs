//! The servers that tests of the Redis store run against: they are what they are said to be, and
//! fail as they are told to.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod client;
mod cluster;
mod faults;
mod lifetimes;
mod sentinel;
mod servers;
mod tls;
