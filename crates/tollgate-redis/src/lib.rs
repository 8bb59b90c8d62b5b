//! A [`Store`](tollgate::Store) on Redis or Valkey, for several processes that must agree.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use tollgate::{Charge, Limit, Store};
//! use tollgate_redis::RedisStore;
//!
//! let store = RedisStore::open("redis://127.0.0.1:6379")?.prefix("shop:limits");
//! let limit: Limit = "10/min".parse()?;
//! let outcomes = store.decide(&[Charge::new(&limit, "203.0.113.9", 1)]).await?;
//! assert!(outcomes.is_allowed());
//! # Ok(())
//! # }
//! ```
//!
//! Use it where several processes share their limits. One process alone is served better by
//! [`MemoryStore`](tollgate::MemoryStore), which asks nobody.
//!
//! # Ideas
//!
//! * **One round trip.** A decision is a part of one call of one script, for any number of charges
//!   and any mix of algorithms. All tasks share one connection; decisions that wait at the same
//!   moment share a call, and none waits for company.
//! * **One clock**, the server's. A script reads it once a call.
//! * **One arithmetic.** The script admits and counts, in integers that its numbers hold exactly;
//!   it answers with states, and `tollgate-core` turns them into outcomes, as for every store.
//! * **Failover without a restart.** A master that is lost is looked for in the background, by
//!   sentinels or in the cluster, while callers are told at once.
//! * **Nothing stays.** Each write gives its key a lifetime; see [`RedisStore`].
//!
//! # Guarantees
//!
//! * The same charges at the same instants give the same outcomes as every other store.
//! * While the server cannot be reached or does not answer, a call costs the timeout at most, and
//!   nothing once an attempt to connect has failed: calls are never kept for later, and never sent
//!   twice.
//!
//! # Features
//!
//! * `tls`: `rediss://` and its like, and `TlsOptions`. It brings rustls and ring, which needs a C
//!   compiler to build; so it is off unless asked for.

mod answer;
mod call;
mod error;
mod key;
mod node;
mod request;
mod script;
mod store;
#[cfg(feature = "tls")]
mod tls;
mod topology;
mod url;

#[doc(hidden)]
pub use call::ScriptCall;
pub use error::UrlError;
#[doc(hidden)]
pub use key::{name as key_name, probe as probe_name};
pub use store::RedisStore;
#[cfg(feature = "tls")]
pub use tls::TlsOptions;

/// The example of the guide.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../docs/redis.md")]
    mod redis {}
}
