//! Policies over a store.

mod give_back;
mod local;
mod matching;
mod peek;
mod question;
mod reset;
mod together;

pub use question::Question;
pub use reset::{ResetError, ResetErrorKind};

use std::sync::{Arc, OnceLock};

use tollgate::{Clock, MemoryStore, Store, StoreError};

use crate::decision::Charges;
use crate::observe::Observer;
use crate::{Attributes, Decision, PolicySet, Undecided};
use local::Local;

/// Decides requests by policies, over a store. Clones share both.
///
/// ```
/// use tollgate::MemoryStore;
/// use tollgate_policy::{AttributeMap, Count, Policy, PolicyLimiter, PolicySet, Reason, Statuses};
///
/// let login = Policy::builder("login")
///     .key("client.ip")
///     .limit("1/min fixed-window".parse()?)
///     .count(Count::Failures(Statuses::of([401])));
/// let limiter = PolicyLimiter::new(PolicySet::new([login.build()?])?, MemoryStore::default());
/// let request = AttributeMap::new().with_client_ip("198.51.100.7".parse()?);
///
/// let decision = limiter.decide_now(&request);
/// limiter.settle_now(&decision, 200); // the right password: given back
/// let decision = limiter.decide_now(&request);
/// limiter.settle_now(&decision, 401); // a wrong one: counted
/// assert_eq!(limiter.decide_now(&request).reason(), Reason::LimitExceeded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PolicyLimiter<S = MemoryStore> {
    set: Arc<PolicySet>,
    store: Arc<S>,
    /// There from the start if a policy may need it. Shared by all that come from one limiter.
    local: Arc<OnceLock<Local>>,
    observer: Arc<Observer>,
}

impl<S> Clone for PolicyLimiter<S> {
    fn clone(&self) -> Self {
        Self {
            set: Arc::clone(&self.set),
            store: Arc::clone(&self.store),
            local: Arc::clone(&self.local),
            observer: Arc::clone(&self.observer),
        }
    }
}

impl<S> PolicyLimiter<S> {
    /// Policies over a store, which may be shared by an [`Arc`].
    pub fn new(set: impl Into<Arc<PolicySet>>, store: impl Into<Arc<S>>) -> Self {
        let set = set.into();
        Self {
            observer: Arc::new(Observer::of(&set)),
            set,
            store: store.into(),
            local: Arc::default(),
        }
        .ready()
    }

    /// Counts in a store of one's own for policies whose requests are decided in this process when
    /// the store makes no decision ([`OnStoreFailure::Local`]). It takes the place of the one that
    /// is made by itself, for up to 100 000 keys and 16 MiB of sliding logs. What was counted
    /// there is dropped when [`Store::outages`] says that an outage has ended. Bring it in an [`Arc`]
    /// to see how full it is.
    ///
    /// [`OnStoreFailure::Local`]: crate::OnStoreFailure::Local
    #[must_use]
    pub fn with_local_store<C: Clock>(self, store: impl Into<Arc<MemoryStore<C>>>) -> Self {
        Self {
            local: Arc::new(OnceLock::from(Local::new(store.into()))),
            ..self
        }
    }

    /// Other policies over the same store. What was used is kept where the name of a policy, its
    /// key, and a limit's algorithm and period are the same; for a token bucket of a tier also the
    /// tier's number. That holds for what was counted in this process too.
    #[must_use]
    pub fn with_policies(&self, set: impl Into<Arc<PolicySet>>) -> Self {
        let set = set.into();
        Self {
            observer: Arc::new(Observer::of(&set)),
            set,
            store: Arc::clone(&self.store),
            local: Arc::clone(&self.local),
        }
        .ready()
    }

    /// Makes the local store, if a policy may need it.
    fn ready(self) -> Self {
        if self.set.may_decide_locally() {
            self.local();
        }
        self
    }

    fn local(&self) -> &Local {
        self.local.get_or_init(Local::default)
    }

    /// The policies.
    #[must_use]
    pub fn policies(&self) -> &PolicySet {
        &self.set
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &S {
        &self.store
    }
}

impl<S: Store> PolicyLimiter<S> {
    /// Decides a request: asks the store once, or not at all if nothing is to be counted.
    ///
    /// Never fails: when the store makes no decision, each policy's
    /// [`on_store_failure`](crate::PolicyBuilder::on_store_failure) decides. The request is read
    /// before this function returns, so that the future does not hold on to it.
    pub fn decide<'s, A: Attributes + ?Sized>(
        &'s self,
        request: &A,
    ) -> impl Future<Output = Decision> + Send + use<'s, S, A> {
        let mut begun = Decision::default();
        self.begin(request, &mut begun);
        async move {
            self.ask(&mut begun).await;
            begun
        }
    }

    /// Decides a request like [`decide`](Self::decide), if that takes no waiting: if nothing is to
    /// be counted, or the store [decides at once](Store::decide_at_once). The decision is large,
    /// and made where it is to stay.
    ///
    /// # Errors
    ///
    /// If the store might have to be waited for. Nothing was charged then;
    /// [`decide_later`](Self::decide_later) waits.
    pub fn decide_at_once<A: Attributes + ?Sized>(
        &self,
        request: &A,
    ) -> Result<Arc<Decision>, Undecided> {
        let mut shared = Arc::<Decision>::default();
        // Nobody shares it yet, so that this copies nothing.
        let begun = Arc::make_mut(&mut shared);
        self.begin(request, begun);
        if self.ask_at_once(begun) {
            Ok(shared)
        } else {
            Err(Undecided::new(shared))
        }
    }

    /// Matches a request against the policies and asks nothing yet: [`decide_later`] does, in a
    /// future that need not hold on to the request.
    ///
    /// [`decide_later`]: Self::decide_later
    pub fn matching<A: Attributes + ?Sized>(&self, request: &A) -> Undecided {
        let mut shared = Arc::<Decision>::default();
        // Nobody shares it yet, so that this copies nothing.
        self.begin(request, Arc::make_mut(&mut shared));
        Undecided::new(shared)
    }

    /// Decides a request that could not be decided at once.
    pub fn decide_later(
        &self,
        undecided: Undecided,
    ) -> impl Future<Output = Arc<Decision>> + Send + use<'_, S> {
        let mut shared = undecided.into_begun();
        async move {
            self.ask(Arc::make_mut(&mut shared)).await;
            shared
        }
    }

    /// Asks a store that need not be waited for; false if it must be, and then it was not asked.
    #[inline]
    fn ask_at_once(&self, begun: &mut Decision) -> bool {
        let mut charges = Charges::new();
        let outcomes = begun.question(&mut charges);
        let count = charges.len();
        if count > 0 {
            match self.store.decide_at_once(&charges) {
                Some(answer) => *outcomes = answer.ok(),
                None => return false,
            }
        }
        drop(charges);
        self.conclude(begun, count);
        true
    }

    async fn ask(&self, begun: &mut Decision) {
        let mut charges = Charges::new();
        let outcomes = begun.question(&mut charges);
        let count = charges.len();
        if count > 0 {
            *outcomes = self.store.decide(&charges).await.ok();
        }
        drop(charges);
        self.conclude(begun, count);
    }

    /// Ends a decision when the store has answered so many charges, or has not.
    #[inline]
    fn conclude(&self, begun: &mut Decision, charges: usize) {
        if !begun.is_answered(charges) {
            self.fall_back(&mut [begun]);
        }
        begun.conclude();
        self.observe(begun);
    }

    /// What was only looked at is nobody's request, unless it was asked together with others.
    #[inline]
    fn observe(&self, decision: &Decision) {
        let is_in_force = |set| Arc::ptr_eq(set, &self.set);
        self.observer
            .decided(decision, decision.set.as_ref().is_none_or(is_in_force));
    }

    /// Gives back what a decision has spent for policies that count failures only, if the response
    /// turns out to be none: see [`Count::Failures`](crate::Count::Failures). Call it once, when
    /// the response's status is known. Does nothing for other decisions.
    ///
    /// # Errors
    ///
    /// If the store could not give back; the request stays counted.
    pub async fn settle(&self, decision: &Decision, status: u16) -> Result<(), StoreError> {
        match decision.refunds(status) {
            Some((charges, admitted)) => match decision.decided_locally_after() {
                Some(outages) => {
                    self.local().refund(outages, &charges, &admitted);
                    Ok(())
                }
                None => self.store.refund(&charges, &admitted).await,
            },
            None => Ok(()),
        }
    }
}

impl<C: Clock> PolicyLimiter<MemoryStore<C>> {
    /// Decides a request without awaiting anything: see [`decide`](Self::decide).
    pub fn decide_now<A: Attributes + ?Sized>(&self, request: &A) -> Decision {
        let mut begun = Decision::default();
        self.begin(request, &mut begun);
        // A store in memory need not be waited for.
        self.ask_at_once(&mut begun);
        begun
    }

    /// Settles without awaiting anything: see [`settle`](Self::settle).
    pub fn settle_now(&self, decision: &Decision, status: u16) {
        if let Some((charges, admitted)) = decision.refunds(status) {
            match decision.decided_locally_after() {
                Some(outages) => self.local().refund(outages, &charges, &admitted),
                None => self.store.refund_now(&charges, &admitted),
            }
        }
    }
}

#[cfg(test)]
mod tests;
