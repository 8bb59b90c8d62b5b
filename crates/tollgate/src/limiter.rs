//! Limits over a store: what a program without policies needs.

use smallvec::SmallVec;
use tollgate_core::{Charge, Limit};

use crate::{Clock, MemoryStore, Outcomes, Store, StoreError};

/// One or more limits that every key must satisfy, over a store.
#[derive(Clone, Debug)]
pub struct Limiter<S = MemoryStore> {
    store: S,
    name: Box<str>,
    limits: Box<[Limit]>,
}

/// Builds a [`Limiter`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct LimiterBuilder<S> {
    store: S,
    name: Box<str>,
    limits: Vec<Limit>,
}

type Charges<'a> = SmallVec<[Charge<'a>; 4]>;

impl Limiter {
    /// One limit, counted in this process.
    #[must_use]
    pub fn new(limit: Limit) -> Self {
        Self::builder(MemoryStore::default()).limit(limit).build()
    }
}

impl<S> Limiter<S> {
    /// Begins a limiter over `store`.
    pub fn builder(store: S) -> LimiterBuilder<S> {
        LimiterBuilder {
            store,
            name: "".into(),
            limits: Vec::new(),
        }
    }

    /// The store.
    pub const fn store(&self) -> &S {
        &self.store
    }

    fn charges<'a>(&'a self, key: &'a str, cost: u64) -> Charges<'a> {
        self.limits
            .iter()
            .map(|limit| Charge::new(limit, key, cost).of_policy(&self.name))
            .collect()
    }
}

impl<S> LimiterBuilder<S> {
    /// The name under which the store counts, so that limiters with different names can share
    /// one.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Adds a limit: a request must satisfy all of them.
    pub fn limit(mut self, limit: Limit) -> Self {
        self.limits.push(limit);
        self
    }

    /// The limiter.
    #[must_use]
    pub fn build(self) -> Limiter<S> {
        Limiter {
            store: self.store,
            name: self.name,
            limits: self.limits.into_boxed_slice(),
        }
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
        match &*self.limits {
            [limit] => {
                let charge = Charge::new(limit, key, 1).of_policy(&self.name);
                self.store.decide_single(&charge)
            }
            _ => self.store.decide_now(&self.charges(key, 1)),
        }
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

    /// Decides a request.
    ///
    /// # Errors
    ///
    /// If the store could make no decision.
    pub async fn check_cost(&self, key: &str, cost: u64) -> Result<Outcomes, StoreError> {
        self.store.decide(&self.charges(key, cost)).await
    }
}
