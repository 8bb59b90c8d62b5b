//! What the services' tests begin with.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails has failed its test"
)]

mod client;
mod postgres;
mod program;

use tempfile::TempDir;

pub use self::client::{Answer, Client};
pub use self::program::{Program, run_readme};

/// The database engines that every test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// A file in a directory of the test's own.
    Sqlite,
    /// A database of the test's own, on the one server of the process.
    Postgres,
}

impl Engine {
    /// The address of an empty database that no other test has. An SQLite file is in `dir`.
    pub async fn fresh_database(self, dir: &TempDir) -> String {
        match self {
            Self::Sqlite => format!("sqlite://{}/test.db", dir.path().display()),
            Self::Postgres => postgres::fresh_database().await,
        }
    }
}

/// Makes two tests of each function `async fn(Engine)`: `sqlite::name` and `postgres::name`.
#[macro_export]
macro_rules! on_each_engine {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::testing::Engine::Sqlite).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::testing::Engine::Postgres).await;
            })+
        }
    };
}
pub use on_each_engine;
