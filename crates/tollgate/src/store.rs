//! Where state lives and charges are decided.

use std::sync::Arc;

use tollgate_core::{Charge, Limit, State};

use crate::{Outcomes, StoreError};

/// Where state lives, and where the charges of a request are decided in one atomic step.
///
/// All stores decide alike: the same charges at the same instants give the same outcomes. An error
/// means that no decision could be made; a denial is a value.
///
/// A request waits for its store. One that may be slow, or away, belongs into an `OutageGuard`
/// (with the feature `outage`), which cuts it off.
pub trait Store: Send + Sync + 'static {
    /// Decides all charges in one atomic step: every one that is not in shadow is admitted and
    /// spent, or none is. Shadow charges are spent by groups, and only if the others are admitted.
    ///
    /// Two charges with the same policy, key and limit id are counted one after the other.
    fn decide(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send;

    /// Decides as [`decide`](Self::decide) does if that takes no waiting, so that the caller needs
    /// no future. `None`, the default, if it might take some: then nothing was charged, and
    /// `decide` is to be asked.
    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        let _ = charges;
        None
    }

    /// Decides as [`decide`](Self::decide) does and, if the decision was a denial, tells beside it
    /// the state of each charge's count as it stands, in the order of the charges: what a
    /// [`DenialCache`](crate::DenialCache) needs to answer for limits that have something left. No
    /// states at all, the default, if the store cannot tell them.
    fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<(Outcomes, Vec<State>), StoreError>> + Send {
        async { Ok((self.decide(charges).await?, Vec::new())) }
    }

    /// What [`decide`](Self::decide) would answer, with the numbers as they stand without the
    /// charges. Writes nothing.
    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send;

    /// Gives back charges that were admitted with the outcomes `admitted`: never more than still
    /// counts of them, and nothing once their window has gone. Charges that were not admitted
    /// are passed over.
    ///
    /// Call it once for a decision, with the same charges: a store does not know who spent what,
    /// and a second refund, or one of a larger cost, gives back what others have spent. With
    /// [`Outcome::ANY_ADMISSION`](tollgate_core::Outcome::ANY_ADMISSION) for an outcome that is what
    /// is asked for: the latest units that count are given back, whoever spent them.
    fn refund(
        &self,
        charges: &[Charge<'_>],
        admitted: &Outcomes,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Forgets what one limit has counted for one key of a policy, and says whether there was
    /// anything.
    fn reset(
        &self,
        limit: &Limit,
        policy: &str,
        key: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Finds out whether the store would decide now, writing nothing: what is asked again and
    /// again while the store is thought to be away. The default looks at no charges at all. A store
    /// that spares a server that is away by not connecting too often should try for a probe, whose
    /// sender waits long enough between two of them.
    ///
    /// # Errors
    ///
    /// If it would not.
    fn probe(&self) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { self.peek(&[]).await.map(drop) }
    }

    /// How many outages have ended since the store was made, if it is guarded: whoever counts
    /// elsewhere during an outage forgets those counts when this has moved. A store around another
    /// passes it on.
    fn outages(&self) -> u64 {
        0
    }
}

impl<S: Store> Store for Arc<S> {
    fn decide(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        S::decide(self, charges)
    }

    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        S::decide_at_once(self, charges)
    }

    fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<(Outcomes, Vec<State>), StoreError>> + Send {
        S::decide_with_states(self, charges)
    }

    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        S::peek(self, charges)
    }

    fn refund(
        &self,
        charges: &[Charge<'_>],
        admitted: &Outcomes,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        S::refund(self, charges, admitted)
    }

    fn reset(
        &self,
        limit: &Limit,
        policy: &str,
        key: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        S::reset(self, limit, policy, key)
    }

    fn probe(&self) -> impl Future<Output = Result<(), StoreError>> + Send {
        S::probe(self)
    }

    fn outages(&self) -> u64 {
        S::outages(self)
    }
}
