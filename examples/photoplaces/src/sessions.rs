//! Who is logged in: sessions in the service's own database, by the hash of their tokens.

use std::time::Duration;

use examples_common::session_token::SessionToken;
use sqlx::AnyConnection;

use crate::caller::{CurrentUser, Plan, Role};
use crate::clock::Clock;
use crate::db::Db;
use crate::error::AppError;

/// Sessions as rows; expired ones go when the next session is opened.
#[derive(Debug, Clone)]
pub struct Sessions {
    db: Db,
    clock: Clock,
    lifetime_secs: i64,
}

/// A session just opened.
#[derive(Debug)]
pub struct OpenedSession {
    /// What the client shows from now on.
    pub token: SessionToken,
    /// Until when, in seconds since the Unix epoch.
    pub expires_at: i64,
}

impl Sessions {
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

    /// Opens a session for a user.
    ///
    /// # Errors
    ///
    /// The database fails, or there is no randomness.
    pub async fn open(&self, user_id: i64) -> Result<OpenedSession, AppError> {
        let token = SessionToken::random().map_err(AppError::internal)?;
        let now = self.clock.now();
        let expires_at = now.saturating_add(self.lifetime_secs);
        let mut tx = self.db.begin_write().await?;
        sqlx::query("DELETE FROM sessions WHERE expires_at <= $1")
            .bind(now)
            .execute(&mut *tx)
            .await?;
        sqlx::query("INSERT INTO sessions (token_hash, user_id, expires_at) VALUES ($1, $2, $3)")
            .bind(token.digest())
            .bind(user_id)
            .bind(expires_at)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(OpenedSession { token, expires_at })
    }

    /// The user of an open, unexpired session, with the role and the plan that they have now.
    /// Nobody who is blocked.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn user(&self, token: &SessionToken) -> Result<Option<CurrentUser>, AppError> {
        let row: Option<(i64, String, String)> = sqlx::query_as(
            "SELECT u.id, u.role, u.plan
             FROM sessions s JOIN users u ON u.id = s.user_id
             WHERE s.token_hash = $1 AND s.expires_at > $2 AND u.blocked_at IS NULL",
        )
        .bind(token.digest())
        .bind(self.clock.now())
        .fetch_optional(self.db.pool())
        .await?;
        Ok(row.map(|(id, role, plan)| CurrentUser {
            id,
            role: Role::from_stored(&role),
            plan: Plan::from_stored(&plan),
        }))
    }

    /// Ends a session; no error if there is none.
    ///
    /// # Errors
    ///
    /// The database fails.
    pub async fn close(&self, token: &SessionToken) -> Result<(), AppError> {
        let mut tx = self.db.begin_write().await?;
        sqlx::query("DELETE FROM sessions WHERE token_hash = $1")
            .bind(token.digest())
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Ends every session of a user, as a part of a transaction.
///
/// # Errors
///
/// The database fails.
pub async fn close_all(connection: &mut AnyConnection, user_id: i64) -> Result<(), AppError> {
    sqlx::query("DELETE FROM sessions WHERE user_id = $1")
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}
