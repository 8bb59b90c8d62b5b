//! The store in this process.

use std::collections::HashMap;
use std::sync::Mutex;

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
        let mut states = self
            .states
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
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

impl<C: Clock> Store for MemoryStore<C> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        std::future::ready(self.decide_now(charges)).await
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        let now = self.clock.now();
        let states = self
            .states
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let outcomes: Vec<_> = charges
            .iter()
            .map(|charge| {
                let fresh = State::fresh(charge.limit());
                let state = states.get(&id(charge)).unwrap_or(&fresh);
                let outcome = state.peek(charge.limit(), charge.cost(), now);
                (outcome, charge.shadow().is_none())
            })
            .collect();
        drop(states);
        std::future::ready(Ok(Outcomes::new(now, outcomes))).await
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        let now = self.clock.now();
        for (charge, outcome) in charges.iter().zip(admitted.iter()) {
            let mut states = self
                .states
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            if let Some(state) = states.get_mut(&id(charge)) {
                state.advance(charge.limit(), now);
                state.refund(charge.limit(), charge.cost(), outcome);
            }
        }
        std::future::ready(Ok(())).await
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        let id = (policy.to_owned(), key.to_owned(), limit.id().as_u64());
        let removed = self
            .states
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .remove(&id)
            .is_some();
        std::future::ready(Ok(removed)).await
    }
}
