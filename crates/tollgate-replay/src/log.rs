//! Reading access logs.

mod alb;
mod clf;
mod cloudfront;
mod detect;
mod envoy;
mod form;
mod haproxy;
mod json;
mod proxy_manager;
mod record;
mod reject;
mod source;
mod text;
mod time;

pub use form::{Form, ParseFormError};
pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
pub use source::{Findings, Input, LogSource, ReadOptions};
pub use text::{TextForm, TextState};
pub use time::zone::{ParseTimeZoneError, TimeZone};
