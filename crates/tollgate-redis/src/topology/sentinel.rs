//! The master that sentinels name.
//!
//! The client library has a client for sentinels too. It is not used, since it asks them whenever
//! a connection is wanted, in the caller's time, and one after the other without a bound: while a
//! master is down every caller would wait. Here one task asks, and callers fail at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use redis::{ConnectionAddr, Value};
use tokio::time::Instant;
use tollgate::{StoreError, StoreErrorKind};

use super::ask::{ask, is_no, said_by, unusable, within_patience};
use super::search::{self, Search, Seek};
use crate::call::Call;
use crate::node::{Node, NodeError, Refusal};
use crate::url::{Endpoint, Target};

pub(crate) struct Sentinel {
    target: Target,
    tls: Option<ConnectionAddr>,
    sentinels: Vec<Endpoint>,
    master: String,
    connect_timeout: Duration,
    current: Mutex<Option<Arc<Node>>>,
    /// The position of the sentinel that answered last, which is asked first.
    first: AtomicUsize,
    search: Search,
}

impl Sentinel {
    pub(super) fn new(
        target: &Target,
        tls: Option<&ConnectionAddr>,
        (sentinels, master): (&[Endpoint], &str),
        connect_timeout: Duration,
    ) -> Self {
        Self {
            target: target.clone(),
            tls: tls.cloned(),
            sentinels: sentinels.to_vec(),
            master: master.to_owned(),
            connect_timeout,
            current: Mutex::default(),
            first: AtomicUsize::new(0),
            search: Search::new(),
        }
    }

    /// Finds the master, if it is not known.
    pub(super) async fn connect(self: &Arc<Self>) -> Result<(), StoreError> {
        self.node(self.connect_timeout).await.map(drop)
    }

    pub(super) async fn call(
        self: &Arc<Self>,
        call: &Call,
        timeout: Duration,
    ) -> Result<Vec<u64>, StoreError> {
        let ends = Instant::now() + timeout;
        let node = self.node(timeout).await?;
        let left = ends.saturating_duration_since(Instant::now());
        let NodeError { refusal, error } = match node.call(call, left).await {
            Ok(numbers) => return Ok(numbers),
            Err(error) => error,
        };
        if matches!(refusal, Refusal::NotMaster | Refusal::Unreachable) {
            self.lost(&node, &error);
        }
        Err(error)
    }

    /// The master. One whose connection has ended is not connected to again before the sentinels
    /// have named it anew: it may be a replica by now, or about to become one.
    async fn node(self: &Arc<Self>, timeout: Duration) -> Result<Arc<Node>, StoreError> {
        if let Some(node) = self.connected() {
            return Ok(node);
        }
        search::start(self, None);
        self.search.first_attempt(timeout).await?;
        self.connected().ok_or_else(|| {
            StoreError::new(
                StoreErrorKind::Unavailable,
                "the redis master was lost again as soon as it was found",
            )
        })
    }

    fn connected(&self) -> Option<Arc<Node>> {
        let current = self.current();
        current.as_ref().filter(|node| node.is_connected()).cloned()
    }

    fn lost(self: &Arc<Self>, node: &Arc<Node>, error: &StoreError) {
        {
            let mut current = self.current();
            if !current.as_ref().is_some_and(|now| Arc::ptr_eq(now, node)) {
                // Another has been found since.
                return;
            }
            *current = None;
        }
        search::start(self, Some(error));
    }

    async fn ask_sentinel(&self, sentinel: &Endpoint) -> Result<Endpoint, StoreError> {
        let info = self.target.sentinel(sentinel, self.tls.as_ref());
        let info = info.map_err(unusable)?;
        let mut command = redis::cmd("SENTINEL");
        command.arg("get-master-addr-by-name").arg(&self.master);
        let answer = ask(info, &command)
            .await
            .map_err(|error| is_no("sentinel", error))
            .map_err(|error| said_by(&format_args!("sentinel {sentinel}"), error))?;
        endpoint(answer).ok_or_else(|| {
            StoreError::new(
                StoreErrorKind::Unavailable,
                format!(
                    "sentinel {sentinel} knows no master of this name; compare the end of the url with its `sentinel monitor`"
                ),
            )
        })
    }

    /// The server, if it says itself that it is a master: sentinels may be late to know.
    async fn verified(&self, endpoint: &Endpoint) -> Result<Arc<Node>, StoreError> {
        let said = |error| said_by(&format_args!("redis {endpoint}"), error);
        let info = self.target.data_server_asked(endpoint, self.tls.as_ref());
        let role = ask(info.map_err(unusable)?, &redis::cmd("ROLE"))
            .await
            .map_err(said)?;
        if !is_master(role) {
            return Err(StoreError::new(
                StoreErrorKind::Unavailable,
                format!("redis {endpoint} is a replica, although a sentinel calls it the master"),
            ));
        }
        let info = self.target.data_server(endpoint, self.tls.as_ref());
        let mut node = info.and_then(Node::new).map_err(unusable)?;
        node.set_connect_timeout(self.connect_timeout);
        within_patience(node.connect()).await.map_err(said)?;
        Ok(Arc::new(node))
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Node>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seek for Sentinel {
    fn search(&self) -> &Search {
        &self.search
    }

    async fn seek(&self) -> Result<(), StoreError> {
        let first = self.first.load(Ordering::Relaxed);
        let order = self.sentinels.iter().enumerate().cycle().skip(first);
        let mut tried = Vec::new();
        let mut failure = None;
        for (position, sentinel) in order.take(self.sentinels.len()) {
            match self.ask_sentinel(sentinel).await {
                // What one says that was tried is not tried again because another says it too.
                Ok(endpoint) if tried.contains(&endpoint) => {}
                Ok(endpoint) => match self.verified(&endpoint).await {
                    Ok(node) => {
                        self.first.store(position, Ordering::Relaxed);
                        *self.current() = Some(node);
                        return Ok(());
                    }
                    Err(error) => {
                        tried.push(endpoint);
                        failure = Some(error);
                    }
                },
                // What a master says tells more than that a sentinel is down too.
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        Err(failure.unwrap_or_else(|| {
            StoreError::new(StoreErrorKind::Unavailable, "there are no sentinels to ask")
        }))
    }
}

fn endpoint(answer: Value) -> Option<Endpoint> {
    let (host, port): (String, String) = redis::from_redis_value(answer).ok()?;
    Some(Endpoint {
        host,
        port: port.parse().ok()?,
    })
}

fn is_master(role: Value) -> bool {
    match role {
        Value::Array(parts) => parts.into_iter().next().is_some_and(|role| {
            redis::from_redis_value::<String>(role).is_ok_and(|role| role == "master")
        }),
        _ => false,
    }
}
