//! Reading access logs.

mod alb;
mod clf;
mod cloudfront;
mod detect;
mod envoy;
mod fields;
mod form;
mod haproxy;
mod json;
mod log_format;
mod proxy_manager;
mod record;
mod reject;
mod source;
#[cfg(test)]
pub(crate) mod testing;
mod text;
mod time;
mod wrapper;

pub use fields::{Field, FieldError, FieldMap};
pub use form::{Form, ParseFormError};
pub use log_format::{LogFormat, LogFormatError};
pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
pub(crate) use source::Stoppable;
pub use source::{Findings, Input, LogSource, ReadOptions, same_logs};
pub use text::{TextForm, TextState};
pub use time::zone::{ParseTimeZoneError, TimeZone};
