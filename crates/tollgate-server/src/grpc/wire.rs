//! The messages of the rate limit service as they are on the wire, without a value of them in
//! between: what is asked is borrowed from the bytes that came, and the answer is written where it
//! is sent from.

mod fields;
mod request;
mod response;
mod writer;

pub(super) use request::{Descriptor, Request, check_parts};
pub(super) use response::{CurrentLimit, Metadata, Response, Status};
pub(super) use writer::PREFIX;
