//! What the services' tests begin with.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails has failed its test"
)]

mod client;
mod postgres;
mod program;

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::Value;

pub use self::client::{Answer, Client};
pub use self::postgres::fresh_postgres_database;
pub use self::program::{Program, run_readme};

/// An address that no client of the test had before, so that a limiter knows nothing of it.
pub fn fresh_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("198.18.{}.{}", number / 256, number % 256)
}

/// The id in an answer.
pub fn id(answer: &Value) -> i64 {
    answer["id"].as_i64().unwrap()
}
