//! What reads of whole boards are kept in.
//!
//! A cache beside a database has a classic fault: a reader loads the old state, a
//! writer changes it and invalidates, and then the reader stores what it loaded,
//! which stays. Here a miss hands the reader a [`Ticket`] of the key's current
//! generation, an invalidation starts a new generation, and a fill with a ticket
//! of an old one is dropped. So once an invalidation has returned, nothing loaded
//! before it is ever served.

mod memory;
mod redis;

use std::fmt::Debug;
use std::pin::Pin;

use axum::body::Bytes;

pub use self::memory::MemoryCache;
pub use self::redis::RedisCache;

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A place for bytes under text keys, that may forget any of them at any time.
///
/// A cache that cannot be reached reports that in the log and acts as an empty one.
pub trait Cache: Debug + Send + Sync {
    /// What is stored under `key`, or the right to fill it.
    fn lookup<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Lookup>;

    /// Stores `value`, loaded after `ticket` was given out, unless `key` was
    /// invalidated since.
    fn fill<'a>(&'a self, key: &'a str, ticket: Ticket, value: Bytes) -> BoxFuture<'a, ()>;

    /// Forgets `key`, and refuses every fill whose ticket is older than this call. A cache that
    /// cannot be reached is told so as soon as it can be.
    fn invalidate<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()>;
}

/// The answer to a lookup.
#[derive(Debug, Clone)]
pub enum Lookup {
    /// It is stored.
    Hit(Bytes),
    /// It is not; load it and fill with this ticket.
    Miss(Ticket),
}

/// The generation of a key at the time of a miss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket(u64);

impl Ticket {
    /// A ticket of the given generation, for those who implement [`Cache`].
    #[must_use]
    pub const fn new(generation: u64) -> Self {
        Self(generation)
    }

    /// The generation.
    #[must_use]
    pub const fn generation(self) -> u64 {
        self.0
    }
}
