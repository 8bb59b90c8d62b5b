//! The gRPC surface, as its callers see it.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on"
)]

mod attributes;
mod buf;
mod connections;
mod docs;
mod envoy;
mod failures;
mod generated;
mod health;
mod hits;
mod overrides;
mod pieces;
mod refusals;
mod statuses;
mod support;
