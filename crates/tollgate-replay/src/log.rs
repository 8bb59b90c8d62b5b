//! Reading access logs.

mod detect;
mod form;
mod json;
mod provisional;
mod record;
mod reject;
mod source;
mod time;

pub use form::{Form, ParseFormError};
pub use record::{Line, Peer, Record, Skipped, TimeBasis};
pub use reject::Reject;
pub use source::{Findings, Input, LogSource, ReadOptions};
