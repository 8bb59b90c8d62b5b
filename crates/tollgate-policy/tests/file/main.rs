//! Policy files: what is wrong with them and in which words, what is right, and what is doubtful.

#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod docs;
mod golden;
mod properties;
mod right;
mod secrets;
mod watch;
