//! Made-up logs in every form: what is read of them, and what is decided.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on"
)]

mod decisions;
mod order;
mod records;
mod support;
