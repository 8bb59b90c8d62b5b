//! What the services' tests begin with.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails has failed its test"
)]

mod client;
mod postgres;
mod program;

pub use self::client::{Answer, Client};
pub use self::postgres::fresh_postgres_database;
pub use self::program::{Program, run_readme};
