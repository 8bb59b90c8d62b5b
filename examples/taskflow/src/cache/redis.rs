//! The cache in Redis, shared by all processes that use it.
//!
//! A generation is a random number that the first miss writes and an invalidation deletes, along
//! with the value. Deleted, expired, evicted or lost with a server's memory, it never comes back
//! as the same number, so an old ticket matches nothing.

use std::time::Duration;

use axum::body::Bytes;
use redis::Cmd;
use tokio::time::{Instant, sleep};

use super::{BoxFuture, Cache, Lookup, Ticket};
use crate::redis_connection::{RedisConnection, RedisFailure};

/// What the keys of the cache begin with.
const PREFIX: &str = "cache";

const LOOKUP: &str = include_str!("redis/lookup.lua");
const FILL: &str = include_str!("redis/fill.lua");

/// How long a ticket is good for: far longer than a request may take.
const GENERATION_SECS: u64 = 300;

/// Larger values are not stored: on their way they would delay every session.
const MAX_BYTES: usize = 1024 * 1024;

/// The generation of a ticket that fills nothing.
const NONE: u64 = 0;

const BETWEEN_INVALIDATIONS: Duration = Duration::from_millis(500);

/// Two keys for each value, `cache:{KEY}` and `cache:{KEY}:generation`, which share a slot of a
/// cluster and both have a lifetime.
///
/// Without Redis every lookup is a miss and every fill is dropped.
#[derive(Debug)]
pub struct RedisCache {
    redis: RedisConnection,
    lifetime_secs: u64,
}

impl RedisCache {
    /// A cache whose values live for `lifetime_secs`, at least a second.
    ///
    /// An old value can be served until Redis has been told to forget it. If it cannot be told,
    /// and the process ends before it can be, that lasts for the lifetime and the time that a
    /// reader takes to fill.
    #[must_use]
    pub fn new(redis: RedisConnection, lifetime_secs: u64) -> Self {
        Self {
            redis,
            lifetime_secs: lifetime_secs.max(1),
        }
    }

    async fn try_lookup(&self, key: &str) -> Result<Lookup, RedisFailure> {
        // Without randomness there is nothing to fill with, and a lookup is a lookup.
        let fresh = getrandom::u64().unwrap_or(NONE);
        let mut command = script(LOOKUP, key);
        command.arg(fresh).arg(GENERATION_SECS);
        let (found, text): (u8, Vec<u8>) = self.redis.run(&command).await?;
        if found == 1 {
            return Ok(Lookup::Hit(text.into()));
        }
        let generation = str::from_utf8(&text)
            .ok()
            .and_then(|text| text.parse().ok());
        Ok(Lookup::Miss(Ticket::new(generation.unwrap_or(NONE))))
    }

    /// Tries until Redis does it or has forgotten all that there was to forget.
    fn invalidate_later(&self, command: Cmd) {
        let redis = self.redis.clone();
        let until = Instant::now() + Duration::from_secs(GENERATION_SECS);
        tokio::spawn(async move {
            while Instant::now() < until {
                sleep(BETWEEN_INVALIDATIONS).await;
                if redis.run::<()>(&command).await.is_ok() {
                    return;
                }
            }
        });
    }
}

impl Cache for RedisCache {
    fn lookup<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Lookup> {
        Box::pin(async move {
            self.try_lookup(key).await.unwrap_or_else(|failure| {
                tracing::debug!(%failure, "the cache is passed over");
                Lookup::Miss(Ticket::new(NONE))
            })
        })
    }

    fn fill<'a>(&'a self, key: &'a str, ticket: Ticket, value: Bytes) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if ticket.generation() == NONE || value.len() > MAX_BYTES {
                return;
            }
            let mut command = script(FILL, key);
            command
                .arg(ticket.generation())
                .arg(&value[..])
                .arg(self.lifetime_secs);
            if let Err(failure) = self.redis.run::<()>(&command).await {
                tracing::debug!(%failure, "the cache was not filled");
            }
        })
    }

    fn invalidate<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // Takes no memory, so that a full server does it too.
            let mut command = redis::cmd("DEL");
            command.arg(&keys(key));
            if let Err(failure) = self.redis.run::<()>(&command).await {
                tracing::warn!(%failure, "an old board may be in the cache; trying on");
                self.invalidate_later(command);
            }
        })
    }
}

/// Sent as text: scripts this short cost less than finding out whether the server has them.
fn script(text: &str, key: &str) -> Cmd {
    let keys = keys(key);
    let mut command = redis::cmd("EVAL");
    command.arg(text).arg(keys.len()).arg(&keys);
    command
}

/// Where the value is, and its generation.
fn keys(key: &str) -> [String; 2] {
    let value = format!("{PREFIX}:{{{key}}}");
    let generation = format!("{value}:generation");
    [value, generation]
}
