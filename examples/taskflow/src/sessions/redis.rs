//! Sessions in Redis, shared by all processes that use it.

use std::time::Duration;

use super::{OpenedSession, SessionToken, Sessions};
use crate::cache::BoxFuture;
use crate::clock::Clock;
use crate::error::AppError;
use crate::redis_connection::{RedisConnection, RedisFailure};

/// What the keys of sessions begin with.
const PREFIX: &str = "session";

/// A century: more than that, Redis refuses at some point.
const LONGEST_SECS: i64 = 100 * 366 * 24 * 60 * 60;

/// A key `session:DIGEST` for each session, which Redis forgets at the session's end.
///
/// Without Redis nobody can be told from anybody: every call fails with
/// [`AppError::Unavailable`], never as if there were no such session, which would tell clients
/// to throw good tokens away.
#[derive(Debug)]
pub struct RedisSessions {
    redis: RedisConnection,
    clock: Clock,
    lifetime_secs: i64,
}

impl RedisSessions {
    /// Sessions that last for `lifetime`, at most a century.
    #[must_use]
    pub fn new(redis: RedisConnection, clock: Clock, lifetime: Duration) -> Self {
        let lifetime_secs = i64::try_from(lifetime.as_secs()).unwrap_or(LONGEST_SECS);
        Self {
            redis,
            clock,
            lifetime_secs: lifetime_secs.min(LONGEST_SECS),
        }
    }
}

impl Sessions for RedisSessions {
    fn open(&self, user_id: i64) -> BoxFuture<'_, Result<OpenedSession, AppError>> {
        Box::pin(async move {
            let token = SessionToken::random().map_err(AppError::internal)?;
            let expires_at = self.clock.now().saturating_add(self.lifetime_secs);
            let mut command = redis::cmd("SET");
            command
                .arg(key(&token))
                .arg(format!("{user_id} {expires_at}"))
                .arg("EX")
                .arg(self.lifetime_secs.max(1));
            self.redis
                .run::<()>(&command)
                .await
                .map_err(|failure| unavailable(&failure))?;
            Ok(OpenedSession { token, expires_at })
        })
    }

    fn user<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<Option<i64>, AppError>> {
        Box::pin(async move {
            let mut command = redis::cmd("GET");
            command.arg(key(token));
            let stored: Option<String> = self
                .redis
                .run(&command)
                .await
                .map_err(|failure| unavailable(&failure))?;
            let Some(stored) = stored else {
                return Ok(None);
            };
            let (user_id, expires_at) = parse(&stored)
                .ok_or_else(|| AppError::internal("a session in redis has an unknown form"))?;
            // Redis forgets it by its own clock; what the client was told is by ours.
            Ok((expires_at > self.clock.now()).then_some(user_id))
        })
    }

    fn close<'a>(&'a self, token: &'a SessionToken) -> BoxFuture<'a, Result<(), AppError>> {
        Box::pin(async move {
            let mut command = redis::cmd("DEL");
            command.arg(key(token));
            self.redis
                .run(&command)
                .await
                .map_err(|failure| unavailable(&failure))
        })
    }
}

fn key(token: &SessionToken) -> String {
    format!("{PREFIX}:{}", token.digest())
}

/// The user, and the end of the session.
fn parse(stored: &str) -> Option<(i64, i64)> {
    let (user_id, expires_at) = stored.split_once(' ')?;
    Some((user_id.parse().ok()?, expires_at.parse().ok()?))
}

fn unavailable(failure: &RedisFailure) -> AppError {
    tracing::debug!(%failure, "no session can be looked up");
    AppError::Unavailable("sessions cannot be reached at the moment; try again later")
}
