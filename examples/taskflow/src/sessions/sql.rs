//! Sessions in the service's own database.

use std::time::Duration;

use super::{OpenedSession, SessionToken, Sessions};
use crate::cache::BoxFuture;
use crate::clock::Clock;
use crate::db::Db;
use crate::error::AppError;

/// Sessions as rows; expired ones go when the next session is opened.
#[derive(Debug)]
pub struct SqlSessions {
    db: Db,
    clock: Clock,
    lifetime_secs: i64,
}

impl SqlSessions {
    /// Sessions that last for `lifetime`.
    #[must_use]
    pub fn new(db: Db, clock: Clock, lifetime: Duration) -> Self {
        let lifetime_secs = i64::try_from(lifetime.as_secs()).unwrap_or(i64::MAX);
        Self {
            db,
            clock,
            lifetime_secs,
        }
    }
}

impl Sessions for SqlSessions {
    fn open(&self, user_id: i64) -> BoxFuture<'_, Result<OpenedSession, AppError>> {
        Box::pin(async move {
            let token = SessionToken::random().map_err(AppError::internal)?;
            let now = self.clock.now();
            let expires_at = now.saturating_add(self.lifetime_secs);
            let mut tx = self.db.begin_write().await?;
            sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
                .bind(now)
                .execute(&mut *tx)
                .await?;
            sqlx::query(
                "INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ($1, $2, $3)",
            )
            .bind(token.digest())
            .bind(user_id)
            .bind(expires_at)
            .execute(&mut *tx)
            .await?;
            tx.commit().await?;
            Ok(OpenedSession { token, expires_at })
        })
    }

    fn user<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<Option<i64>, AppError>> {
        Box::pin(async move {
            let user = sqlx::query_scalar(
                "SELECT user_id FROM sessions WHERE token_hash = $1 AND expires_at > $2",
            )
            .bind(token.digest())
            .bind(self.clock.now())
            .fetch_optional(self.db.pool())
            .await?;
            Ok(user)
        })
    }

    fn close<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<(), AppError>> {
        Box::pin(async move {
            let mut tx = self.db.begin_write().await?;
            sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
                .bind(token.digest())
                .execute(&mut *tx)
                .await?;
            tx.commit().await?;
            Ok(())
        })
    }
}
