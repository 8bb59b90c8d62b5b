//! What is measured.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use redis::aio::MultiplexedConnection;
use tollgate::{Charge, Limit, Store as _};
use tollgate_redis::{RedisStore, ScriptCall};

use super::server::Server;

/// How many clients take turns.
pub(super) const KEYS: usize = 10_000;

/// Limits for a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Case {
    pub(super) title: &'static str,
    limits: &'static [&'static str],
    is_denied: bool,
}

impl Case {
    pub(super) const ONE: Self = Self::allows("token bucket", &["1000000000/h"]);
    pub(super) const FOUR: Self = Self::allows(
        "four token buckets",
        &["1000000/s", "60000000/min", "1000000000/h", "10000000000/d"],
    );

    /// The first of them is what the others are compared with.
    pub(super) const ALL: [Self; 6] = [
        Self::ONE,
        Self::FOUR,
        Self::allows("fixed window", &["1000000000/h fixed-window"]),
        Self::allows("sliding window", &["1000000000/h sliding-window"]),
        Self::allows("sliding log, 1 s of it", &["1000000000/s sliding-log"]),
        Self {
            title: "token bucket, denied",
            limits: &["1/366d"],
            is_denied: true,
        },
    ];

    const fn allows(title: &'static str, limits: &'static [&'static str]) -> Self {
        Self {
            title,
            limits,
            is_denied: false,
        }
    }

    fn limits(self) -> Result<Vec<Limit>> {
        let limits = self.limits.iter().map(|limit| limit.parse());
        limits.collect::<Result<_, _>>().context("a limit")
    }
}

/// Something that decides.
pub(super) trait Subject: Send + Sync + 'static {
    /// A decision for one of the clients.
    fn decide(&self, client: usize) -> impl Future<Output = Result<()>> + Send;
}

/// The store.
pub(super) struct Store {
    store: RedisStore,
    limits: Vec<Limit>,
    keys: Vec<String>,
    is_denied: bool,
}

impl Store {
    pub(super) async fn connect(server: &Server, case: Case) -> Result<Arc<Self>> {
        let store = RedisStore::open(&server.url())?.timeout(Duration::from_secs(10));
        store.connect().await?;
        let it = Self {
            store,
            limits: case.limits()?,
            keys: (0..KEYS).map(|number| format!("{number:012}")).collect(),
            is_denied: case.is_denied,
        };
        if case.is_denied {
            for key in &it.keys {
                it.store.decide(&it.charges(key)).await?;
            }
        }
        Ok(Arc::new(it))
    }

    fn charges<'a>(&'a self, key: &'a str) -> Vec<Charge<'a>> {
        let limits = self.limits.iter();
        limits.map(|limit| Charge::new(limit, key, 1)).collect()
    }
}

impl Subject for Store {
    async fn decide(&self, client: usize) -> Result<()> {
        let outcomes = match &self.limits[..] {
            [limit] => {
                let charges = [Charge::new(limit, &self.keys[client], 1)];
                self.store.decide(&charges).await?
            }
            _ => self.store.decide(&self.charges(&self.keys[client])).await?,
        };
        ensure!(
            outcomes.is_allowed() != self.is_denied,
            "denied, or not denied"
        );
        Ok(())
    }
}

/// The client library alone, with the script and the argument that the store would send.
pub(super) struct Bare {
    connection: MultiplexedConnection,
    digest: String,
    argument: Vec<u8>,
    keys: Vec<String>,
}

impl Bare {
    pub(super) async fn connect(server: &Server) -> Result<Arc<Self>> {
        let call = script_call(Case::ONE, "")?;
        let keys = (0..KEYS)
            .map(|number| Ok(script_call(Case::ONE, &format!("{number:012}"))?.keys))
            .collect::<Result<Vec<_>>>()?;
        Ok(Arc::new(Self {
            connection: server.connect().await?,
            digest: server.load(call.script)?,
            argument: call.argument,
            keys: keys.concat(),
        }))
    }
}

impl Subject for Bare {
    async fn decide(&self, client: usize) -> Result<()> {
        let mut command = redis::cmd("EVALSHA");
        command.arg(&self.digest).arg(1).arg(&self.keys[client]);
        command.arg(&self.argument);
        let answer: Vec<u8> = command.query_async(&mut self.connection.clone()).await?;
        ensure!(answer.len() == 48, "an answer of {} bytes", answer.len());
        Ok(())
    }
}

/// What the store sends for a client.
pub(super) fn script_call(case: Case, client: &str) -> Result<ScriptCall> {
    let limits = case.limits()?;
    let charges: Vec<_> = limits
        .iter()
        .map(|limit| Charge::new(limit, client, 1))
        .collect();
    // Nothing is sent to it.
    let store = RedisStore::open("redis://127.0.0.1")?;
    Ok(store.script_call(&charges)?)
}
