//! What a service behind the limiter and its clients see.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail the test"
)]

#[cfg(feature = "axum")]
mod axum_app;
mod by_hand;
mod clients;
mod denials;
mod header_fields;
mod preflight;
mod readiness;
mod replacing;
mod settling;
mod stacking;
mod support;
