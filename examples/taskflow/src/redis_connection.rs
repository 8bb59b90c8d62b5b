//! One connection to Redis, shared by sessions and the cache.
//!
//! Every wait has an end, and nothing is ever sent twice or kept for later: a call on a lost
//! connection fails, the next one connects anew, and while attempts fail there is a pause between
//! them in which calls fail at once. Losing the connection and getting it back is a line each in
//! the log. The limiter's store has a connection of its own, so that large boards delay no login.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redis::aio::{MultiplexedConnection, SendError};
use redis::{
    AsyncConnectionConfig, Client, Cmd, FromRedisValue, ProtocolVersion, PushInfo, PushKind,
    RedisError, ServerErrorKind,
};
use tokio::sync::Mutex;
use tokio::time::{Instant, timeout, timeout_at};

use crate::config::RedisUrl;

/// The time between two attempts to connect, the first of which has failed.
const PAUSE: Duration = Duration::from_millis(500);

/// Why Redis gave no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RedisFailure {
    /// There is no connection, and none can be made.
    #[error("not connected to redis")]
    NotConnected,
    /// It did not answer in time. What was asked may be done all the same.
    #[error("redis did not answer in time")]
    Timeout,
    /// It refused, or the connection broke; then too it may be done.
    #[error("redis did not do as told: {0}")]
    Failed(#[source] RedisError),
}

/// The way to one server. Cloning is cheap, and the clones are one.
#[derive(Clone)]
pub struct RedisConnection {
    client: Client,
    patience: Duration,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    live: Option<Live>,
    /// Of failed attempts since the last that succeeded, the end of the last, and a pause.
    next_attempt: Option<Instant>,
}

/// A connection in use. Clones are the same one.
#[derive(Clone)]
struct Live {
    commands: MultiplexedConnection,
    has_ended: Arc<AtomicBool>,
}

impl RedisConnection {
    /// A connection to be made by the first call. Each call takes at most `patience`.
    ///
    /// # Errors
    ///
    /// The driver cannot use the address.
    pub fn new(url: &RedisUrl, patience: Duration) -> Result<Self, RedisFailure> {
        let info = url.connection_info();
        // The third protocol tells when a connection has ended.
        let settings = info
            .redis_settings()
            .clone()
            .set_protocol(ProtocolVersion::RESP3)
            .set_skip_set_lib_name();
        let client =
            Client::open(info.set_redis_settings(settings)).map_err(RedisFailure::Failed)?;
        Ok(Self {
            client,
            patience,
            state: Arc::default(),
        })
    }

    /// Runs one command.
    ///
    /// # Errors
    ///
    /// Redis cannot be reached, refuses, or takes too long.
    pub async fn run<T: FromRedisValue>(&self, command: &Cmd) -> Result<T, RedisFailure> {
        let deadline = Instant::now() + self.patience;
        let mut live = timeout_at(deadline, self.live())
            .await
            .map_err(|_| RedisFailure::Timeout)??;
        match timeout_at(deadline, command.query_async(&mut live.commands)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                if spoils_connection(&error) {
                    note_end(&live.has_ended);
                } else {
                    tracing::warn!(%error, "redis refused a command");
                }
                Err(RedisFailure::Failed(error))
            }
            Err(_) => {
                // A connection that hangs is given up, or every call would wait for it.
                note_end(&live.has_ended);
                Err(RedisFailure::Timeout)
            }
        }
    }

    /// Asks for nothing but an answer.
    ///
    /// # Errors
    ///
    /// There is none in time.
    pub async fn ping(&self) -> Result<(), RedisFailure> {
        self.run(&redis::cmd("PING")).await
    }

    /// The connection, if need be a new one.
    async fn live(&self) -> Result<Live, RedisFailure> {
        let mut state = Arc::clone(&self.state).lock_owned().await;
        match &state.live {
            Some(live) if !live.has_ended.load(Ordering::Acquire) => return Ok(live.clone()),
            _ => state.live = None,
        }
        if state.next_attempt.is_some_and(|at| Instant::now() < at) {
            return Err(RedisFailure::NotConnected);
        }
        // In a task of its own, so that the attempt goes on if who asked for it gives up.
        let (client, patience) = (self.client.clone(), self.patience);
        let attempt = tokio::spawn(async move { state.connect(&client, patience).await });
        attempt.await.unwrap_or(Err(RedisFailure::NotConnected))
    }
}

impl State {
    async fn connect(&mut self, client: &Client, patience: Duration) -> Result<Live, RedisFailure> {
        let result = match timeout(patience, connect(client, patience)).await {
            Ok(result) => result.map_err(RedisFailure::Failed),
            Err(_) => Err(RedisFailure::Timeout),
        };
        match &result {
            Ok(live) => {
                tracing::info!("connected to redis");
                self.live = Some(live.clone());
                self.next_attempt = None;
            }
            Err(error) => {
                // Once for an outage, not once for an attempt.
                if self.next_attempt.is_none() {
                    tracing::warn!(%error, "cannot connect to redis; trying on");
                }
                self.next_attempt = Some(Instant::now() + PAUSE);
            }
        }
        result
    }
}

async fn connect(client: &Client, patience: Duration) -> Result<Live, RedisError> {
    let has_ended = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&has_ended);
    // The driver's own defaults may change. It retries nothing by itself on such a connection.
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(patience))
        .set_response_timeout(Some(patience))
        .set_push_sender(move |push: PushInfo| {
            if push.kind == PushKind::Disconnection {
                note_end(&ends);
            }
            Ok::<(), SendError>(())
        });
    let commands = client
        .get_multiplexed_async_connection_with_config(&config)
        .await?;
    Ok(Live {
        commands,
        has_ended,
    })
}

/// Lets nobody send into this connection any more. Answers under way may still come.
fn note_end(has_ended: &AtomicBool) {
    if !has_ended.swap(true, Ordering::AcqRel) {
        tracing::warn!("the connection to redis is lost");
    }
}

/// Whether another connection may do better: this one is broken, hangs, or leads to a server
/// that takes no writes any more.
fn spoils_connection(error: &RedisError) -> bool {
    error.is_unrecoverable_error()
        || error.is_timeout()
        || error.kind() == redis::ErrorKind::Server(ServerErrorKind::ReadOnly)
}

impl Debug for RedisConnection {
    /// Without the address, which holds the password.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisConnection")
            .field("patience", &self.patience)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
