//! The calls of one connection. Each goes out at once while few are under way; the others wait in
//! line and go together, as one call of the script.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{Cmd, RedisError, Value};
use tokio::sync::oneshot;
use tollgate::{StoreError, StoreErrorKind};

use super::error::NodeError;
use crate::answer::not_understood;
use crate::call::{Call, Joined};
use crate::error::{is_unknown_script, spoils_connection};

/// How many calls of the script may be under way. With two, one is on its way while the server
/// runs another.
const UNDER_WAY: usize = 2;
/// How many charges may be joined: so many that the server's costs of a call no longer count, and
/// so few that others wait for a few hundred microseconds at most.
const JOINED: usize = 64;
/// How many calls may wait, for a server that answers too slowly.
const WAITING: usize = 16_384;

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

struct Line {
    /// None once it is of no use, so that it is closed as soon as nobody uses it any longer.
    commands: Option<MultiplexedConnection>,
    waiting: VecDeque<Waiting>,
    under_way: usize,
}

struct Waiting {
    call: Call,
    timeout: Duration,
    answer: oneshot::Sender<Result<Vec<u64>, NodeError>>,
}

impl Live {
    pub(super) fn new(commands: MultiplexedConnection, ended: Ended) -> Self {
        let line = Line {
            commands: Some(commands),
            waiting: VecDeque::new(),
            under_way: 0,
        };
        Self {
            ended,
            line: Arc::new(Mutex::new(line)),
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended.is_set()
    }

    /// Runs the script, and waits for its answer. Who gives up waiting before the call is sent takes
    /// it back.
    pub(super) async fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<u64>, NodeError> {
        let (sender, answer) = oneshot::channel();
        let waiting = Waiting {
            call: call.clone(),
            timeout,
            answer: sender,
        };
        if self.enqueue(waiting)? {
            let leader = Leader {
                live: self.clone(),
                has_finished: false,
            };
            // A task of its own, so that nobody who gives up keeps the others from their answers.
            tokio::spawn(leader.lead());
        }
        match tokio::time::timeout(timeout, answer).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(unavailable("the runtime that speaks to redis has ended").into()),
            Err(_) => Err(timed_out().into()),
        }
    }

    /// Whether someone must lead, since fewer calls are under way than may be.
    fn enqueue(&self, waiting: Waiting) -> Result<bool, StoreError> {
        let mut line = lock(&self.line);
        if self.has_ended() {
            return Err(unavailable("the connection to redis has ended"));
        }
        if line.waiting.len() >= WAITING {
            return Err(unavailable(format!(
                "{WAITING} calls wait for redis already"
            )));
        }
        line.waiting.push_back(waiting);
        let leads = line.under_way < UNDER_WAY;
        line.under_way += usize::from(leads);
        Ok(leads)
    }

    /// Keeps everyone from using the connection any longer. Who waits in line fails; calls that are
    /// under way may still be answered.
    fn discard(&self, error: impl Fn() -> NodeError) {
        self.ended.set();
        let waiting = {
            let mut line = lock(&self.line);
            line.commands = None;
            std::mem::take(&mut line.waiting)
        };
        for waiting in waiting {
            waiting.fail(error());
        }
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live")
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

impl Line {
    /// The next calls to go together: those at the head of the line that agree in their slot.
    fn next(&mut self) -> Vec<Waiting> {
        let mut next = Vec::new();
        let mut weight = 0;
        let mut others = 0;
        while let Some(waiting) = self.waiting.get(others) {
            let is_asked_for = !waiting.answer.is_closed();
            let slot = next
                .first()
                .map_or(waiting.call.slot(), |first: &Waiting| first.call.slot());
            if is_asked_for && waiting.call.slot() != slot {
                others += 1;
                continue;
            }
            if is_asked_for && !next.is_empty() && weight + waiting.call.weight() > JOINED {
                break;
            }
            if let Some(waiting) = self.waiting.remove(others).filter(|_| is_asked_for) {
                weight += waiting.call.weight();
                next.push(waiting);
            }
        }
        next
    }
}

impl Waiting {
    fn fail(self, error: NodeError) {
        // Who asked may have given up.
        let _ = self.answer.send(Err(error));
    }
}

/// Sends what waits, as long as something does.
struct Leader {
    live: Live,
    has_finished: bool,
}

impl Leader {
    async fn lead(mut self) {
        while let Some((commands, next)) = self.next() {
            self.send(commands, next).await;
        }
    }

    /// What to send, and where; none ends the lead.
    fn next(&mut self) -> Option<(MultiplexedConnection, Vec<Waiting>)> {
        let mut line = lock(&self.live.line);
        let next = line.next();
        if let Some(commands) = line.commands.clone().filter(|_| !next.is_empty()) {
            return Some((commands, next));
        }
        // Under the lock that whoever comes next must take.
        line.under_way -= 1;
        self.has_finished = true;
        None
    }

    async fn send(&self, mut commands: MultiplexedConnection, sent: Vec<Waiting>) {
        let joined = Joined::new(sent.iter().map(|waiting| &waiting.call));
        let timeout = sent.iter().map(|waiting| waiting.timeout).max();
        let running = run(&mut commands, &joined);
        // Its own clock, so that a server that hangs is found out although all callers have given
        // up.
        let outcome = tokio::time::timeout(timeout.unwrap_or_default(), running).await;
        let answers = match outcome {
            Ok(Ok(Value::BulkString(answer))) => joined.answers(&answer).ok_or(None),
            Ok(Ok(_)) => Err(None),
            Ok(Err(error)) => Err(Some(error)),
            Err(_) => {
                self.live
                    .discard(|| unavailable("redis does not answer").into());
                sent.into_iter()
                    .for_each(|waiting| waiting.fail(timed_out().into()));
                return;
            }
        };
        match answers {
            Ok(answers) => {
                for (waiting, answer) in sent.into_iter().zip(answers) {
                    // Who asked may have given up.
                    let _ = waiting.answer.send(Ok(answer));
                }
            }
            Err(None) => sent
                .into_iter()
                .for_each(|waiting| waiting.fail(not_understood().into())),
            Err(Some(error)) => {
                if spoils_connection(&error) {
                    self.live.discard(|| error.clone().into());
                }
                sent.into_iter()
                    .for_each(|waiting| waiting.fail(error.clone().into()));
            }
        }
    }
}

impl Drop for Leader {
    /// If it has not finished, its runtime has ended, and with it the connection.
    fn drop(&mut self) {
        if !self.has_finished {
            self.live
                .discard(|| unavailable("the runtime that speaks to redis has ended").into());
        }
    }
}

/// Runs the script. It is sent a second time only if the server has not run it.
async fn run(
    commands: &mut MultiplexedConnection,
    joined: &Joined<'_>,
) -> Result<Value, RedisError> {
    let answer = send(commands, &joined.by_digest()).await;
    if answer.as_ref().is_err_and(is_unknown_script) {
        // The server has started anew, or has never seen the script.
        return send(commands, &joined.by_text()).await;
    }
    answer
}

async fn send(commands: &mut MultiplexedConnection, command: &Cmd) -> Result<Value, RedisError> {
    Ok(commands
        .send_packed_command(command)
        .await?
        .extract_error()?)
}

fn lock(line: &Mutex<Line>) -> MutexGuard<'_, Line> {
    line.lock().unwrap_or_else(PoisonError::into_inner)
}

fn timed_out() -> StoreError {
    StoreError::new(StoreErrorKind::Timeout, "redis did not answer in time")
}

fn unavailable(message: impl Into<Cow<'static, str>>) -> StoreError {
    StoreError::new(StoreErrorKind::Unavailable, message)
}
