//! Reading access logs.

mod alb;
mod clf;
mod cloudfront;
mod envoy;
mod haproxy;
mod proxy_manager;
mod record;
mod reject;
mod text;
mod time;

pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
pub use text::{TextForm, TextState};
pub use time::zone::{ParseTimeZoneError, TimeZone};
