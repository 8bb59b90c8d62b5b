//! What policies would have done to the requests of access logs.
//!
//! Logs are read ([`log`]), their requests put in order of time, and decided by the real engine on
//! the logs' own clock; what came of it is a [`Report`](report::Report).
//!
//! # Ideas
//!
//! * A line is a [`Record`](log::Record): what the log says, with the time at which the request
//!   began where the log tells it.
//! * A [`Request`] is what policies see of it.
//! * Nothing is guessed in silence: every line gives a decision or a counted reason, and the report
//!   says what the log could not tell.

mod batch;
mod client;
mod counting;
mod deciding;
pub mod diff;
mod engine;
mod error;
mod hide;
mod instant;
mod later;
pub mod log;
mod logs;
mod order;
mod progress;
pub mod render;
mod replay;
pub mod report;
mod request;
mod sample;
mod share;
pub mod suggest;
mod tally;
mod wanted;
mod words;

pub use error::ReplayError;
pub use hide::HidingKey;
pub use logs::LogRequests;
pub use progress::Progress;
pub use replay::Replay;
pub use request::{Request, Requests};
pub use share::{Bound, ParseBoundError, ParseShareError, Share};
