//! The database: one code path over SQLite and PostgreSQL.
//!
//! Statements are written once, in the SQL that both engines share. What differs
//! is here and in the two directories of migrations of each service: how a connection is set up,
//! and how a transaction begins.

mod url;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyPoolOptions, install_default_drivers};
use sqlx::migrate::Migrator;
use sqlx::{Any, AnyConnection, AnyPool, Connection, Transaction};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

pub use self::url::{Backend, DatabaseUrl};

/// How long a request waits for a connection, and the start for its first.
const CONNECT_PATIENCE: Duration = Duration::from_secs(5);

/// A prober wants an answer, also when the database gives none.
const ANSWER_PATIENCE: Duration = Duration::from_secs(2);

/// The address cannot be reached, or the schema not be brought up to date.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// No connection.
    #[error("cannot open the database {url}; check DATABASE_URL and that the database is there")]
    Connect {
        /// The address, without its password.
        url: DatabaseUrl,
        /// What the driver says.
        source: sqlx::Error,
    },
    /// A migration failed, or the database was migrated by another version.
    #[error("cannot migrate the database {url}")]
    Migrate {
        /// The address, without its password.
        url: DatabaseUrl,
        /// What the migrator says.
        source: sqlx::migrate::MigrateError,
    },
}

/// The schema of a service, for either engine: `sqlx::migrate!` of two directories.
#[derive(Debug)]
pub struct Migrations {
    /// For SQLite.
    pub sqlite: Migrator,
    /// For PostgreSQL.
    pub postgres: Migrator,
}

/// A pool of connections to either engine.
#[derive(Debug, Clone)]
pub struct Db {
    pool: AnyPool,
    backend: Backend,
    /// SQLite has one writer at a time. Waiting for a turn here is fair and costs
    /// nothing; waiting in SQLite is polling that gives up after the busy timeout.
    writers: Option<Arc<Semaphore>>,
}

impl Db {
    /// Connects, and brings the schema up to date.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, or a migration fails.
    pub async fn open(
        url: &DatabaseUrl,
        connections: u32,
        migrations: &Migrations,
    ) -> Result<Self, OpenError> {
        install_default_drivers();
        let backend = url.backend();
        migrate(url, migrations).await?;
        let pool = AnyPoolOptions::new()
            .max_connections(connections)
            .acquire_timeout(CONNECT_PATIENCE)
            .after_connect(move |connection, _| Box::pin(prepare(connection, backend)))
            .connect_lazy(&url.expose())
            .map_err(|source| OpenError::Connect {
                url: url.clone(),
                source,
            })?;
        let writers = (backend == Backend::Sqlite).then(|| Arc::new(Semaphore::new(1)));
        Ok(Self {
            pool,
            backend,
            writers,
        })
    }

    /// The pool, for statements that need no transaction and write nothing.
    #[must_use]
    pub const fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Whether the database answers, and soon.
    pub async fn answers(&self) -> bool {
        let probe = sqlx::query("SELECT 1").execute(&self.pool);
        match timeout(ANSWER_PATIENCE, probe).await {
            Ok(Ok(_)) => true,
            failed => {
                tracing::warn!(?failed, "the database does not answer");
                false
            }
        }
    }

    /// A transaction whose statements all see the same state.
    ///
    /// # Errors
    ///
    /// No connection.
    pub async fn begin_read(&self) -> sqlx::Result<Transaction<'static, Any>> {
        self.pool
            .begin_with(match self.backend {
                Backend::Sqlite => "BEGIN",
                Backend::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            })
            .await
    }

    /// A transaction that writes.
    ///
    /// # Errors
    ///
    /// No connection.
    pub async fn begin_write(&self) -> sqlx::Result<WriteTransaction> {
        let turn = match &self.writers {
            Some(writers) => Some(
                Arc::clone(writers)
                    .acquire_owned()
                    .await
                    .map_err(|_| sqlx::Error::PoolClosed)?,
            ),
            None => None,
        };
        let statement = match self.backend {
            // A deferred transaction that turns from reading to writing fails at once
            // when another wrote in between, whatever the busy timeout.
            Backend::Sqlite => "BEGIN IMMEDIATE",
            Backend::Postgres => "BEGIN",
        };
        let transaction = self.pool.begin_with(statement).await?;
        Ok(WriteTransaction {
            transaction,
            _turn: turn,
        })
    }

    /// Waits for the connections in use, and closes them.
    pub async fn close(&self) {
        self.pool.close().await;
    }
}

/// A transaction that writes; rolled back unless committed.
#[derive(Debug)]
pub struct WriteTransaction {
    transaction: Transaction<'static, Any>,
    /// Last, so that the turn ends after the transaction.
    _turn: Option<OwnedSemaphorePermit>,
}

impl WriteTransaction {
    /// Makes the writes durable.
    ///
    /// # Errors
    ///
    /// The database refused, or its answer was lost: the writes may or may not stand.
    pub async fn commit(self) -> sqlx::Result<()> {
        self.transaction.commit().await
    }
}

impl Deref for WriteTransaction {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.transaction
    }
}

impl DerefMut for WriteTransaction {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.transaction
    }
}

/// Brings the schema up to date, over a connection of its own: a pool would try
/// again and again, and in the end not say what the matter was.
async fn migrate(url: &DatabaseUrl, migrations: &Migrations) -> Result<(), OpenError> {
    let connect_error = |source| OpenError::Connect {
        url: url.clone(),
        source,
    };
    let address = url.expose();
    let mut connection = timeout(CONNECT_PATIENCE, AnyConnection::connect(&address))
        .await
        .unwrap_or(Err(sqlx::Error::PoolTimedOut))
        .map_err(connect_error)?;
    prepare(&mut connection, url.backend())
        .await
        .map_err(connect_error)?;
    let migrations = match url.backend() {
        Backend::Sqlite => &migrations.sqlite,
        Backend::Postgres => &migrations.postgres,
    };
    migrations
        .run(&mut connection)
        .await
        .map_err(|source| OpenError::Migrate {
            url: url.clone(),
            source,
        })?;
    connection.close().await.map_err(connect_error)
}

/// Sets up a new connection.
async fn prepare(connection: &mut AnyConnection, backend: Backend) -> sqlx::Result<()> {
    let settings: &[&'static str] = match backend {
        Backend::Sqlite => &[
            "PRAGMA busy_timeout = 5000",
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = NORMAL",
            "PRAGMA foreign_keys = ON",
        ],
        // No statement of ours runs this long unless something is wrong.
        Backend::Postgres => &["SET statement_timeout = '10s'"],
    };
    for setting in settings {
        sqlx::query(*setting).execute(&mut *connection).await?;
    }
    Ok(())
}
