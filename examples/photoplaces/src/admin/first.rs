//! The administrator whom the environment names.

use crate::config::FirstAdmin;
use crate::error::AppError;
use crate::sessions;
use crate::state::AppState;

/// Makes sure that the account of `ADMIN_EMAIL` exists, has the password of `ADMIN_PASSWORD`, is
/// an administrator and is not blocked.
///
/// Addresses are not verified, so somebody else may have registered this one. Whoever did loses
/// it: unless nothing is to be changed, the password is set and every session of the account ends.
///
/// # Errors
///
/// The database fails.
pub async fn ensure_first(state: &AppState, first: &FirstAdmin) -> Result<(), AppError> {
    let found: Option<(String, String, Option<i64>)> =
        sqlx::query_as("SELECT password_hash, role, blocked_at FROM users WHERE email = $1")
            .bind(&first.email)
            .fetch_optional(state.db.pool())
            .await?;
    if let Some((hash, role, blocked_at)) = found {
        let has_password = state
            .passwords
            .verify(first.password.clone(), Some(hash))
            .await
            .map_err(AppError::internal)?;
        if has_password && role == "admin" && blocked_at.is_none() {
            return Ok(());
        }
    }
    let hash = state
        .passwords
        .hash(first.password.clone())
        .await
        .map_err(AppError::internal)?;
    let mut tx = state.db.begin_write().await?;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO users (email, name, password_hash, role, created_at)
         VALUES ($1, 'Administrator', $2, 'admin', $3)
         ON CONFLICT (email) DO UPDATE
         SET password_hash = excluded.password_hash, role = 'admin', blocked_at = NULL
         RETURNING id",
    )
    .bind(&first.email)
    .bind(hash)
    .bind(state.clock.now())
    .fetch_one(&mut *tx)
    .await?;
    sessions::close_all(&mut tx, id).await?;
    tx.commit().await?;
    tracing::info!(user = id, "the administrator of ADMIN_EMAIL is set up");
    Ok(())
}
