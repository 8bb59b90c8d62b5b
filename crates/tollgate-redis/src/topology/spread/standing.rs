//! What is known of a decision on its way.

use std::collections::BTreeMap;

use tollgate::{Outcome, Outcomes, Timestamp};

use super::Owned;

/// The position of a charge that was spent, and its outcome.
pub(super) type Spent = (usize, Outcome);

/// The last outcome of each charge, and which of them were spent.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    outcomes: BTreeMap<usize, Outcome>,
    spent: Vec<Spent>,
    at: Timestamp,
}

impl Standing {
    /// Takes over the outcomes of some charges.
    pub(super) fn learn(&mut self, members: &[usize], answer: &Outcomes) {
        let outcomes = members.iter().copied().zip(answer.iter().copied());
        self.outcomes.extend(outcomes);
        self.at = self.at.max(answer.at());
    }

    /// Takes over the outcomes of charges that were spent.
    pub(super) fn spend(&mut self, members: &[usize], answer: &Outcomes) {
        self.learn(members, answer);
        let spent = members.iter().copied().zip(answer.iter().copied());
        self.spent.extend(spent);
    }

    /// Forgets what has happened since, and tells what was spent by it.
    pub(super) fn go_back_to(&mut self, before: Self) -> Vec<Spent> {
        let spent = self.spent.split_off(before.spent.len());
        *self = before;
        spent
    }

    pub(super) fn admits(&self, members: &[usize]) -> bool {
        let mut outcomes = members.iter().map(|index| self.outcomes.get(index));
        outcomes.all(|outcome| outcome.is_some_and(|outcome| outcome.verdict.is_allow()))
    }

    /// What has been spent so far.
    pub(super) fn into_spent(self) -> Vec<Spent> {
        self.spent
    }

    pub(super) fn outcomes(&self, charges: &[Owned]) -> Outcomes {
        let outcomes = self.outcomes.iter().filter_map(|(index, outcome)| {
            let counts = charges.get(*index)?.shadow().is_none();
            Some((*outcome, counts))
        });
        Outcomes::new(self.at, outcomes)
    }
}
