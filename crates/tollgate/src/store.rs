//! Where state lives and charges are decided.

use std::sync::Arc;

use tollgate_core::{Charge, Limit, State};

use crate::{Outcomes, StoreError};

/// Where state lives, and where the charges of a request are decided in one atomic step.
///
/// All stores decide alike: the same charges at the same instants give the same outcomes. An error
/// means that no decision could be made; a denial is a value.
///
/// A store must answer, or fail with [`Timeout`](crate::StoreErrorKind::Timeout), within a time
/// that its users can bear: nothing around it cuts it off, and a request waits for it.
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
    /// and a second refund, or one of a larger cost, gives back what others have spent.
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
}
