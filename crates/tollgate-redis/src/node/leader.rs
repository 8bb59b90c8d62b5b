//! Who sends what waits in line.

use redis::aio::MultiplexedConnection;
use redis::{Cmd, RedisError, Value};
use tokio::time::Instant;

use super::error::NodeError;
use super::line::Waiting;
use super::live::Live;
use super::patience::in_time;
use crate::answer::not_understood;
use crate::call::Joined;
use crate::error::{is_unknown_script, spoils_connection, timed_out, unavailable};

/// Sends what waits, as long as something does.
pub(super) struct Leader {
    live: Live,
    has_finished: bool,
}

impl Leader {
    /// One that the line of `live` has counted as under way.
    pub(super) const fn new(live: Live) -> Self {
        Self {
            live,
            has_finished: false,
        }
    }

    pub(super) async fn lead(mut self) {
        while let Some((commands, next)) = self.next() {
            self.send(commands, next).await;
        }
    }

    /// What to send, and where; none ends the lead.
    fn next(&mut self) -> Option<(MultiplexedConnection, Vec<Waiting>)> {
        let next = self.live.next();
        self.has_finished = next.is_none();
        next
    }

    async fn send(&self, mut commands: MultiplexedConnection, sent: Vec<Waiting>) {
        let joined = Joined::new(sent.iter().map(|waiting| &waiting.call));
        let timeout = sent.iter().map(|waiting| waiting.timeout).max();
        let start = Instant::now();
        let running = run(&mut commands, &joined);
        // Its own clock, so that a server that hangs is found out although all callers have given
        // up.
        let outcome = in_time(timeout.unwrap_or_default(), running).await;
        if outcome.is_some() {
            self.live.answered(start.elapsed());
        }
        let answers = match outcome {
            Some(Ok(Value::BulkString(answer))) => joined.answers(&answer).ok_or(None),
            Some(Ok(_)) => Err(None),
            Some(Err(error)) => Err(Some(error)),
            None => {
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
                    if let Err(error) = &answer
                        && spoils_connection(error)
                    {
                        self.live.discard(|| error.clone().into());
                    }
                    // Who asked may have given up.
                    let _ = waiting.answer.send(answer.map_err(NodeError::from));
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
    let answer = send(commands, joined, joined.by_digest()).await;
    if answer.as_ref().is_err_and(is_unknown_script) {
        // The server has started anew, or has never seen the script.
        return send(commands, joined, joined.by_text()).await;
    }
    answer
}

async fn send(
    commands: &mut MultiplexedConnection,
    joined: &Joined<'_>,
    command: Cmd,
) -> Result<Value, RedisError> {
    if joined.asks() {
        // One pipeline, so that no other command comes in between: the permission holds for the
        // next one. What the server says to the permission does not matter.
        let mut pipeline = redis::pipe();
        pipeline.cmd("ASKING").add_command(command);
        let answers = commands.send_packed_commands(&pipeline, 0, 2).await?;
        return answers
            .into_iter()
            .nth(1)
            .unwrap_or(Value::Nil)
            .extract_error();
    }
    let answer = commands.send_packed_command(&command).await?;
    answer.extract_error()
}
