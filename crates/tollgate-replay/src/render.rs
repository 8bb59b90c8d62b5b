//! Reports for people and for programs: as text, as JSON, and as one page of HTML.
//!
//! All three show the same numbers of the same [`Report`](crate::report::Report). None decides
//! anything, reads a clock or the environment, and none fails: a report always has a form.
//!
//! Keys, names and lines of logs are written by whoever sent the requests. In no form do they move a
//! cursor, hide or turn what stands beside them, or become markup.

mod html;
mod instant;
mod json;
mod numbers;
mod prose;
mod says;
pub(crate) mod shown;
mod spans;
mod steps;
mod text;

pub use html::html;
pub use json::json;
pub use text::{TextOptions, text};
