//! A call that is on its way to the store.

use tollgate_core::{Charge, State, Timestamp};

use super::Few;
use super::entry::{Entry, Told, are_together};
use super::known::{Known, Units};
use super::table::Table;
use super::validity::Validity;
use crate::Outcomes;
use crate::memory::identity::Identity;

/// The counts that a call may change. All of them are forgotten at its end, unless it is known to
/// have changed none: also if that is the end of a future that nobody waited for, since the store
/// may have done what it was asked.
pub(super) struct Asked<'t> {
    table: &'t Table,
    counts: Few<Count>,
}

/// A count, and the generation of its set before the store was asked.
#[derive(Clone, Copy)]
struct Count {
    identity: Identity,
    generation: u64,
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.forget();
    }
}

impl<'t> Asked<'t> {
    pub(super) fn new(table: &'t Table, identities: impl Iterator<Item = Identity>) -> Self {
        let counts = identities
            .map(|identity| Count {
                identity,
                generation: table.generation(identity),
            })
            .collect();
        Self { table, counts }
    }

    /// Forgets the counts, and refuses what is on its way of them.
    pub(super) fn forget(&self) {
        for count in &self.counts {
            self.table.forget(count.identity);
        }
    }

    /// The call has changed nothing.
    pub(super) fn keep(mut self) {
        self.counts.clear();
    }

    /// The call was a decision, and a denial: enters what that tells.
    pub(super) fn denied(
        mut self,
        charges: &[Charge<'_>],
        (outcomes, states): (&Outcomes, &[State]),
        (asked, answered): (Timestamp, Timestamp),
        validity: Validity,
    ) {
        let at = outcomes.at();
        let told = Told {
            asked,
            answered,
            at,
        };
        let counts = std::mem::take(&mut self.counts);
        let learned: Few<Learned<'_, '_>> = charges
            .iter()
            .zip(outcomes.iter())
            .zip(&counts)
            .enumerate()
            .map(|(index, ((charge, outcome), count))| {
                let earlier = charges.iter().zip(&counts).take(index);
                let units = Units::of(
                    charge,
                    earlier
                        .filter(|(other, earlier)| {
                            earlier.identity == count.identity && other.shadow() == charge.shadow()
                        })
                        .map(|(other, _)| other),
                );
                let known = Known::of(charge.limit(), units, outcome, states.get(index));
                let frozen = known.and_then(|known| {
                    Entry::frozen(count.identity, charge.limit(), known, told, validity)
                });
                Learned {
                    charge,
                    count: *count,
                    known,
                    frozen,
                }
            })
            .collect();
        for count in &learned {
            count.enter(self.table, &learned, at);
        }
    }
}

/// What a denied decision tells of the count of one of its charges.
struct Learned<'c, 'a> {
    charge: &'c Charge<'a>,
    count: Count,
    known: Option<Known>,
    frozen: Option<Entry>,
}

impl Learned<'_, '_> {
    fn enter(&self, table: &Table, all: &[Self], at: Timestamp) {
        let Count {
            identity,
            generation,
        } = self.count;
        // What only looks is answered by a state that the store does not keep if its clock has
        // stepped back.
        if self.charge.cost() == 0 {
            return;
        }
        match self.frozen.or_else(|| self.guarded(all)) {
            Some(entry) => table.enter(entry, generation),
            // What is known of it still holds, since nothing was spent.
            None => table.forget_later(identity, at),
        }
    }

    fn guarded(&self, all: &[Self]) -> Option<Entry> {
        let known = self.known?;
        let guard = all
            .iter()
            .filter(|other| are_together(other.charge, self.charge))
            .filter_map(|other| other.frozen)
            .max_by_key(|guard| guard.until)?;
        Some(Entry::guarded(
            self.count.identity,
            self.charge.limit(),
            known,
            &guard,
        ))
    }
}
