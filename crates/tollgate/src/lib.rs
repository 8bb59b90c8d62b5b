//! Counts how often who does what, and says when it is too often: limits, the store that counts
//! them, and the clock they are counted by.
//!
//! ```
//! use tollgate::Limiter;
//!
//! let logins = Limiter::new("10/min".parse()?);
//! for _ in 0..10 {
//!     assert!(logins.check_now("198.51.100.7")?.is_allowed());
//! }
//! let denied = logins.check_now("198.51.100.7")?;
//! assert!(!denied.is_allowed());
//! assert!(denied.retry_after().is_some());
//! assert!(logins.check_now("203.0.113.9")?.is_allowed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Use it in any program that must not do something too often, for each of many keys or for one.
//! For HTTP there is `tollgate-http`, which knows clients and headers; for rules that say which
//! requests are counted by what, `tollgate-policy`.
//!
//! # Ideas
//!
//! * A [`Limit`] is how much: `10/min`, `20/s burst 60`, `1000/h sliding-log`. It is checked once,
//!   when it is parsed or built.
//! * A [`Store`] decides all [`Charge`]s of a request in one step. [`MemoryStore`] counts in this
//!   process; [`AnyStore`] is one that is chosen at run time.
//! * A [`Limiter`] is one or more limits over a store, for those who need no more than that.
//! * An [`Outcome`] is a value, a denial too. A [`StoreError`] means that nothing was decided.
//!
//! # Guarantees
//!
//! * All or nothing: if one limit denies, nothing is spent in any other.
//! * A client that waits for exactly [`Outcome::retry_after`], with nothing else spent on its key,
//!   is admitted; a microsecond sooner it is denied.
//! * Memory is bounded without anyone calling anything: see [`MemoryStore`].
//! * A clock that stops, or steps back, gives nobody anything: see [`Algorithm`].
//!
//! # Features
//!
//! * `outage`: `OutageGuard`, a deadline and a breaker around a store that is somewhere else. It
//!   brings Tokio; without it nothing here needs a runtime.
//! * `metrics`: `record_metrics` of stores, and `describe_store_metrics`, for the facade of that
//!   name.

mod any;
mod clock;
mod denial_cache;
mod error;
mod limiter;
mod memory;
#[cfg(feature = "metrics")]
mod observe;
#[cfg(feature = "outage")]
mod outage;
mod outcomes;
mod store;
mod sync;

pub use any::AnyStore;
pub use clock::{Clock, ManualClock, SystemClock};
pub use denial_cache::{DenialCache, DenialCacheBuilder};
pub use error::{StoreError, StoreErrorKind};
pub use limiter::{Limiter, LimiterBuilder, LimiterError};
pub use memory::{MemoryStore, MemoryStoreBuilder};
#[cfg(feature = "metrics")]
pub use observe::describe_store_metrics;
#[cfg(feature = "outage")]
pub use outage::{OutageChange, OutageGuard, OutageGuardBuilder, OutageGuardError, OutageStats};
pub use outcomes::Outcomes;
pub use store::Store;
pub use tollgate_core::{
    Algorithm, Anchor, Charge, EffectiveRate, Limit, LimitBuilder, LimitError, LimitErrorKind,
    LimitId, LimitProblem, MAX_UNITS, Micros, Outcome, ParseLimitError, State, Timestamp, Verdict,
};
