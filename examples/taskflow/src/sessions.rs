//! Who is logged in.
//!
//! A session is an opaque random token, given to the client once at login. The
//! store knows only its SHA-256, so that a copy of the store opens no session.

mod redis;
mod sql;

use std::fmt::Debug;

pub use self::redis::RedisSessions;
pub use self::sql::SqlSessions;
use crate::cache::BoxFuture;
use crate::error::AppError;
pub use examples_common::session_token::SessionToken;
pub use examples_common::sessions::OpenedSession;

/// Where sessions are stored.
pub trait Sessions: Debug + Send + Sync {
    /// Opens a session for a user.
    fn open(&self, user_id: i64) -> BoxFuture<'_, Result<OpenedSession, AppError>>;

    /// The user of an open, unexpired session.
    fn user<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<Option<i64>, AppError>>;

    /// Ends a session; no error if there is none.
    fn close<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<(), AppError>>;
}
