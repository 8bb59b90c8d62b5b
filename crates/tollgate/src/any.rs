//! A store that is chosen at run time.

use std::any::type_name;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use tollgate_core::{Charge, Limit, State};

use crate::{Outcomes, Store, StoreError};

/// Any store, without its type: for a program whose configuration says where counts live. Clones
/// share it.
///
/// ```
/// use tollgate::{AnyStore, Limiter, MemoryStore};
///
/// # async fn example(shared: Option<AnyStore>) -> Result<(), Box<dyn std::error::Error>> {
/// let store = shared.unwrap_or_else(|| AnyStore::new(MemoryStore::default()));
/// let limiter = Limiter::builder(store).limit("10/min".parse()?).build()?;
/// assert!(limiter.check("198.51.100.7").await?.is_allowed());
/// # Ok(())
/// # }
/// ```
///
/// A call that must be waited for allocates its future; a decision that the store within makes
/// [at once](Store::decide_at_once) does not.
#[derive(Clone)]
pub struct AnyStore(Arc<dyn Erased>);

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

type WithStates = (Outcomes, Vec<State>);

impl AnyStore {
    /// A store without its type. A store that others use too comes in an [`Arc`].
    pub fn new(store: impl Store) -> Self {
        Self(Arc::new(store))
    }
}

/// [`Store`], in the form that a pointer can have.
trait Erased: Send + Sync {
    fn name(&self) -> &'static str;
    fn decide<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, Outcomes>;
    fn decide_with_states<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, WithStates>;
    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>>;
    fn peek<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, Outcomes>;
    fn refund<'a>(&'a self, charges: &'a [Charge<'a>], admitted: &'a Outcomes) -> Answer<'a, ()>;
    fn reset<'a>(&'a self, limit: &'a Limit, policy: &'a str, key: &'a str) -> Answer<'a, bool>;
    fn probe(&self) -> Answer<'_, ()>;
    fn outages(&self) -> u64;
}

impl<S: Store> Erased for S {
    fn name(&self) -> &'static str {
        type_name::<S>()
    }

    fn decide<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, Outcomes> {
        Box::pin(S::decide(self, charges))
    }

    fn decide_with_states<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, WithStates> {
        Box::pin(S::decide_with_states(self, charges))
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        S::decide_at_once(self, charges)
    }

    fn peek<'a>(&'a self, charges: &'a [Charge<'a>]) -> Answer<'a, Outcomes> {
        Box::pin(S::peek(self, charges))
    }

    fn refund<'a>(&'a self, charges: &'a [Charge<'a>], admitted: &'a Outcomes) -> Answer<'a, ()> {
        Box::pin(S::refund(self, charges, admitted))
    }

    fn reset<'a>(&'a self, limit: &'a Limit, policy: &'a str, key: &'a str) -> Answer<'a, bool> {
        Box::pin(S::reset(self, limit, policy, key))
    }

    fn probe(&self) -> Answer<'_, ()> {
        Box::pin(S::probe(self))
    }

    fn outages(&self) -> u64 {
        S::outages(self)
    }
}

impl Store for AnyStore {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        match self.0.decide_at_once(charges) {
            Some(answer) => answer,
            None => self.0.decide(charges).await,
        }
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        self.0.decide_with_states(charges).await
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        self.0.decide_at_once(charges)
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.0.peek(charges).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.0.refund(charges, admitted).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        self.0.reset(limit, policy, key).await
    }

    async fn probe(&self) -> Result<(), StoreError> {
        self.0.probe().await
    }

    fn outages(&self) -> u64 {
        self.0.outages()
    }
}

/// The type of the store, and not what it holds.
impl fmt::Debug for AnyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyStore({})", self.0.name())
    }
}
