//! Who is logged in: sessions in the service's own database, by the hash of their tokens.
//!
//! The service's schema has a table `sessions` of `token_hash`, `user_id` and `expires_at`.

use std::time::Duration;

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;

use crate::clock::Clock;
use crate::database::Db;
use crate::error::AppError;
use crate::session_token::SessionToken;

/// Sessions as rows; expired ones go when the next session is opened.
#[derive(Debug, Clone)]
pub struct SqlSessions {
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

/// The body of the answer to a login.
#[derive(Serialize)]
struct Session<'a, U> {
    token: &'a str,
    expires_at: i64,
    user: U,
}

impl OpenedSession {
    /// The one answer that tells the token. No cache may store it.
    pub fn into_answer(self, user: impl Serialize) -> impl IntoResponse {
        let body = Json(Session {
            token: self.token.expose(),
            expires_at: self.expires_at,
            user,
        });
        ([(header::CACHE_CONTROL, "no-store")], body).into_response()
    }
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

    /// The database, for what else a service asks of a session.
    #[must_use]
    pub const fn db(&self) -> &Db {
        &self.db
    }

    /// Now, by the clock that sessions end by, in seconds since the Unix epoch.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.clock.now()
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
