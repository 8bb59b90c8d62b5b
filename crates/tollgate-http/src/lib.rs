//! Work in progress.

mod fields;
mod headers;
mod preflight;
mod problem;

pub use headers::{Headers, Reset};
