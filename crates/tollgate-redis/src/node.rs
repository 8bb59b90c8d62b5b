//! One server: the calls that go to it, on one connection.

mod backoff;
mod connection;
mod error;
mod failure;
mod leader;
mod line;
mod live;
mod patience;
mod round_trip;
mod runtime;
mod settings;

use std::time::Duration;

use tollgate::StoreError;

pub(crate) use error::{NodeError, Refusal};
pub(crate) use runtime::runtime;

use crate::call::Call;
use connection::Connection;

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

    /// How long an attempt to connect may take; it goes on while callers who could not wait have
    /// failed already.
    pub(crate) const fn set_connect_timeout(&mut self, timeout: Duration) {
        self.connection.set_timeout(timeout);
    }

    /// True if there is a connection that has not been seen to end.
    pub(crate) fn is_connected(&self) -> bool {
        self.connection.is_live()
    }

    /// Connects, if there is no connection; also if it is too soon for the calls to try again.
    pub(crate) async fn connect(&self) -> Result<(), StoreError> {
        self.connection.connect().await
    }

    /// Runs the script, joined with the calls that wait at the same moment. An answer is waited
    /// for `timeout`, and so is a connection, unless the last attempt to make one has failed. The
    /// call is never sent twice where it could count twice, nor kept for a later connection.
    pub(crate) async fn call(&self, call: &Call, timeout: Duration) -> Result<Vec<u64>, NodeError> {
        let live = self.connection.get(timeout).await?;
        live.call(call, timeout).await
    }
}
