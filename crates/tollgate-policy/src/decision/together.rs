//! A question among others of one call.

use tollgate::{Outcome, Outcomes, Timestamp};

use super::fallback::Fallback;
use super::{Charges, Decision, policy, push_charges};
use crate::{Mode, Policy};

impl Decision {
    /// Appends the same charges, of a question that is asked together with others: its groups of
    /// shadow charges are numbered from `first`.
    pub(crate) fn push_question<'a>(&'a self, first: usize, charges: &mut Charges<'a>) {
        if self.reason.is_allow() {
            let entries = (first..).zip(&self.entries);
            push_charges(self.set.as_deref(), &self.keys, entries, false, charges);
        }
    }

    /// Makes it one that only looks, at whatever matches.
    pub(crate) fn take_no_units(&mut self) {
        for entry in &mut self.entries {
            entry.cost = 0;
        }
    }

    /// How many charges it has in the call that is being made.
    pub(crate) fn asks(&self) -> usize {
        if !self.reason.is_allow() || self.fallback == Fallback::Spared {
            return 0;
        }
        self.entries.iter().map(|entry| entry.charges.len()).sum()
    }

    /// Takes the outcomes of its charges: of the store, or of the local one after so many outages.
    pub(crate) fn take(&mut self, at: Timestamp, outcomes: &[Outcome], local: Option<u64>) {
        let set = self.set.as_deref();
        let counts = self.entries.iter().flat_map(|entry| {
            let mode = policy(set, entry).map(Policy::mode);
            entry
                .charges
                .clone()
                .map(move |_| mode != Some(Mode::Shadow))
        });
        self.outcomes = Some(Outcomes::new(at, outcomes.iter().copied().zip(counts)));
        if let Some(outages) = local {
            self.fallback = Fallback::Decided(outages);
        }
    }
}
