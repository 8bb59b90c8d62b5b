//! One connection that all tasks share, made when it is first needed and again when it is lost.

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::{MultiplexedConnection, SendError};
use redis::{AsyncConnectionConfig, Client, ConnectionInfo, PushInfo, PushKind};
use tollgate::{StoreError, StoreErrorKind};

use super::backoff::Backoff;
use crate::error::{UrlError, store_error};

/// The way to one server.
pub(crate) struct Connection {
    client: Client,
    current: Arc<Mutex<Option<Live>>>,
    /// Held by the one task that connects.
    backoff: Arc<tokio::sync::Mutex<Backoff>>,
}

/// A connection in use. Clones are the same one.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) commands: MultiplexedConnection,
    /// Set as soon as the connection is seen to have ended, so that nobody sends into it.
    has_ended: Arc<AtomicBool>,
}

impl Live {
    fn is_usable(&self) -> bool {
        !self.has_ended.load(Ordering::Acquire)
    }
}

impl Connection {
    /// Nothing is sent.
    pub(crate) fn new(info: ConnectionInfo) -> Result<Self, UrlError> {
        let client = Client::open(info)
            .map_err(|_| UrlError::new("not the url of a redis that can be connected to"))?;
        Ok(Self {
            client,
            current: Arc::default(),
            backoff: Arc::default(),
        })
    }

    /// True if there is one that can be used.
    pub(crate) fn is_live(&self) -> bool {
        self.current().is_some()
    }

    /// The connection, if need be a new one. Fails at once while the last attempt is too recent.
    pub(crate) async fn get(&self, timeout: Duration) -> Result<Live, StoreError> {
        if let Some(live) = self.current() {
            return Ok(live);
        }
        let mut backoff = Arc::clone(&self.backoff).lock_owned().await;
        // Another task may have connected while this one waited.
        if let Some(live) = self.current() {
            return Ok(live);
        }
        if let Some(wait) = backoff.wait() {
            return Err(unavailable(format!(
                "not connected to redis; the next attempt is made in {} ms",
                wait.as_millis()
            )));
        }
        let (client, current) = (self.client.clone(), Arc::clone(&self.current));
        // A task of its own, so that an attempt goes on when who asked for it gives up: else callers
        // with little time would begin anew for ever, and none of their failures would count.
        let attempt = tokio::spawn(async move {
            let result = connect(&client, timeout).await;
            match &result {
                Ok(live) => {
                    backoff.succeeded();
                    *lock(&current) = Some(live.clone());
                }
                Err(_) => backoff.failed(),
            }
            result
        });
        attempt
            .await
            .unwrap_or_else(|_| Err(unavailable("the runtime that connects to redis has ended")))
    }

    /// Keeps others from using a connection that has shown to be of no use. Calls that are under
    /// way on it may still be answered.
    pub(crate) fn discard(live: &Live) {
        live.has_ended.store(true, Ordering::Release);
    }

    fn current(&self) -> Option<Live> {
        let mut current = lock(&self.current);
        match &*current {
            Some(live) if live.is_usable() => Some(live.clone()),
            _ => {
                *current = None;
                None
            }
        }
    }
}

fn lock(current: &Mutex<Option<Live>>) -> MutexGuard<'_, Option<Live>> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn connect(client: &Client, timeout: Duration) -> Result<Live, StoreError> {
    let has_ended = Arc::new(AtomicBool::new(false));
    let ends = Arc::clone(&has_ended);
    let config = AsyncConnectionConfig::new()
        .set_connection_timeout(Some(timeout))
        .set_response_timeout(Some(timeout))
        .set_push_sender(move |push: PushInfo| {
            if push.kind == PushKind::Disconnection {
                ends.store(true, Ordering::Release);
            }
            Ok::<(), SendError>(())
        });
    let connecting = client.get_multiplexed_async_connection_with_config(&config);
    match tokio::time::timeout(timeout, connecting).await {
        Ok(Ok(commands)) => Ok(Live {
            commands,
            has_ended,
        }),
        Ok(Err(error)) => Err(store_error(error)),
        Err(_) => Err(StoreError::new(
            StoreErrorKind::Timeout,
            format!("no connection to redis within {} ms", timeout.as_millis()),
        )),
    }
}

fn unavailable(message: impl Into<Cow<'static, str>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::connection_info;
    use std::task::Poll;
    use tollgate_testkit::RedisServer;

    /// The store leans on the client library for this: otherwise the first call after a restart
    /// would be sent into a connection that has ended, and would fail.
    #[tokio::test]
    async fn sees_that_a_connection_has_ended_without_using_it() {
        let mut server = RedisServer::start();
        let connection = Connection::new(connection_info(&server.url()).unwrap()).unwrap();
        let patience = Duration::from_secs(10);
        connection.get(patience).await.unwrap();
        assert!(connection.current().is_some());
        server.stop();
        let ends = async {
            while connection.current().is_some() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(patience, ends).await.unwrap();
        server.start_again();
        connection.get(patience).await.unwrap();
    }

    /// A caller that gives up soon does not keep the others from a connection.
    #[tokio::test]
    async fn goes_on_connecting_when_the_caller_gives_up() {
        let server = RedisServer::start();
        let connection = Connection::new(connection_info(&server.url()).unwrap()).unwrap();
        let patience = Duration::from_secs(10);
        let mut attempt = Box::pin(connection.get(patience));
        let begun = std::future::poll_fn(|context| Poll::Ready(attempt.as_mut().poll(context)));
        assert!(begun.await.is_pending());
        drop(attempt);
        let connects = async {
            while connection.current().is_none() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(patience, connects).await.unwrap();
    }
}
