//! The Redis protocol: `CL.THROTTLE`, `TG.CHECK`, and what clients ask on their own.
//!
//! `connection` reads, has each command run, and writes the answers; `commands` is the table of
//! what there is to run, a file for each kind. The protocol itself is in [`tollgate_resp`].

mod batch;
mod commands;
mod connection;
mod decided;
mod numbers;
mod session;
mod tally;
mod transaction;

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tollgate::AnyStore;
use tollgate_engine::Engine;

use crate::metrics::Surface;
use crate::net::{Peer, Protocol, Stream};
use crate::waiting::Waiting;
use crate::{Password, ServerSettings};
use session::Session;

/// The surface of the Redis protocol.
pub(crate) struct Resp {
    engine: Engine,
    surface: Arc<Surface>,
    /// What `CL.THROTTLE` counts in, once it was asked. A reload of the policy file does not change it.
    store: OnceLock<Arc<AnyStore>>,
    /// For decisions that must be waited for. Who has no place waits for one.
    places: Arc<Semaphore>,
    password: Option<Password>,
    /// The number of the next connection.
    next: AtomicI64,
}

impl Resp {
    pub(crate) fn new(
        engine: Engine,
        settings: &ServerSettings,
        surface: Arc<Surface>,
        waiting: &Waiting,
    ) -> Self {
        Self {
            store: OnceLock::new(),
            places: waiting.pipelined(),
            engine,
            surface,
            password: settings.redis_password.clone(),
            next: AtomicI64::new(1),
        }
    }

    fn store(&self) -> &Arc<AnyStore> {
        self.store
            .get_or_init(|| Arc::new(self.engine.store_of_callers()))
    }

    /// What is known of a client that has just connected.
    fn session(&self) -> Session {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        Session::new(id, self.password.is_none())
    }
}

impl Protocol for Resp {
    const NAME: &'static str = "redis";
    const IS_HTTP: bool = false;
    // The words of Redis itself, which clients know.
    const REFUSAL: &'static [u8] = b"-ERR max number of clients reached\r\n";

    async fn serve(self: Arc<Self>, stream: Stream, _peer: Peer, drain: CancellationToken) {
        connection::serve(&self, stream, &drain).await;
    }
}

#[cfg(test)]
mod tests;
