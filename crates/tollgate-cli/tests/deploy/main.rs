//! What is in `deploy`: each file by the program that reads it, or held to what the command takes.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test reports what is wrong by panicking"
)]

mod container;
mod grafana;
mod guide;
mod kubernetes;
mod prometheus;
mod support;
mod systemd;
