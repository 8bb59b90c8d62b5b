//! One connection that all tasks share, made when it is first needed and again when it is lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::SendError;
use redis::{Client, ConnectionInfo, PushInfo, PushKind, RedisError};
use tokio::sync::watch;
use tokio::time::Instant;
use tollgate::{StoreError, StoreErrorKind};

use super::backoff::Backoff;
use super::live::{Ended, Live};
use super::settings;
use crate::error::{UrlError, store_error, unavailable};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1);

/// The way to one server.
pub(super) struct Connection {
    client: Client,
    timeout: Duration,
    link: Arc<Mutex<Link>>,
}

/// What there is of a connection.
#[derive(Default)]
struct Link {
    live: Option<Live>,
    attempt: Option<Attempt>,
    backoff: Backoff,
}

/// An attempt to connect that is under way, in a task of its own, so that it goes on when who asked
/// for it gives up: else callers with little time would begin anew for ever.
#[derive(Clone)]
struct Attempt {
    start: Instant,
    /// Filled at its end.
    outcome: watch::Receiver<Option<Result<Live, ConnectError>>>,
}

#[derive(Clone)]
enum ConnectError {
    Failed(RedisError),
    TimedOut(Duration),
}

impl Connection {
    /// Nothing is sent.
    pub(super) fn new(info: ConnectionInfo) -> Result<Self, UrlError> {
        let client = Client::open(settings::server(info))
            .map_err(|_| UrlError::new("not the url of a redis that can be connected to"))?;
        Ok(Self {
            client,
            timeout: DEFAULT_TIMEOUT,
            link: Arc::default(),
        })
    }

    /// How long an attempt to connect may take.
    pub(super) const fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    /// The connection, if need be a new one, for which callers wait up to `patience` after the
    /// attempt has begun. Fails at once while the last attempt has failed: the next one, which is
    /// made when the backoff allows it, goes on without anyone waiting for it.
    pub(super) async fn get(&self, patience: Duration) -> Result<Live, StoreError> {
        let attempt = {
            let mut link = lock(&self.link);
            if let Some(live) = link.live() {
                return Ok(live);
            }
            if link.attempt().is_none()
                && let Some(wait) = link.backoff.wait()
            {
                return Err(unavailable(format!(
                    "not connected to redis; the next attempt is made in {} ms",
                    wait.as_millis()
                )));
            }
            let attempt = self.attempt(&mut link);
            if link.backoff.has_failed() {
                return Err(unavailable(
                    "not connected to redis; another attempt is under way",
                ));
            }
            attempt
        };
        let deadline = attempt.start + patience;
        match tokio::time::timeout_at(deadline, attempt.outcome()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(ConnectError::TimedOut(patience).into()),
        }
    }

    /// Connects, if there is no connection, whatever has failed before.
    pub(super) async fn connect(&self) -> Result<(), StoreError> {
        let attempt = {
            let mut link = lock(&self.link);
            if link.live().is_some() {
                return Ok(());
            }
            self.attempt(&mut link)
        };
        attempt.outcome().await.map(drop)
    }

    /// True if there is a connection that has not been seen to end.
    pub(super) fn is_live(&self) -> bool {
        lock(&self.link).live().is_some()
    }

    /// The attempt that is under way, or a new one.
    fn attempt(&self, link: &mut Link) -> Attempt {
        if let Some(attempt) = link.attempt() {
            return attempt.clone();
        }
        let (sender, outcome) = watch::channel(None);
        let start = Instant::now();
        let attempt = Attempt { start, outcome };
        link.attempt = Some(attempt.clone());
        let (client, timeout, link) = (self.client.clone(), self.timeout, Arc::clone(&self.link));
        tokio::spawn(async move {
            let outcome = connect(&client, timeout).await;
            {
                let mut link = lock(&link);
                link.attempt = None;
                match &outcome {
                    Ok(live) => {
                        link.backoff.succeeded();
                        link.live = Some(live.clone());
                    }
                    Err(_) => link.backoff.failed(start),
                }
            }
            // Nobody may be waiting for it any longer.
            let _ = sender.send(Some(outcome));
        });
        attempt
    }
}

impl Link {
    /// The connection, unless it has ended.
    fn live(&mut self) -> Option<Live> {
        self.live = self.live.take().filter(|live| !live.has_ended());
        self.live.clone()
    }

    /// The attempt under way, unless it has ended with its runtime.
    fn attempt(&mut self) -> Option<&Attempt> {
        self.attempt = self.attempt.take().filter(Attempt::is_under_way);
        self.attempt.as_ref()
    }
}

impl Attempt {
    fn is_under_way(&self) -> bool {
        self.outcome.has_changed().is_ok()
    }

    async fn outcome(mut self) -> Result<Live, StoreError> {
        let outcome = self.outcome.wait_for(Option::is_some).await;
        match outcome.as_deref() {
            Ok(Some(outcome)) => outcome.clone().map_err(StoreError::from),
            _ => Err(unavailable("the runtime that connects to redis has ended")),
        }
    }
}

impl From<ConnectError> for StoreError {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Failed(error) => store_error(error),
            ConnectError::TimedOut(timeout) => Self::new(
                StoreErrorKind::Timeout,
                format!("no connection to redis within {} ms", timeout.as_millis()),
            ),
        }
    }
}

fn lock(link: &Mutex<Link>) -> MutexGuard<'_, Link> {
    link.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn connect(client: &Client, timeout: Duration) -> Result<Live, ConnectError> {
    let ended = Ended::default();
    let ends = ended.clone();
    let config = settings::connection().set_push_sender(move |push: PushInfo| {
        if push.kind == PushKind::Disconnection {
            ends.set();
        }
        Ok::<(), SendError>(())
    });
    let connecting = client.get_multiplexed_async_connection_with_config(&config);
    match tokio::time::timeout(timeout, connecting).await {
        Ok(Ok(commands)) => Ok(Live::new(commands, ended)),
        Ok(Err(error)) => Err(ConnectError::Failed(error)),
        Err(_) => Err(ConnectError::TimedOut(timeout)),
    }
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
        assert!(connection.is_live());
        server.stop();
        let ends = async {
            while connection.is_live() {
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
            while !connection.is_live() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(patience, connects).await.unwrap();
    }
}
