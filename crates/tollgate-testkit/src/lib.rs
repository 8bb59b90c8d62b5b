//! What Tollgate's own tests share: naive models of the algorithms, a store that is the oracle for
//! other stores, stores that fail when told to, the conformance suite of every store, and made-up
//! access logs.
//!
//! ```
//! use tollgate_testkit::{ManualClock, ReferenceStore, conformance, poll_now};
//!
//! let clock = ManualClock::new(conformance::START);
//! let store = ReferenceStore::new(clock.clone());
//! poll_now(conformance::run_all(&store, &clock));
//! ```
//!
//! Not published. Everything here fails by panicking, with a message that names what differs.
#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a test kit reports what is wrong by panicking"
)]

pub mod access_log;
pub mod conformance;
pub mod given;
pub mod model;
pub mod redis;
pub mod strategy;

mod failing;
mod poll;

mod reference;
mod scripted;

pub use failing::{FailingStore, Health};
pub use poll::poll_now;
pub use redis::RedisServer;
pub use reference::ReferenceStore;
pub use scripted::{ScriptedAnswer, ScriptedStore};
pub use tollgate::ManualClock;
