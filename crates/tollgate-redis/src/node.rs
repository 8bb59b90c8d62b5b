//! One server: the calls that go to it, on one connection.

mod backoff;
mod connection;
mod error;

use std::time::Duration;

use redis::{Cmd, FromRedisValue, RedisError};
use tollgate::StoreError;

pub(crate) use connection::connection_info;
pub(crate) use error::NodeError;

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

    /// Where it is, without secrets.
    pub(crate) fn address(&self) -> &redis::ConnectionAddr {
        self.connection.address()
    }

    /// Connects, if there is no connection.
    pub(crate) async fn connect(&self, timeout: Duration) -> Result<(), StoreError> {
        self.connection.get(timeout).await.map(drop)
    }

    /// Runs the script. The call is never sent twice where it could count twice.
    pub(crate) async fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<u64>, NodeError> {
        let mut live = self.connection.get(timeout).await?;
        let mut answer = send(&mut live, &call.by_digest()).await;
        if answer.as_ref().is_err_and(is_unknown_script) {
            // The server has started anew, or has never seen the script.
            answer = send(&mut live, &call.by_text()).await;
        }
        answer.map_err(|error| {
            if spoils_connection(&error) {
                Connection::discard(&live);
            }
            NodeError::from(error)
        })
    }
}

async fn send(live: &mut Live, command: &Cmd) -> Result<Vec<u64>, RedisError> {
    let answer = live.commands.send_packed_command(command).await?;
    Ok(Vec::from_redis_value(answer.extract_error()?)?)
}
