//! What a daemon answers over HTTP, asked over real connections.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on"
)]

mod admin;
mod batch;
mod check;
mod errors;
mod forward_auth;
mod guide;
mod openapi;
mod outage;
mod parallel;
mod redis;
mod support;
