//! The commands, run as people and programs run them.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod colours;
mod endings;
mod generated;
mod layer;
mod pictures;
mod programs;
mod transcript;
mod transcripts;
