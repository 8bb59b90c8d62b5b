//! Sessions in the service's own database.

pub use examples_common::sessions::SqlSessions;

use super::{OpenedSession, SessionToken, Sessions};
use crate::cache::BoxFuture;
use crate::error::AppError;

// What is called here are the methods of the type itself, which go before those of the trait.
impl Sessions for SqlSessions {
    fn open(&self, user_id: i64) -> BoxFuture<'_, Result<OpenedSession, AppError>> {
        Box::pin(self.open(user_id))
    }

    fn user<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<Option<i64>, AppError>> {
        Box::pin(async move {
            let user = sqlx::query_scalar(
                "SELECT user_id FROM sessions WHERE token_hash = $1 AND expires_at > $2",
            )
            .bind(token.digest())
            .bind(self.now())
            .fetch_optional(self.db().pool())
            .await?;
            Ok(user)
        })
    }

    fn close<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<(), AppError>> {
        Box::pin(self.close(token))
    }
}
