//! One connection that all tasks share, made when it is first needed and again when it is lost.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::SendError;
use redis::{Client, ConnectionInfo, PushInfo, PushKind};
use tokio::sync::watch;
use tokio::time::Instant;
use tollgate::StoreError;

use super::backoff::Backoff;
use super::failure::Failure;
use super::live::{Ended, Live};
use super::runtime::runtime;
use super::settings;
use crate::error::{UrlError, unavailable};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1);
/// How much later than its timeout an attempt ends in a runtime that runs. One that ends later still
/// says nothing of the server: its runtime has stood still.
const LATE: Duration = Duration::from_millis(5);
/// How often tasks behind a caller who will fail at once may go a step further first.
const STEPS: usize = 4;

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
    /// Of the last attempt that has ended, unless it has succeeded.
    failure: Option<Failure>,
}

/// An attempt to connect that is under way, in a task of its own, so that it goes on when who asked
/// for it gives up: else callers with little time would begin anew for ever.
#[derive(Clone)]
struct Attempt {
    start: Instant,
    timeout: Duration,
    /// Filled at its end.
    outcome: watch::Receiver<Option<Result<Live, Failure>>>,
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
        runtime()?;
        if let Some(live) = self.live_or_steps().await {
            return Ok(live);
        }
        let attempt = {
            let mut link = lock(&self.link);
            if let Some(live) = link.live() {
                return Ok(live);
            }
            if link.attempt().is_none()
                && let Some(wait) = link.backoff.wait()
            {
                let wait = wait.as_millis();
                return Err(link.fails(&format!(
                    "not connected to redis; the next attempt is made in {wait} ms"
                )));
            }
            let (attempt, _) = self.attempt(&mut link)?;
            if link.backoff.has_failed() {
                Err(link.fails("not connected to redis; another attempt is under way"))
            } else {
                Ok(attempt)
            }
        };
        let attempt = match attempt {
            Ok(attempt) => attempt,
            Err(error) => {
                // Lets the attempt begin.
                tokio::task::yield_now().await;
                return Err(error);
            }
        };
        let deadline = attempt.start + patience;
        match tokio::time::timeout_at(deadline, attempt.outcome()).await {
            Ok(outcome) => outcome,
            Err(_) => Err(self.timed_out(patience)),
        }
    }

    /// Connects, if there is no connection, whatever has failed before.
    pub(super) async fn connect(&self) -> Result<(), StoreError> {
        loop {
            runtime()?;
            let (attempt, is_own) = {
                let mut link = lock(&self.link);
                if link.live().is_some() {
                    return Ok(());
                }
                self.attempt(&mut link)?
            };
            let deadline = attempt.ends();
            match tokio::time::timeout_at(deadline, attempt.outcome()).await {
                Ok(outcome) => return outcome.map(drop),
                Err(_) if is_own => return Err(self.timed_out(self.timeout)),
                // Somebody else's, in a runtime that stands still: this one must do it.
                Err(_) => {}
            }
        }
    }

    /// True if there is a connection that has not been seen to end.
    pub(super) fn is_live(&self) -> bool {
        lock(&self.link).live().is_some()
    }

    /// The connection. Where there is none and nobody waits for one, attempts in the background may
    /// go some steps further first: a runtime that runs for no longer than its callers wait would
    /// never get to them.
    async fn live_or_steps(&self) -> Option<Live> {
        for _ in 0..STEPS {
            {
                let mut link = lock(&self.link);
                if let Some(live) = link.live() {
                    return Some(live);
                }
                if !link.backoff.has_failed() || link.attempt().is_none() {
                    return None;
                }
            }
            tokio::task::yield_now().await;
        }
        None
    }

    /// The attempt that is under way, or a new one, and which it is.
    fn attempt(&self, link: &mut Link) -> Result<(Attempt, bool), StoreError> {
        if let Some(attempt) = link.attempt() {
            return Ok((attempt.clone(), false));
        }
        let runtime = runtime()?;
        let (sender, outcome) = watch::channel(None);
        let (start, timeout) = (Instant::now(), self.timeout);
        let attempt = Attempt {
            start,
            timeout,
            outcome,
        };
        link.attempt = Some(attempt.clone());
        let (client, link, own) = (self.client.clone(), Arc::clone(&self.link), attempt.clone());
        runtime.spawn(async move {
            let outcome = connect(&client, timeout).await;
            lock(&link).ends(&own, &outcome);
            // Nobody may be waiting for it any longer.
            let _ = sender.send(Some(outcome));
        });
        Ok((attempt, true))
    }

    fn timed_out(&self, timeout: Duration) -> StoreError {
        Failure::timed_out(self.client.get_connection_info().addr(), timeout).into()
    }
}

impl Link {
    /// The connection, unless it has ended.
    fn live(&mut self) -> Option<Live> {
        self.live = self.live.take().filter(|live| !live.has_ended());
        self.live.clone()
    }

    /// The attempt under way, unless it has ended with its runtime, or should have ended long ago,
    /// since its runtime stands still.
    fn attempt(&mut self) -> Option<&Attempt> {
        self.attempt = self.attempt.take().filter(Attempt::is_under_way);
        if self.attempt.as_ref().is_some_and(Attempt::is_overdue) {
            self.attempt = None;
            self.backoff.succeeded();
        }
        self.attempt.as_ref()
    }

    /// This attempt has ended. What has become of one that another has replaced does not matter.
    fn ends(&mut self, attempt: &Attempt, outcome: &Result<Live, Failure>) {
        let current = self.attempt.as_ref();
        if !current.is_some_and(|current| current.is(attempt)) {
            return;
        }
        self.attempt = None;
        match outcome {
            Ok(live) => {
                self.backoff.succeeded();
                self.failure = None;
                self.live = Some(live.clone());
            }
            Err(failure) => {
                if attempt.is_overdue() {
                    self.backoff.succeeded();
                } else {
                    self.backoff.failed(attempt.start);
                }
                self.failure = Some(failure.clone());
            }
        }
    }

    /// What callers are told who do not wait.
    fn fails(&self, what: &str) -> StoreError {
        match &self.failure {
            Some(failure) => failure.told_later(what),
            None => unavailable(what.to_owned()),
        }
    }
}

impl Attempt {
    fn is_under_way(&self) -> bool {
        self.outcome.has_changed().is_ok()
    }

    /// When it has ended if its runtime runs.
    fn ends(&self) -> Instant {
        self.start + self.timeout + LATE
    }

    fn is_overdue(&self) -> bool {
        Instant::now() > self.ends()
    }

    fn is(&self, other: &Self) -> bool {
        self.outcome.same_channel(&other.outcome)
    }

    async fn outcome(mut self) -> Result<Live, StoreError> {
        let outcome = self.outcome.wait_for(Option::is_some).await;
        match outcome.as_deref() {
            Ok(Some(outcome)) => outcome.clone().map_err(StoreError::from),
            _ => Err(unavailable("the runtime that connects to redis has ended")),
        }
    }
}

fn lock(link: &Mutex<Link>) -> MutexGuard<'_, Link> {
    link.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn connect(client: &Client, timeout: Duration) -> Result<Live, Failure> {
    let ended = Ended::default();
    let ends = ended.clone();
    let config = settings::connection().set_push_sender(move |push: PushInfo| {
        if push.kind == PushKind::Disconnection {
            ends.set();
        }
        Ok::<(), SendError>(())
    });
    let start = Instant::now();
    let connecting = client.get_multiplexed_async_connection_with_config(&config);
    let address = client.get_connection_info().addr();
    match tokio::time::timeout(timeout, connecting).await {
        Ok(Ok(commands)) => Ok(Live::new(commands, ended, start.elapsed())),
        Ok(Err(error)) => Err(Failure::new(address, error)),
        Err(_) => Err(Failure::timed_out(address, timeout)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::url::connection_info;
    use std::task::Poll;
    use tollgate_testkit::RedisServer;

    /// Longer than a machine with other things to do keeps a test waiting.
    const PATIENCE: Duration = Duration::from_secs(20);

    fn to(server: &RedisServer) -> Connection {
        let mut connection = Connection::new(connection_info(&server.url()).unwrap()).unwrap();
        connection.set_timeout(PATIENCE);
        connection
    }

    /// The store leans on the client library for this: otherwise the first call after a restart
    /// would be sent into a connection that has ended, and would fail.
    #[tokio::test]
    async fn sees_that_a_connection_has_ended_without_using_it() {
        let mut server = RedisServer::start();
        let connection = to(&server);
        connection.get(PATIENCE).await.unwrap();
        assert!(connection.is_live());
        server.stop();
        let ends = async {
            while connection.is_live() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, ends).await.unwrap();
        server.start_again();
        connection.get(PATIENCE).await.unwrap();
    }

    /// A caller that gives up soon does not keep the others from a connection.
    #[tokio::test]
    async fn goes_on_connecting_when_the_caller_gives_up() {
        let server = RedisServer::start();
        let connection = to(&server);
        let mut attempt = Box::pin(connection.get(PATIENCE));
        let begun = std::future::poll_fn(|context| Poll::Ready(attempt.as_mut().poll(context)));
        assert!(begun.await.is_pending());
        drop(attempt);
        let connects = async {
            while !connection.is_live() {
                tokio::task::yield_now().await;
            }
        };
        tokio::time::timeout(PATIENCE, connects).await.unwrap();
    }
}
