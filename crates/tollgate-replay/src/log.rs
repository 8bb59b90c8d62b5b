//! Reading access logs.

mod record;
mod reject;

pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
