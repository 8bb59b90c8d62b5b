//! The commands, run as people and programs run them.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod colours;
mod diffs;
mod endings;
mod generated;
mod interrupts;
mod layer;
mod names;
mod pictures;
mod places;
mod programs;
mod progress;
mod replay_guide;
mod replays;
mod run;
mod suggests;
mod traffic;
mod transcript;
mod transcripts;
