//! A connection in use.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use tokio::sync::oneshot;
use tollgate::StoreError;

use super::error::NodeError;
use super::leader::Leader;
use super::line::{Line, WAITING, Waiting};
use super::patience::in_time;
use super::round_trip::RoundTrip;
use super::runtime::runtime;
use crate::call::Call;
use crate::error::{timed_out, unavailable};

/// Whether a connection has ended. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended(Arc<AtomicBool>);

impl Ended {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// A connection in use. Clones are the same one.
#[derive(Clone)]
pub(super) struct Live {
    /// Set as soon as the connection is seen to have ended or to be of no use, so that nobody sends
    /// into it.
    ended: Ended,
    line: Arc<Mutex<Line>>,
}

impl Live {
    /// A connection that it took so long to make.
    pub(super) fn new(commands: MultiplexedConnection, ended: Ended, to_connect: Duration) -> Self {
        let round_trip = RoundTrip::connected_within(to_connect);
        Self {
            ended,
            line: Arc::new(Mutex::new(Line::new(Some(commands), round_trip))),
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_set()
    }

    /// Runs the script, and waits for its answer. Who gives up waiting before the call is sent takes
    /// it back. If nothing was answered meanwhile, the connection is given up: whoever should send
    /// or hear may sit in a runtime that stands still.
    pub(super) async fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<u64>, NodeError> {
        let (sender, answer) = oneshot::channel();
        let waiting = Waiting {
            call: call.clone(),
            timeout,
            answer: sender,
        };
        let runtime = runtime()?;
        let (leads, answers) = self.enqueue(waiting)?;
        if leads {
            // A task of its own, so that nobody who gives up keeps the others from their answers.
            runtime.spawn(Leader::new(self.clone()).lead());
        }
        match in_time(timeout, answer).await {
            Some(Ok(answer)) => answer,
            Some(Err(_)) => Err(unavailable("the runtime that speaks to redis has ended").into()),
            None => {
                if self.line().answers == answers {
                    self.discard(|| unavailable("redis does not answer").into());
                }
                Err(timed_out().into())
            }
        }
    }

    /// An answer has come, after this time.
    pub(super) fn answered(&self, time: Duration) {
        let mut line = self.line();
        line.answers += 1;
        line.round_trip.took(time);
    }

    /// What is to be sent next, by the one who leads; none ends the lead.
    pub(super) fn next(&self) -> Option<(MultiplexedConnection, Vec<Waiting>)> {
        // Under the lock that whoever comes next must take.
        let mut line = self.line();
        let next = line.next();
        let commands = line.commands.clone()?;
        (!next.is_empty()).then_some((commands, next))
    }

    /// Keeps everyone from using the connection any longer. Who waits in line fails; calls that are
    /// under way may still be answered.
    pub(super) fn discard(&self, error: impl Fn() -> NodeError) {
        self.ended.set();
        let waiting = self.line().close();
        for waiting in waiting {
            waiting.fail(error());
        }
    }

    /// Whether someone must lead, and how many answers have come so far.
    fn enqueue(&self, waiting: Waiting) -> Result<(bool, u64), StoreError> {
        let mut line = self.line();
        if self.has_ended() {
            return Err(unavailable("the connection to redis has ended"));
        }
        if line.is_full() {
            return Err(unavailable(format!(
                "{WAITING} calls wait for redis already"
            )));
        }
        Ok((line.push(waiting), line.answers))
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}
