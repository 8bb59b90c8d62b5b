//! The database, with this service's schema.

use examples_common::database::{DatabaseUrl, Migrations};
pub use examples_common::database::{Db, OpenError, WriteTransaction};

/// Connects, and brings the schema up to date.
///
/// # Errors
///
/// The database cannot be reached, or a migration fails.
pub async fn open(url: &DatabaseUrl, connections: u32) -> Result<Db, OpenError> {
    let migrations = Migrations {
        sqlite: sqlx::migrate!("./migrations/sqlite"),
        postgres: sqlx::migrate!("./migrations/postgres"),
    };
    Db::open(url, connections, &migrations).await
}
