//! Reading access logs.

mod record;
mod reject;
mod time;

pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
pub use time::zone::{ParseTimeZoneError, TimeZone};
