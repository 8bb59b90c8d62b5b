//! Who is logged in: sessions in the service's own database, by the hash of their tokens.

use std::time::Duration;

use examples_common::session_token::SessionToken;
use examples_common::sessions::{OpenedSession, SqlSessions};
use sqlx::AnyConnection;

use crate::caller::{CurrentUser, Plan, Role};
use crate::clock::Clock;
use crate::db::Db;
use crate::error::AppError;

/// Sessions, and what is known of their users.
#[derive(Debug, Clone)]
pub struct Sessions(SqlSessions);

impl Sessions {
    /// Sessions that last for `lifetime`.
    #[must_use]
    pub fn new(db: Db, clock: Clock, lifetime: Duration) -> Self {
        Self(SqlSessions::new(db, clock, lifetime))
    }

    /// Opens a session for a user.
    ///
    /// # Errors
    ///
    /// The database fails, or there is no randomness.
    pub async fn open(&self, user_id: i64) -> Result<OpenedSession, AppError> {
        self.0.open(user_id).await
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
        .bind(self.0.now())
        .fetch_optional(self.0.db().pool())
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
        self.0.close(token).await
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
