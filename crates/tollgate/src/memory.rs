//! The store in this process.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tollgate_core::{AlgorithmState, Charge, Limit, State, Verdict};

use crate::{Clock, Outcomes, Store, StoreError, SystemClock};

/// Counts in this process's memory.
#[derive(Debug)]
pub struct MemoryStore<C = SystemClock> {
    clock: C,
    states: Mutex<HashMap<(String, String, u64), State>>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::with_clock(SystemClock::new())
    }
}

impl<C: Clock> MemoryStore<C> {
    /// A store that reads `clock`.
    pub fn with_clock(clock: C) -> Self {
        Self {
            clock,
            states: Mutex::default(),
        }
    }

    /// Decides without awaiting anything: see [`Store::decide`].
    ///
    /// # Errors
    ///
    /// None yet.
    pub fn decide_now(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let now = self.clock.now();
        let mut states = self.lock();
        let mut admit = true;
        for charge in charges {
            let state = states
                .entry(id(charge))
                .or_insert_with(|| State::fresh(charge.limit()));
            state.advance(charge.limit(), now);
            admit &= charge.shadow().is_some()
                || state.verdict(charge.limit(), charge.cost()).is_allow();
        }
        let outcomes = charges.iter().filter_map(|charge| {
            let state = states.get_mut(&id(charge))?;
            let verdict = state.verdict(charge.limit(), charge.cost());
            if admit && verdict == Verdict::Allow {
                state.spend(charge.limit(), charge.cost());
            }
            let outcome = state.outcome(charge.limit(), verdict, charge.cost(), now);
            Some((outcome, charge.shadow().is_none()))
        });
        Ok(Outcomes::new(now, outcomes))
    }
}

fn id(charge: &Charge<'_>) -> (String, String, u64) {
    (
        charge.policy().to_owned(),
        charge.key().to_owned(),
        charge.limit().id().as_u64(),
    )
}

impl<C: Clock> MemoryStore<C> {
    /// Looks without awaiting anything: see [`Store::peek`].
    ///
    /// # Errors
    ///
    /// None yet.
    pub fn peek_now(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let now = self.clock.now();
        let states = self.lock();
        let outcomes = charges.iter().map(|charge| {
            let fresh = State::fresh(charge.limit());
            let state = states.get(&id(charge)).unwrap_or(&fresh);
            let outcome = state.peek(charge.limit(), charge.cost(), now);
            (outcome, charge.shadow().is_none())
        });
        Ok(Outcomes::new(now, outcomes))
    }

    /// Gives back without awaiting anything: see [`Store::refund`].
    pub fn refund_now(&self, charges: &[Charge<'_>], admitted: &Outcomes) {
        let now = self.clock.now();
        let mut states = self.lock();
        for (charge, outcome) in charges.iter().zip(admitted.iter()) {
            if let Some(state) = states.get_mut(&id(charge)) {
                state.advance(charge.limit(), now);
                state.refund(charge.limit(), charge.cost(), outcome);
            }
        }
    }

    /// Forgets without awaiting anything: see [`Store::reset`].
    pub fn reset_now(&self, limit: &Limit, policy: &str, key: &str) -> bool {
        let id = (policy.to_owned(), key.to_owned(), limit.id().as_u64());
        self.lock().remove(&id).is_some()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<(String, String, u64), State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Clock> Store for MemoryStore<C> {
    fn decide(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(self.decide_now(charges))
    }

    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(self.peek_now(charges))
    }

    fn refund(
        &self,
        charges: &[Charge<'_>],
        admitted: &Outcomes,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        self.refund_now(charges, admitted);
        ready(Ok(()))
    }

    fn reset(
        &self,
        limit: &Limit,
        policy: &str,
        key: &str,
    ) -> impl Future<Output = Result<bool, StoreError>> + Send {
        ready(Ok(self.reset_now(limit, policy, key)))
    }
}
