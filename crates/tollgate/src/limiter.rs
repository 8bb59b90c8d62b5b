//! Limits over a store: what a program without policies needs.

mod builder;

use smallvec::SmallVec;
use tollgate_core::{Charge, Limit};

pub use builder::{LimiterBuilder, LimiterError};

use crate::{Clock, MemoryStore, Outcomes, Store, StoreError};

/// One or more limits that every key must satisfy, over a store.
///
/// ```
/// use tollgate::{Limiter, MemoryStore};
///
/// let uploads = Limiter::builder(MemoryStore::builder().max_keys(10_000).build())
///     .name("uploads")
///     .limit("5/s burst 20".parse()?)
///     .limit("1000/d sliding-window".parse()?)
///     .build()?;
/// // Both limits or neither: what one denies is not spent in the other.
/// let outcomes = uploads.check_cost_now("user 17", 3)?;
/// assert!(outcomes.is_allowed());
/// assert_eq!(outcomes.deciding().map(|outcome| outcome.remaining), Some(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Keys are told apart byte by byte. A key made of several parts must be put together so that
/// different parts never make the same key; `tollgate-policy` does that.
#[derive(Clone, Debug)]
pub struct Limiter<S = MemoryStore> {
    store: S,
    name: Box<str>,
    limits: Box<[Limit]>,
}

type Charges<'a> = SmallVec<[Charge<'a>; 4]>;

impl Limiter {
    /// One limit, counted in this process, for up to a million keys.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self {
            store: MemoryStore::default(),
            name: "".into(),
            limits: [limit].into(),
        }
    }
}

impl<S> Limiter<S> {
    /// Begins a limiter over `store`.
    pub fn builder(store: S) -> LimiterBuilder<S> {
        LimiterBuilder::new(store)
    }

    /// The store.
    pub const fn store(&self) -> &S {
        &self.store
    }

    /// The limits, in the order of the outcomes.
    #[must_use]
    pub fn limits(&self) -> &[Limit] {
        &self.limits
    }

    fn charges<'a>(&'a self, key: &'a str, cost: u64) -> Charges<'a> {
        self.limits
            .iter()
            .map(|limit| Charge::new(limit, key, cost).of_policy(&self.name))
            .collect()
    }
}

impl<C: Clock> Limiter<MemoryStore<C>> {
    /// Decides a request of cost 1 without awaiting anything.
    ///
    /// # Errors
    ///
    /// See [`MemoryStore::decide_now`].
    #[inline]
    pub fn check_now(&self, key: &str) -> Result<Outcomes, StoreError> {
        self.check_cost_now(key, 1)
    }

    /// Decides a request without awaiting anything.
    ///
    /// # Errors
    ///
    /// See [`MemoryStore::decide_now`].
    #[inline]
    pub fn check_cost_now(&self, key: &str, cost: u64) -> Result<Outcomes, StoreError> {
        match &*self.limits {
            [limit] => {
                let charge = Charge::new(limit, key, cost).of_policy(&self.name);
                self.store.decide_single(&charge)
            }
            _ => self.store.decide_now(&self.charges(key, cost)),
        }
    }

    /// What [`check_now`](Self::check_now) would answer, with the numbers as they stand. Spends
    /// nothing.
    pub fn peek_now(&self, key: &str) -> Outcomes {
        self.store.peek_now(&self.charges(key, 1))
    }

    /// Gives back a request that was admitted with `outcomes`, without awaiting anything: see
    /// [`refund`](Self::refund).
    pub fn refund_now(&self, key: &str, cost: u64, outcomes: &Outcomes) {
        self.store.refund_now(&self.charges(key, cost), outcomes);
    }

    /// Forgets what was counted for a key, and says whether there was anything.
    pub fn reset_now(&self, key: &str) -> bool {
        // Every limit, not only up to the first that was used.
        self.limits.iter().fold(false, |any, limit| {
            self.store.reset_now(limit, &self.name, key) | any
        })
    }
}

impl<S: Store> Limiter<S> {
    /// Decides a request of cost 1.
    ///
    /// # Errors
    ///
    /// If the store could make no decision.
    pub async fn check(&self, key: &str) -> Result<Outcomes, StoreError> {
        self.check_cost(key, 1).await
    }

    /// Decides a request: every limit admits its cost and it is spent, or none is.
    ///
    /// # Errors
    ///
    /// If the store could make no decision.
    pub async fn check_cost(&self, key: &str, cost: u64) -> Result<Outcomes, StoreError> {
        self.store.decide(&self.charges(key, cost)).await
    }

    /// What [`check`](Self::check) would answer, with the numbers as they stand. Spends nothing.
    ///
    /// # Errors
    ///
    /// If the store could not be asked.
    pub async fn peek(&self, key: &str) -> Result<Outcomes, StoreError> {
        self.store.peek(&self.charges(key, 1)).await
    }

    /// Gives back a request that was admitted with `outcomes`: never more than still counts of
    /// it, and nothing once its window has gone. Call it once, with the cost that was admitted: a
    /// second refund, or a larger one, gives back what others have spent on the key.
    ///
    /// # Errors
    ///
    /// If the store could not be asked; the request then stays counted.
    pub async fn refund(
        &self,
        key: &str,
        cost: u64,
        outcomes: &Outcomes,
    ) -> Result<(), StoreError> {
        self.store.refund(&self.charges(key, cost), outcomes).await
    }

    /// Forgets what was counted for a key, and says whether there was anything.
    ///
    /// # Errors
    ///
    /// If the store could not be asked. Some limits may have been reset then.
    pub async fn reset(&self, key: &str) -> Result<bool, StoreError> {
        let mut any = false;
        for limit in &self.limits {
            any |= self.store.reset(limit, &self.name, key).await?;
        }
        Ok(any)
    }
}

#[cfg(test)]
mod tests;
