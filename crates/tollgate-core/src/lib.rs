//! Limits, rate-limiting algorithms and their outcomes, in exact integer arithmetic.
//!
//! This crate never reads a clock, opens a socket, starts a task, draws a random number or
//! prints: it is a function from (state, charge, now) to (state, outcome).
//!
//! ```
//! use tollgate_core::{Limit, State, Timestamp, Verdict};
//!
//! let limit: Limit = "2/s".parse()?;
//! let now = Timestamp::from_secs(1_800_000_000);
//! let mut state = State::fresh(&limit);
//!
//! assert_eq!(state.charge(&limit, 1, now).verdict, Verdict::Allow);
//! assert_eq!(state.charge(&limit, 1, now).verdict, Verdict::Allow);
//! let denied = state.charge(&limit, 1, now);
//! assert_eq!(denied.verdict, Verdict::Deny);
//! assert_eq!(denied.retry_after.map(|wait| wait.as_micros()), Some(500_000));
//! # Ok::<(), tollgate_core::ParseLimitError>(())
//! ```
//!
//! Use it to write a store of your own, or to compute decisions where neither `std` nor an
//! async runtime is at hand (`no_std` with `alloc`). To limit requests in a program, use the
//! `tollgate` crate, which adds the store, the clock and the limiter.
//!
//! # Ideas
//!
//! * A [`Limit`] is checked once, when it is built; afterwards no charge and no instant can make
//!   it panic, overflow or answer wrongly.
//! * A [`State`] holds what was *used*, never what is left, so that a changed limit keeps the
//!   usage: `remaining = max(0, new limit − used)`. Changing a limit's period or algorithm starts
//!   afresh, because such limits do not share an [`id`](Limit::id).
//! * Time is whole microseconds since the Unix epoch ([`Timestamp`]). Where a limit's products
//!   would not fit the integers that every store shares (up to 2^53), the limit counts time in a
//!   coarser [`tick`](Limit::tick), chosen when it is built and the same in every store.
//! * Time moves a state forward only. [`Algorithm`] says what happens when a clock steps back.
//!
//! # The algorithms
//!
//! | algorithm | rule | admitted in any span *t* |
//! |---|---|---|
//! | [`token_bucket`] | up to `burst` at once, refilled continuously | `burst + rate·t` |
//! | [`fixed_window`] | `units` per window | `units` × the windows touched: at most 2 × `units` within a period |
//! | [`sliding_window`] | this window's count plus the weighted previous one | the same for an adversary, about `units` for real traffic |
//! | [`sliding_log`] | an exact log of admissions | `units` in every period of any alignment |
#![no_std]

extern crate alloc;

pub mod fixed_window;
pub mod sliding_log;
pub mod sliding_window;
pub mod token_bucket;

mod algorithm;
mod charge;
mod limit;
mod outcome;
mod state;
#[cfg(test)]
mod testing;
mod time;

pub use algorithm::{Algorithm, Anchor};
pub use charge::Charge;
pub use limit::{
    EffectiveRate, Limit, LimitBuilder, LimitError, LimitErrorKind, LimitId, LimitProblem,
    MAX_UNITS, ParseLimitError,
};
pub use outcome::{Outcome, Verdict};
pub use state::{AlgorithmState, State};
pub use time::{Micros, Timestamp};

/// The examples of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/algorithms.md")]
mod guide {}
