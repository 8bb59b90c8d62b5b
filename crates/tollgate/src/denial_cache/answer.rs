//! What can be answered without the store.

use smallvec::SmallVec;
use tollgate_core::{Charge, Timestamp};

use super::entry::{Entry, are_together};
use super::known::Units;
use super::{DenialCache, Few};
use crate::Outcomes;

impl<S, C> DenialCache<S, C> {
    /// The denial that the store is certain to answer at `now` of the cache's clock; `None` if it
    /// would admit, or could.
    #[inline]
    pub(super) fn answer(
        &self,
        charges: &[Charge<'_>],
        now: Timestamp,
        is_last_resort: bool,
    ) -> Option<Outcomes> {
        match charges {
            [charge] => self.answer_one(charge, now, is_last_resort),
            _ => self.answer_all(charges, now, is_last_resort),
        }
    }

    #[inline]
    fn answer_one(
        &self,
        charge: &Charge<'_>,
        now: Timestamp,
        is_last_resort: bool,
    ) -> Option<Outcomes> {
        let entry = self.entry(charge, now, is_last_resort)?;
        if !entry.frozen || charge.shadow().is_some() {
            return None;
        }
        let at = entry.store_instant(now, self.validity);
        let units = Units::of(charge, []);
        let outcome = entry.known.outcome(charge.limit(), units, at)?;
        (!outcome.verdict.is_allow()).then(|| Outcomes::one(outcome, true))
    }

    fn answer_all(
        &self,
        charges: &[Charge<'_>],
        now: Timestamp,
        is_last_resort: bool,
    ) -> Option<Outcomes> {
        let mut entries: Few<Entry> = SmallVec::new();
        for charge in charges {
            entries.push(self.entry(charge, now, is_last_resort)?);
        }
        let all = || charges.iter().zip(&entries);
        let is_certain = |charge: &Charge<'_>, entry: &Entry| {
            entry.frozen
                || all().any(|(other, guard)| are_together(other, charge) && guard.guards(entry))
        };
        if !all().all(|(charge, entry)| is_certain(charge, entry)) {
            return None;
        }
        // The store's clock has reached each of these instants.
        let instants = entries
            .iter()
            .map(|entry| entry.store_instant(now, self.validity));
        let at = instants.max()?;
        let mut answer = Outcomes::new(at, []);
        for (index, (charge, entry)) in all().enumerate() {
            let same_count = |(other, earlier): &(&Charge<'_>, &Entry)| {
                earlier.identity == entry.identity && other.shadow() == charge.shadow()
            };
            let earlier = all().take(index).filter(same_count).map(|(other, _)| other);
            let units = Units::of(charge, earlier);
            let outcome = entry.known.outcome(charge.limit(), units, at)?;
            answer.push(outcome, charge.shadow().is_none());
        }
        // Otherwise something would have to be spent.
        (!answer.is_allowed()).then_some(answer)
    }

    #[inline]
    fn entry(&self, charge: &Charge<'_>, now: Timestamp, is_last_resort: bool) -> Option<Entry> {
        self.table
            .get(self.identity(charge))
            .filter(|entry| entry.holds(charge.limit(), now, is_last_resort))
    }
}
