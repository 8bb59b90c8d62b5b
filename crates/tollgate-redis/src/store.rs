//! The store.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use redis::ConnectionAddr;
use tollgate::{Charge, Clock, Limit, Outcomes, State, Store, StoreError, StoreErrorKind};

use crate::answer;
use crate::call::ScriptCall;
use crate::error::UrlError;
use crate::key;
use crate::node::runtime;
use crate::request::{Operation, Request, Time};
use crate::topology::spread::Spread;
use crate::topology::{Topology, Where};
use crate::url::{Login, Place, Target};

const DEFAULT_PREFIX: &str = "tollgate";
const DEFAULT_TIMEOUT: Duration = Duration::from_millis(100);
const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// How many probes fit a millisecond.
const PROBES: u64 = 1_000_000;
/// How long a key outlives its use, for a clock that steps back.
const SLACK_MILLIS: u64 = 1_000;
/// With a clock of one's own, the server's says little about when a key has had its time.
const MANUAL_SLACK_MILLIS: u64 = 600_000;

/// A store on Redis or Valkey: one server, a master that sentinels watch, or a cluster.
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
/// type or form at a key counts as none, and the next admission replaces it; any other error of
/// reading it fails the decision. A key that was left
/// without a lifetime gets one by the next decision, also by a denial.
///
/// # Connections
///
/// One to each server, shared by all tasks, made by the first call. Calls go out at
/// once while few are under way: two, and more where the server is farther away. Those that come
/// meanwhile wait, and go together. Each is decided by itself all the same.
///
/// It is made again by the next call after it was lost or an answer was overdue, which waits for it.
/// Once an attempt has failed, calls fail at once, while attempts go on behind them as often as a
/// backoff from 50 to 500 ms allows, as long as there are calls. Nothing is kept for a later
/// connection, and a call that may have reached the server is not sent again, since it could count
/// twice.
///
/// # URLs
///
/// | URL | what it is |
/// |---|---|
/// | `redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]` | one server |
/// | `redis+unix:///PATH[?user=…&pass=…&db=…]`, `unix://` | one server, by a Unix socket |
/// | `redis-sentinel://[USER:PASSWORD@]HOST[:PORT],…/MASTER[/DATABASE]` | the master of this name, as these sentinels know it; user and password are the master's, those of the sentinels are `?sentinel_user=…&sentinel_password=…` |
/// | `redis-cluster://[USER:PASSWORD@]HOST[:PORT],…` | a cluster, of which these servers are asked for the others; user and password are those of all |
///
/// `valkey` may stand for `redis` everywhere. `rediss` and `valkeys` (also `rediss-sentinel`, …) are
/// the same by TLS, for all servers and sentinels; that takes the feature `tls`. `:PASSWORD@` is
/// the default user's. In users, passwords and names, `% : / ? # @` are written as `%25`, `%3A` and so
/// on. An IPv6 address stands in brackets. Ports are 6379, and 26379 of sentinels, unless given.
///
/// # Sentinel
///
/// The sentinels are asked for the master when the first call comes, when its connection is lost,
/// and when it takes no writes; and a server is used only after it has said itself that it is a
/// master. One task asks, again and again with at most a quarter of a second between; meanwhile calls fail
/// at once. So a promoted replica is in use within a second of the sentinels' word, and an old
/// master that comes back is not. The user needs `+role` beside what scripts need.
///
/// # Cluster
///
/// All limits of a policy's key share a slot, since `{policy:key}` is what is hashed, and are decided
/// by one call in one atomic step. Charges of several policies or keys are in several slots: they are
/// looked at in all of them at once, and then spent slot by slot, in the order of the slots. What was
/// spent of a request that is not admitted after all is given back, also if the caller has gone;
/// only if a server fails at that moment does it count until its time has gone. So a request for
/// charges in *n* slots takes *n* + 1 round trips if it is admitted, and one if it is denied.
///
/// Moved slots are followed: a call that was sent to the wrong server was not run, and is sent to
/// the right one. Servers that fail are looked for as with sentinels; calls for slots of other
/// servers are not concerned. While a slot is being moved, a call on several of its keys can fail
/// until those keys are in one place. The user needs `+cluster|slots` (`+cluster` before Redis 7)
/// beside what scripts need.
///
/// # What a failover can cost
///
/// Redis replicates after it has answered. What a master had admitted and not yet replicated when it
/// was lost is forgotten, and can be admitted again: at most that, and never for longer than the
/// period. What is replicated are states, not readings of a clock, so that nobody waits longer or
/// gets more because two servers' clocks differ by less than a period. An old master that cannot
/// reach the others, but a client can, goes on admitting until it notices;
/// `min-replicas-to-write 1` bounds that, except on Redis 6.2, which does not ask it of scripts: there
/// nothing bounds it but the time until the old master notices.
///
/// # What a denial costs the server
///
/// About the same for every limit, except for a sliding log whose entries have costs above one: it is
/// read entry by entry, to find which of them must leave until a large cost fits, in proportion to the
/// number of entries that must. Where all entries cost one, they are found by their positions.
pub struct RedisStore {
    topology: Arc<Topology>,
    target: Target,
    tls: Option<ConnectionAddr>,
    prefix: String,
    timeout: Duration,
    connect_timeout: Duration,
    clock: Option<Arc<dyn Clock>>,
}

impl RedisStore {
    /// A store on the servers of a [URL](Self#urls), to which nothing is sent before it is needed.
    ///
    /// # Errors
    ///
    /// If the URL cannot be understood: which part of it, and what to write instead. Its text is not
    /// repeated, as it may hold a password.
    pub fn open(url: &str) -> Result<Self, UrlError> {
        let target = Target::parse(url)?;
        if target.is_tls {
            #[cfg(feature = "tls")]
            crate::tls::choose_provider();
            #[cfg(not(feature = "tls"))]
            return Err(UrlError::new(
                "a url with TLS needs the feature `tls` of tollgate-redis, which this program was built without",
            ));
        }
        Ok(Self {
            topology: Arc::new(Topology::new(&target, None, DEFAULT_CONNECT_TIMEOUT)?),
            target,
            tls: None,
            prefix: DEFAULT_PREFIX.to_owned(),
            timeout: DEFAULT_TIMEOUT,
            connect_timeout: DEFAULT_CONNECT_TIMEOUT,
            clock: None,
        })
    }

    /// Whom to trust, and as whom to come, by TLS. To be said before the store is used.
    ///
    /// # Errors
    ///
    /// If the URL is not one with TLS, or a certificate or the key cannot be used.
    #[cfg(feature = "tls")]
    pub fn tls(self, options: &crate::TlsOptions) -> Result<Self, UrlError> {
        if !self.target.is_tls {
            return Err(UrlError::new(
                "certificates are for a url with TLS; write rediss:// or its like",
            ));
        }
        let tls = Some(options.address()?);
        Self { tls, ..self }.anew()
    }

    /// As whom to come to the sentinels, instead of what the URL says: so that the password need not
    /// stand in it. An empty user is the default one. To be said before the store is used.
    ///
    /// # Errors
    ///
    /// If the URL is not that of sentinels.
    pub fn sentinel_login(mut self, user: &str, password: &str) -> Result<Self, UrlError> {
        if !matches!(self.target.place, Place::Sentinel { .. }) {
            return Err(UrlError::new(
                "a password of sentinels is for a url of sentinels; write redis-sentinel://HOSTS/MASTER",
            ));
        }
        self.target.sentinel_login = Login::new(user, password);
        self.anew()
    }

    /// As whom to come to the servers, instead of what the URL says: so that the password need not
    /// stand in it. An empty user is the default one. To be said before the store is used.
    ///
    /// # Errors
    ///
    /// None that are known.
    pub fn login(mut self, user: &str, password: &str) -> Result<Self, UrlError> {
        self.target.login = Login::new(user, password);
        self.anew()
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
    pub fn connect_timeout(mut self, timeout: Duration) -> Self {
        self.connect_timeout = timeout;
        // What was understood when it was opened is so again.
        if let Ok(topology) = Topology::new(&self.target, self.tls.as_ref(), timeout) {
            self.topology = Arc::new(topology);
        }
        self
    }

    /// Connects now, rather than by the first call: to find out at once that a server is missing
    /// or refuses the password. Of a cluster, to all masters.
    ///
    /// # Errors
    ///
    /// If a server cannot be reached, or refuses. The store may be used all the same.
    pub async fn connect(&self) -> Result<(), StoreError> {
        runtime()?;
        self.topology.connect().await
    }

    /// The same store, after what it knows of its servers has changed.
    fn anew(self) -> Result<Self, UrlError> {
        let topology = Topology::new(&self.target, self.tls.as_ref(), self.connect_timeout)?;
        let topology = Arc::new(topology);
        Ok(Self { topology, ..self })
    }

    /// Decides by `clock` instead of the server's, and keeps keys ten minutes longer: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Some(Arc::new(clock));
        self
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
        runtime()?;
        let call = request.call(self.time())?;
        self.topology.call(&call, self.timeout).await
    }

    fn spread(&self) -> Result<Spread<Topology>, StoreError> {
        runtime()?;
        Ok(Spread {
            calls: Arc::clone(&self.topology),
            prefix: self.prefix.clone(),
            time: self.time(),
            timeout: self.timeout,
        })
    }
}

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore")
            .field("address", &Where(&self.target).to_string())
            .field("prefix", &self.prefix)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Store for RedisStore {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        if let Some(charges) = self.topology.spread(charges, &self.prefix) {
            return self.spread()?.decide(charges).await;
        }
        let request = Request::deciding(Operation::Decide, &self.prefix, charges);
        answer::outcomes(&request, &self.call(&request).await?)
    }

    /// Without states where the charges lie in several slots of a cluster.
    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        if let Some(charges) = self.topology.spread(charges, &self.prefix) {
            return Ok((self.spread()?.decide(charges).await?, Vec::new()));
        }
        let request = Request::deciding(Operation::Decide, &self.prefix, charges);
        answer::outcomes_and_states(&request, &self.call(&request).await?)
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        if let Some(charges) = self.topology.spread(charges, &self.prefix) {
            return self.spread()?.peek(charges).await;
        }
        let request = Request::deciding(Operation::Peek, &self.prefix, charges);
        answer::outcomes(&request, &self.call(&request).await?)
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        if let Some(charges) = self.topology.spread(charges, &self.prefix) {
            return self.spread()?.refund(charges, admitted).await;
        }
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

    /// Writes, as a decision does, so that a read-only replica or a full server is not taken for a
    /// healthy one. What it writes, at a key that is no count's, lives for a few milliseconds.
    async fn probe(&self) -> Result<(), StoreError> {
        // So many that no probe is ever denied: a denial writes nothing.
        let limit = Limit::builder(PROBES, Duration::from_millis(1)).build();
        let limit = limit.map_err(|error| {
            StoreError::new(StoreErrorKind::Protocol, "no limit for a probe").with_source(error)
        })?;
        let request = Request::at(key::probe(&self.prefix), Charge::new(&limit, "", 1));
        answer::outcomes(&request, &self.call(&request).await?).map(drop)
    }
}
