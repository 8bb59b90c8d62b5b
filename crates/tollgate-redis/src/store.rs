//! The store.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use tollgate::{Charge, Clock, Limit, Outcomes, Store, StoreError, StoreErrorKind};

use crate::answer;
use crate::call::ScriptCall;
use crate::error::UrlError;
use crate::key;
use crate::node::{Node, connection_info};
use crate::request::{Operation, Request, Time};

const DEFAULT_PREFIX: &str = "tollgate";
const DEFAULT_TIMEOUT: Duration = Duration::from_millis(100);
/// How many probes fit a millisecond.
const PROBES: u64 = 1_000_000;
/// How long a key outlives its use, for a clock that steps back.
const SLACK_MILLIS: u64 = 1_000;
/// With a clock of one's own, the server's says little about when a key has had its time.
const MANUAL_SLACK_MILLIS: u64 = 600_000;

/// A store on one Redis or Valkey server.
///
/// # Keys
///
/// `prefix:{policy:key}:limit`, where the limit is [`Limit::id`] as a number. The keys of policies
/// are stored as they are: hash what is secret before it becomes one. `prefix:{probe}` is written to
/// find out whether the server decides.
///
/// Each write gives its key a lifetime: until the key is as if never used, and a second more
/// unless that would be longer than twice the period (or twice the time to refill, if longer). Only
/// where the server's clock has stepped back can it be longer, by that step. A value of another
/// type or form at a key counts as none, and the next admission replaces it. A key that was left
/// without a lifetime gets one by the next decision, also by a denial.
///
/// # Connection
///
/// One, shared by all tasks, made by the first call. Calls go out at once; while two are under way,
/// those that come wait, and go together. Each is decided by itself all the same.
///
/// It is made again by the next call after it was lost or an answer was overdue, which waits for it.
/// Once an attempt has failed, calls fail at once, while attempts go on behind them as often as a
/// backoff from 50 to 500 ms allows, as long as there are calls. Nothing is kept for a later
/// connection, and a call that may have reached the server is not sent again, since it could count
/// twice.
pub struct RedisStore {
    node: Node,
    prefix: String,
    timeout: Duration,
    clock: Option<Arc<dyn Clock>>,
}

impl RedisStore {
    /// A store on the server of a URL, to which nothing is sent before it is needed:
    /// `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]` or
    /// `redis+unix:///PATH[?db=DATABASE&user=USER&pass=PASSWORD]`.
    ///
    /// # Errors
    ///
    /// If the URL cannot be understood. Its text is not repeated, as it may hold a password.
    pub fn open(url: &str) -> Result<Self, UrlError> {
        Ok(Self {
            node: Node::new(connection_info(url)?)?,
            prefix: DEFAULT_PREFIX.to_owned(),
            timeout: DEFAULT_TIMEOUT,
            clock: None,
        })
    }

    /// What all keys of the store begin with. The default is `tollgate`. Stores with different
    /// prefixes count apart.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// How long to wait for an answer, and for a connection if there is none. The default is 100
    /// ms. An answer that comes later is dropped, but what was asked may be counted.
    #[must_use]
    pub const fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long an attempt to connect may take. The default is a second. It may be longer than
    /// calls wait: the attempt goes on without them.
    #[must_use]
    pub const fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.node.set_connect_timeout(timeout);
        self
    }

    /// Connects now, rather than by the first call: to find out at once that a server is missing
    /// or refuses the password.
    ///
    /// # Errors
    ///
    /// If the server cannot be reached, or refuses. The store may be used all the same.
    pub async fn connect(&self) -> Result<(), StoreError> {
        self.node.connect().await
    }

    /// Decides by `clock` instead of the server's, and keeps keys ten minutes longer: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Finds out whether the server decides: it writes, as a decision does, so that a read-only
    /// replica or a full server is not taken for a healthy one. What it writes, at a key that is no
    /// count's, lives for a few milliseconds.
    ///
    /// # Errors
    ///
    /// As [`decide`](Store::decide).
    #[doc(hidden)]
    pub async fn probe(&self) -> Result<(), StoreError> {
        // So many that no probe is ever denied: a denial writes nothing.
        let limit = Limit::builder(PROBES, Duration::from_millis(1)).build();
        let limit = limit.map_err(|error| {
            StoreError::new(StoreErrorKind::Protocol, "no limit for a probe").with_source(error)
        })?;
        let request = Request::at(key::probe(&self.prefix), Charge::new(&limit, "", 1));
        answer::outcomes(&request, &self.call(&request).await?).map(drop)
    }

    /// What would be sent to decide `charges`: for benchmarks of the server.
    ///
    /// # Errors
    ///
    /// If a charge is of an algorithm that the script does not have.
    #[doc(hidden)]
    pub fn script_call(&self, charges: &[Charge<'_>]) -> Result<ScriptCall, StoreError> {
        let request = Request::deciding(Operation::Decide, &self.prefix, charges);
        Ok(request.call(self.time())?.alone())
    }

    fn time(&self) -> Time {
        let now = self.clock.as_ref().map(|clock| clock.now().as_micros());
        Time {
            now,
            slack_millis: now.map_or(SLACK_MILLIS, |_| MANUAL_SLACK_MILLIS),
            is_bounded: now.is_none(),
        }
    }

    async fn call(&self, request: &Request<'_>) -> Result<Vec<u64>, StoreError> {
        let call = request.call(self.time())?;
        let answer = self.node.call(&call, self.timeout).await;
        answer.map_err(|error| error.error)
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore")
            .field("address", &self.node.address().to_string())
            .field("prefix", &self.prefix)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Store for RedisStore {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let request = Request::deciding(Operation::Decide, &self.prefix, charges);
        answer::outcomes(&request, &self.call(&request).await?)
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let request = Request::deciding(Operation::Peek, &self.prefix, charges);
        answer::outcomes(&request, &self.call(&request).await?)
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        if let Some(request) = Request::refunding(&self.prefix, charges, admitted) {
            self.call(&request).await?;
        }
        Ok(())
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        let charge = Charge::new(limit, key, 0).of_policy(policy);
        let request = Request::resetting(&self.prefix, charge);
        answer::was_counted(&self.call(&request).await?)
    }
}
