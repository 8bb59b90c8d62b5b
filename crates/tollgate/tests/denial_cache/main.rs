//! A store with a denial cache around it does what the store does, with fewer calls.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails has failed its test"
)]

mod bounds;
mod calls;
mod changes;
mod clocks;
mod failures;
mod given;
mod races;
mod traces;
