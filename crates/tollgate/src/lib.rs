//! An exact rate limiter: limits, the store that counts them, and the clock it counts by.
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

mod clock;
mod error;
mod limiter;
mod memory;
mod outcomes;
mod store;
mod sync;

pub use clock::{Clock, ManualClock, SystemClock};
pub use error::{StoreError, StoreErrorKind};
pub use limiter::{Limiter, LimiterBuilder};
pub use memory::{MemoryStore, MemoryStoreBuilder};
pub use outcomes::Outcomes;
pub use store::Store;
pub use tollgate_core::{
    Algorithm, Anchor, Charge, EffectiveRate, Limit, LimitBuilder, LimitError, LimitErrorKind,
    LimitId, MAX_UNITS, Micros, Outcome, ParseLimitError, Timestamp, Verdict,
};
