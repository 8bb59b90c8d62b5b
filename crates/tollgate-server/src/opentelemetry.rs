//! Metrics and spans, exported by OTLP to whoever collects them.
//!
//! OTLP's messages are few, and all that they are made of is here already (prost, hyper), so that
//! it takes nothing more but hyper's client.
//!
//! # What it costs a request
//!
//! With nothing configured, a look at an `Option`. Otherwise the field `traceparent` is looked for;
//! what is not sampled ends there. What is takes two looks at the clock, and a place in a list with
//! a bound. Nothing ever waits for a collector: exports are made by tasks beside the threads that
//! serve.

mod client;
mod connection;
mod context;
mod exporter;
mod exposition;
mod health;
mod message;
mod settings;
mod spans;
mod tally;
mod tracer;
mod trust;

use std::time::{Duration, SystemTime};

pub(crate) use exporter::Exporting;
pub use settings::{OpenTelemetry, OpenTelemetryError};
pub(crate) use tracer::{Tracer, Tracing};

/// What is exported is laid beside what other programs export, by the time that all of them know.
#[expect(
    clippy::disallowed_methods,
    reason = "nothing is decided by it, and no test can tell the difference"
)]
fn wall_clock() -> SystemTime {
    SystemTime::now()
}

fn since_epoch(time: SystemTime) -> Duration {
    // A clock that stands before 1970 is not set at all.
    time.duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default()
}

/// As OTLP counts time.
fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
