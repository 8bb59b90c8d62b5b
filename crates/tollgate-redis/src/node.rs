//! One server: the calls that go to it, on one connection.

mod backoff;
mod connection;
mod error;

use std::time::Duration;

use redis::{Cmd, FromRedisValue, RedisError};
use tollgate::StoreError;

pub(crate) use error::{NodeError, Refusal};

use crate::error::{is_unknown_script, spoils_connection};
use crate::request::Call;
use connection::{Connection, Live};

/// One server.
pub(crate) struct Node {
    connection: Connection,
}

impl Node {
    /// The server of `info`, to which nothing is sent before it is needed.
    pub(crate) fn new(info: redis::ConnectionInfo) -> Result<Self, crate::UrlError> {
        Ok(Self {
            connection: Connection::new(info)?,
        })
    }

    /// Connects, if there is no connection.
    pub(crate) async fn connect(&self, timeout: Duration) -> Result<(), StoreError> {
        self.connection.get(timeout).await.map(drop)
    }

    /// True if there is a connection that has not been seen to end.
    pub(crate) fn is_connected(&self) -> bool {
        self.connection.is_live()
    }

    /// Runs the script. The call is never sent twice where it could count twice.
    pub(crate) async fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<u64>, NodeError> {
        let mut live = self.connection.get(timeout).await?;
        let mut answer = send(&mut live, &call.by_digest()).await;
        if answer.as_ref().is_err_and(is_unknown_script) {
            // The server has started anew, or has never seen the script.
            answer = send(&mut live, &call.by_text()).await;
        }
        answer.map_err(|error| refused(&live, error))
    }

    /// Runs the script although the slot is only about to come to this server, as another server
    /// of the cluster has said.
    pub(crate) async fn call_asking(
        &self,
        call: &Call,
        timeout: Duration,
    ) -> Result<Vec<u64>, NodeError> {
        let mut live = self.connection.get(timeout).await?;
        let mut answer = send_asking(&mut live, call.by_digest()).await;
        if answer.as_ref().is_err_and(is_unknown_script) {
            answer = send_asking(&mut live, call.by_text()).await;
        }
        answer.map_err(|error| refused(&live, error))
    }
}

fn refused(live: &Live, error: RedisError) -> NodeError {
    if spoils_connection(&error) {
        Connection::discard(live);
    }
    NodeError::from(error)
}

async fn send(live: &mut Live, command: &Cmd) -> Result<Vec<u64>, RedisError> {
    let answer = live.commands.send_packed_command(command).await?;
    Ok(Vec::from_redis_value(answer.extract_error()?)?)
}

/// One pipeline, so that no other command comes in between: the permission holds for the next one.
async fn send_asking(live: &mut Live, command: Cmd) -> Result<Vec<u64>, RedisError> {
    let mut pipeline = redis::pipe();
    pipeline.cmd("ASKING").ignore().add_command(command);
    let mut answers = live
        .commands
        .send_packed_commands(&pipeline, 0, 2)
        .await?
        .into_iter();
    // What it says to the permission does not matter: the second answer tells.
    let answer = answers.nth(1).unwrap_or(redis::Value::Nil);
    Ok(Vec::from_redis_value(answer.extract_error()?)?)
}
