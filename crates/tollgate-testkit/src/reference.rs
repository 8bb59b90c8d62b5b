//! The store that says what other stores must answer.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tollgate::{Clock, Outcomes, Store, StoreError};
use tollgate_core::{AlgorithmState, Charge, Limit, Outcome, State, Timestamp, Verdict};

/// A store without a thought for speed or memory: one lock, one map, no key ever dropped.
///
/// What a store must do where its trait leaves a choice:
///
/// * **Order.** Enforced charges first, in their order; then shadow groups, each at its first
///   charge. A charge sees the cost of earlier charges of the same decision with the same policy,
///   key and limit id, if those are enforced, of the same group, or spent.
/// * **Duplicates.** Seeing an earlier charge means being judged for the sum of both costs on the
///   state as it stood. So the second of two charges that can never fit together gets
///   [`Verdict::Never`], and the wait of a denied one is true for the whole request.
/// * **Numbers.** The outcome of a spent charge shows its state right after that charge; of one
///   that was not spent, the state as it stood.
/// * **Time.** `decide` stores a state that it spends from, and one that went back with the clock;
///   a denial stores nothing else, which shows only if the clock steps back later. `refund` stores
///   the state at its instant. `peek` and charges of cost 0 store nothing.
/// * **Nothing counts.** A state that has become as if never used is the same as none, so a store
///   may drop it. `reset` is true if the state still counts at that instant.
#[derive(Debug)]
pub struct ReferenceStore<C> {
    clock: C,
    states: Mutex<States>,
}

type Id = (String, String, u64);
type States = HashMap<Id, State>;

impl<C: Clock> ReferenceStore<C> {
    /// An empty store that reads `clock`, once a call.
    pub fn new(clock: C) -> Self {
        Self {
            clock,
            states: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn decide_now(&self, charges: &[Charge<'_>]) -> Outcomes {
        let now = self.clock.now();
        let mut states = self.lock();
        decide(&mut states, charges, now, true)
    }

    fn decide_with_states_now(&self, charges: &[Charge<'_>]) -> (Outcomes, Vec<State>) {
        let now = self.clock.now();
        let mut states = self.lock();
        let outcomes = decide(&mut states, charges, now, true);
        let stand = |charge| at(&states, charge, now).0;
        let told = if outcomes.is_allowed() {
            Vec::new()
        } else {
            charges.iter().map(stand).collect()
        };
        (outcomes, told)
    }

    fn peek_now(&self, charges: &[Charge<'_>]) -> Outcomes {
        let now = self.clock.now();
        let mut states = self.lock().clone();
        decide(&mut states, charges, now, false)
    }

    fn refund_now(&self, charges: &[Charge<'_>], admitted: &Outcomes) {
        if !admitted.is_allowed() {
            return;
        }
        let now = self.clock.now();
        let mut states = self.lock();
        for (charge, outcome) in charges.iter().zip(admitted.iter()) {
            let was_spent = charges
                .iter()
                .zip(admitted.iter())
                .filter(|(other, _)| other.shadow() == charge.shadow())
                .all(|(_, outcome)| outcome.verdict.is_allow());
            if was_spent
                && charge.cost() > 0
                && let Some(state) = states.get_mut(&id(charge))
            {
                state.advance(charge.limit(), now);
                state.refund(charge.limit(), charge.cost(), outcome);
            }
        }
    }

    fn reset_now(&self, limit: &Limit, policy: &str, key: &str) -> bool {
        let now = self.clock.now();
        let id = (policy.to_owned(), key.to_owned(), limit.id().as_u64());
        self.lock().remove(&id).is_some_and(|mut state| {
            state.advance(limit, now);
            state.fresh_at(limit) > now
        })
    }
}

fn id(charge: &Charge<'_>) -> Id {
    let limit = charge.limit().id().as_u64();
    (charge.policy().to_owned(), charge.key().to_owned(), limit)
}

/// Decides all charges at `now`, and spends them in `states` if told to.
fn decide(states: &mut States, charges: &[Charge<'_>], now: Timestamp, spends: bool) -> Outcomes {
    let mut groups = vec![None];
    for charge in charges {
        if !groups.contains(&charge.shadow()) {
            groups.push(charge.shadow());
        }
    }
    let mut outcomes: Vec<Option<Outcome>> = vec![None; charges.len()];
    let mut enforced_are_admitted = true;
    for group in groups {
        let members = || {
            charges
                .iter()
                .enumerate()
                .filter(|(_, charge)| charge.shadow() == group)
        };
        let verdicts: Vec<Verdict> = members()
            .map(|(index, charge)| {
                let earlier = members()
                    .take_while(|(other, _)| *other < index)
                    .filter(|(_, other)| id(other) == id(charge))
                    .map(|(_, other)| other.cost())
                    .fold(0, u64::saturating_add);
                verdict(states, charge, earlier, now)
            })
            .collect();
        let are_admitted = verdicts.iter().all(|verdict| verdict.is_allow());
        if group.is_none() {
            enforced_are_admitted = are_admitted;
        }
        let mut earlier: HashMap<Id, u64> = HashMap::new();
        for ((index, charge), verdict) in members().zip(verdicts) {
            let limit = charge.limit();
            let (mut state, moved_back) = at(states, charge, now);
            let cost = charge.cost();
            if spends && moved_back && cost > 0 {
                states.insert(id(charge), state.clone());
            }
            let before = earlier.entry(id(charge)).or_default();
            let asked = before.saturating_add(cost);
            *before = asked;
            let outcome = if spends && are_admitted && enforced_are_admitted && cost > 0 {
                state.spend(limit, cost);
                let outcome = state.outcome(limit, verdict, cost, now);
                states.insert(id(charge), state);
                outcome
            } else {
                state.outcome(limit, verdict, asked, now)
            };
            if let Some(slot) = outcomes.get_mut(index) {
                *slot = Some(outcome);
            }
        }
    }
    let counts = charges.iter().map(|charge| charge.shadow().is_none());
    Outcomes::new(now, outcomes.into_iter().flatten().zip(counts))
}

/// The state at `now`, and whether it went back with the clock.
fn at(states: &States, charge: &Charge<'_>, now: Timestamp) -> (State, bool) {
    let mut state = states
        .get(&id(charge))
        .cloned()
        .unwrap_or_else(|| State::fresh(charge.limit()));
    let moved_back = state.advance(charge.limit(), now);
    (state, moved_back)
}

fn verdict(states: &States, charge: &Charge<'_>, earlier: u64, now: Timestamp) -> Verdict {
    if charge.cost() == 0 {
        return Verdict::Allow;
    }
    let asked = earlier.saturating_add(charge.cost());
    at(states, charge, now).0.verdict(charge.limit(), asked)
}

impl<C: Clock> Store for ReferenceStore<C> {
    async fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        Ok(self.decide_now(charges))
    }

    async fn decide_with_states(
        &self,
        charges: &[Charge<'_>],
    ) -> Result<(Outcomes, Vec<State>), StoreError> {
        Ok(self.decide_with_states_now(charges))
    }

    async fn peek(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        Ok(self.peek_now(charges))
    }

    async fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) -> Result<(), StoreError> {
        self.refund_now(charges, admitted);
        Ok(())
    }

    async fn reset(&self, limit: &Limit, policy: &str, key: &str) -> Result<bool, StoreError> {
        Ok(self.reset_now(limit, policy, key))
    }
}
