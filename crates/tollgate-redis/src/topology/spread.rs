//! Charges in several slots of a cluster, which no script can decide in one step.
//!
//! First all slots are looked at, at once: if a charge is denied, that is the answer, and nothing was
//! spent. Then the enforced charges are spent slot by slot, in the order of the slots, so that two
//! requests for the last units cannot take half of them each; then each shadow group. What was
//! spent of a request that is not admitted after all, since somebody else was quicker or a server
//! failed, is given back.
//!
//! Looking first costs a round trip. In return those who are denied, again and again perhaps, do
//! not take from others for moments what they will not get, and write nothing.

mod owned;
mod standing;

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use tokio::sync::oneshot;
use tokio::time::Instant;
use tollgate::{Charge, Outcomes, StoreError, StoreErrorKind};

use super::Topology;
use crate::answer;
use crate::call::Call;
use crate::request::{Operation, Request, Time};
pub(crate) use owned::{Owned, own};
use standing::{Spent, Standing};

/// What runs calls, each with the keys of one slot.
pub(crate) trait Calls: Send + Sync + 'static {
    fn call(
        &self,
        call: &Call,
        timeout: Duration,
    ) -> impl Future<Output = Result<Vec<u64>, StoreError>> + Send;
}

impl Calls for Topology {
    fn call(
        &self,
        call: &Call,
        timeout: Duration,
    ) -> impl Future<Output = Result<Vec<u64>, StoreError>> + Send {
        Self::call(self, call, timeout)
    }
}

/// A store's way to its servers.
pub(crate) struct Spread<C> {
    pub(crate) calls: Arc<C>,
    pub(crate) prefix: String,
    pub(crate) time: Time,
    /// For all calls of a decision together.
    pub(crate) timeout: Duration,
}

impl<C: Calls> Spread<C> {
    /// Decides charges of several slots.
    pub(crate) async fn decide(self, charges: Vec<Owned>) -> Result<Outcomes, StoreError> {
        let ends = Instant::now() + self.timeout;
        let looked = self.all_slots(Operation::Look, &charges, ends).await?;
        let outcomes = looked.outcomes(&charges);
        if !outcomes.is_allowed() {
            return Ok(outcomes);
        }
        // A task of its own, so that what was spent is given back if the caller goes away.
        let (answer, answered) = oneshot::channel();
        tokio::spawn(async move {
            let mut standing = looked;
            let result = self.spend(&charges, &mut standing, ends).await;
            let result = result.map(|()| standing.outcomes(&charges));
            let is_admitted = result.as_ref().is_ok_and(Outcomes::is_allowed);
            let nobody_waits = answer.send(result).is_err();
            if !is_admitted || nobody_waits {
                self.give_back(&charges, standing.into_spent()).await;
            }
        });
        answered.await.unwrap_or_else(|_| {
            Err(StoreError::new(
                StoreErrorKind::Unavailable,
                "the runtime that asks redis has ended",
            ))
        })
    }

    /// What `decide` would answer.
    pub(crate) async fn peek(self, charges: Vec<Owned>) -> Result<Outcomes, StoreError> {
        let ends = Instant::now() + self.timeout;
        let looked = self.all_slots(Operation::Peek, &charges, ends).await?;
        Ok(looked.outcomes(&charges))
    }

    /// Gives back what was spent of charges of several slots, in all of them at once.
    pub(crate) async fn refund(
        self,
        charges: Vec<Owned>,
        admitted: &Outcomes,
    ) -> Result<(), StoreError> {
        let lent: Vec<Charge<'_>> = charges.iter().map(Owned::charge).collect();
        let spent = lent
            .iter()
            .zip(admitted.iter())
            .enumerate()
            .filter(|(index, (charge, _))| charge.cost() > 0 && admitted.spent(&lent, *index))
            .map(|(index, (_, outcome))| (index, *outcome))
            .collect();
        self.refund_all(&charges, spent).await
    }

    /// Spends the enforced charges, and if all of them are admitted, the shadow groups.
    async fn spend(
        &self,
        charges: &[Owned],
        standing: &mut Standing,
        ends: Instant,
    ) -> Result<(), StoreError> {
        for group in owned::groups(charges) {
            if owned::meets_earlier(charges, group) {
                // What the groups before have spent counts for this one too.
                for slot in owned::by_slot(charges, &owned::of_group(charges, group)) {
                    let answer = self.ask(Operation::Look, charges, &slot, ends).await?;
                    standing.learn(&slot, &answer);
                }
            }
            let is_spent = self.spend_group(charges, group, standing, ends).await?;
            if group.is_none() && !is_spent {
                break;
            }
        }
        Ok(())
    }

    /// Spends the charges of one group, or none of them.
    async fn spend_group(
        &self,
        charges: &[Owned],
        group: Option<u16>,
        standing: &mut Standing,
        ends: Instant,
    ) -> Result<bool, StoreError> {
        let members = owned::of_group(charges, group);
        if !standing.admits(&members) {
            return Ok(false);
        }
        let before = standing.clone();
        for slot in owned::by_slot(charges, &members) {
            if owned::only_looks(charges, &slot) {
                continue;
            }
            let answer = self.ask(Operation::Decide, charges, &slot, ends).await?;
            if answer.iter().all(|outcome| outcome.verdict.is_allow()) {
                standing.spend(&slot, &answer);
                continue;
            }
            // Somebody was quicker. The others read as if nothing had been spent.
            let spent = standing.go_back_to(before);
            standing.learn(&slot, &answer);
            self.give_back(charges, spent).await;
            return Ok(false);
        }
        Ok(true)
    }

    /// Asks all slots at once, none of which spends anything.
    async fn all_slots(
        &self,
        operation: Operation,
        charges: &[Owned],
        ends: Instant,
    ) -> Result<Standing, StoreError> {
        let everything: Vec<usize> = (0..charges.len()).collect();
        let slots = owned::by_slot(charges, &everything);
        let asking = slots
            .iter()
            .map(|slot| self.ask(operation, charges, slot, ends));
        let answers = try_join_all(asking).await?;
        let mut standing = Standing::default();
        for (slot, answer) in slots.iter().zip(&answers) {
            standing.learn(slot, answer);
        }
        Ok(standing)
    }

    /// Asks one slot about some of the charges.
    async fn ask(
        &self,
        operation: Operation,
        charges: &[Owned],
        members: &[usize],
        ends: Instant,
    ) -> Result<Outcomes, StoreError> {
        let members = members.iter().filter_map(|index| charges.get(*index));
        let members: Vec<Charge<'_>> = members.map(Owned::charge).collect();
        let request = Request::deciding(operation, &self.prefix, &members);
        let call = request.call(self.time)?;
        let left = ends.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(StoreError::new(
                StoreErrorKind::Timeout,
                "redis did not answer for all slots in time",
            ));
        }
        answer::outcomes(&request, &self.calls.call(&call, left).await?)
    }

    /// Gives back as far as that works: what cannot be given back counts until its time has gone.
    async fn give_back(&self, charges: &[Owned], spent: Vec<Spent>) {
        // Nobody could do anything about an error, nor try again: it may have been run.
        let _ = self.refund_all(charges, spent).await;
    }

    async fn refund_all(&self, charges: &[Owned], spent: Vec<Spent>) -> Result<(), StoreError> {
        let indices: Vec<usize> = spent.iter().map(|(index, _)| *index).collect();
        let slots = owned::by_slot(charges, &indices);
        let refunding = slots.iter().map(|slot| {
            let members = spent.iter().filter(|(index, _)| slot.contains(index));
            self.refund_one(charges, members.copied().collect())
        });
        // All are tried, whatever becomes of some.
        join_all(refunding).await.into_iter().collect()
    }

    async fn refund_one(&self, charges: &[Owned], spent: Vec<Spent>) -> Result<(), StoreError> {
        let spent = spent.into_iter();
        let (members, outcomes): (Vec<_>, Vec<_>) = spent
            .filter_map(|(index, outcome)| Some((charges.get(index)?.enforced(), (outcome, true))))
            .unzip();
        let Some((latest, _)) = outcomes.iter().max_by_key(|(outcome, _)| outcome.at) else {
            return Ok(());
        };
        let admitted = Outcomes::new(latest.at, outcomes.iter().copied());
        let Some(request) = Request::refunding(&self.prefix, &members, &admitted) else {
            return Ok(());
        };
        let call = request.call(self.time)?;
        self.calls.call(&call, self.timeout).await.map(drop)
    }
}

#[cfg(test)]
mod tests;
