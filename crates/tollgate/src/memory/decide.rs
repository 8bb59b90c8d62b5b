//! Several charges in one atomic step.
//!
//! Everything that the charges touch is locked first, in the order of the shards, so that two
//! decisions never wait for each other. Then all verdicts are found before anything is spent.

mod judge;

use smallvec::SmallVec;
use tollgate_core::{Charge, State, Timestamp};

use super::MemoryStore;
use super::identity::Identity;
use super::room::Room;
use super::shard::Shard;
use crate::sync::MutexGuard;
use crate::{Clock, Outcomes, StoreError, StoreErrorKind};
use judge::{Count, Pending, assign, denies, groups, judge, outcomes, settle, spends};

type Few<T> = SmallVec<[T; 4]>;
type Guards<'a> = Few<MutexGuard<'a, Shard>>;

/// How often a decision looks for room before it gives up. Others can take what was found for it,
/// but hardly so often.
pub(super) const ATTEMPTS: usize = 32;

/// What a decision lacks.
enum Short {
    /// So many places for keys.
    Keys(usize),
    LogBytes(usize),
}

impl<C: Clock> MemoryStore<C> {
    pub(super) fn decide_all(
        &self,
        charges: &[Charge<'_>],
        now: Timestamp,
    ) -> Result<Outcomes, StoreError> {
        let mut room = Room::new(&self.bounds);
        for _ in 0..ATTEMPTS {
            match self.try_decide_all(charges, now, &mut room) {
                Ok(outcomes) => return Ok(outcomes),
                Err(Short::Keys(places)) => {
                    for _ in 0..places {
                        self.make_room(now, &mut room);
                    }
                }
                Err(Short::LogBytes(bytes)) if !self.make_log_room(now, bytes) => {
                    return Err(self.logs_are_full(bytes));
                }
                Err(Short::LogBytes(_)) => {}
            }
        }
        Err(self.keys_are_full(charges.len()))
    }

    pub(super) fn peek_all(&self, charges: &[Charge<'_>], now: Timestamp) -> Outcomes {
        let identities: Few<Identity> =
            charges.iter().map(|charge| self.identity(charge)).collect();
        let (guards, places) = self.lock_all(&identities);
        let mut counts: Few<Count<'_>> = SmallVec::new();
        let mut pending = assign(charges, &identities, &places, &mut counts);
        for count in &mut counts {
            let shard = guards.get(count.guard);
            let state = shard.and_then(|shard| shard.state(count.identity, count.charge.limit()));
            count.state = state.unwrap_or_else(|| State::fresh(count.charge.limit()));
        }
        drop(guards);
        for group in groups(charges) {
            judge(&mut pending, &mut counts, group, now);
        }
        for charge in &mut pending {
            charge.spends = false;
        }
        settle(&mut pending, &mut counts, now);
        outcomes(&pending, now)
    }

    fn try_decide_all(
        &self,
        charges: &[Charge<'_>],
        now: Timestamp,
        room: &mut Room<'_>,
    ) -> Result<Outcomes, Short> {
        let identities: Few<Identity> =
            charges.iter().map(|charge| self.identity(charge)).collect();
        let (mut guards, places) = self.lock_all(&identities);
        let mut counts: Few<Count<'_>> = SmallVec::new();
        let mut pending = assign(charges, &identities, &places, &mut counts);
        for count in &mut counts {
            if let Some(shard) = guards.get_mut(count.guard)
                && let Some(state) = shard.take(count.identity, count.charge.limit())
            {
                count.state = state;
                count.exists = true;
            }
        }
        let mut enforced = true;
        for group in groups(charges) {
            let admitted = judge(&mut pending, &mut counts, group, now);
            enforced &= group.is_some() || admitted;
            for charge in pending
                .iter_mut()
                .filter(|other| other.charge.shadow() == group)
            {
                charge.spends = admitted && enforced && charge.charge.cost() > 0;
            }
        }

        let mut reserved = 0;
        let short = self.find_room(
            &pending,
            &counts,
            &identities,
            &mut guards,
            (now, room, &mut reserved),
        );
        if short.is_none() {
            settle(&mut pending, &mut counts, now);
        }
        for (position, count) in counts.into_iter().enumerate() {
            let spent = short.is_none() && spends(&pending, position);
            let denied = denies(&pending, position);
            self.put_back(count, (spent, denied), &mut guards);
        }
        // The logs themselves are accounted for now.
        self.bounds.account_for_log(reserved, 0);
        short.map_or_else(|| Ok(outcomes(&pending, now)), Err)
    }

    /// Finds places for the keys that will be inserted, and room for the logs that will grow.
    fn find_room(
        &self,
        pending: &[Pending<'_>],
        counts: &[Count<'_>],
        needed: &[Identity],
        guards: &mut Guards<'_>,
        (now, room, reserved): (Timestamp, &mut Room<'_>, &mut usize),
    ) -> Option<Short> {
        let mut missing = 0;
        let mut growth = 0;
        let mut found = 0;
        for (position, count) in counts.iter().enumerate() {
            if !spends(pending, position) {
                continue;
            }
            if let State::SlidingLog(log) = &count.state {
                growth += log.growth_bytes();
            }
            if count.exists {
                continue;
            }
            let mut evicted = || {
                guards
                    .get_mut(count.guard)
                    .is_some_and(|shard| shard.make_room(now, needed, &self.bounds))
            };
            if room.take() || evicted() {
                found += 1;
            } else {
                missing += 1;
            }
        }
        let short = if missing > 0 {
            Some(Short::Keys(missing))
        } else if self.bounds.reserve_log_bytes(growth) {
            *reserved = growth;
            None
        } else {
            Some(Short::LogBytes(growth))
        };
        if short.is_some() {
            // Nothing is inserted this time; the places found stay ours for the next.
            for _ in 0..found {
                room.keep();
            }
        }
        short
    }

    fn put_back(&self, count: Count<'_>, (spent, denied): (bool, bool), guards: &mut Guards<'_>) {
        let Some(shard) = guards.get_mut(count.guard) else {
            return;
        };
        let limit = count.charge.limit();
        if count.exists && (spent || denied) {
            shard.set_denied(count.identity, denied);
        }
        let is_log = matches!(count.state, State::SlidingLog(_));
        if count.exists && (spent || count.moved_back || is_log) {
            shard.write(count.identity, limit, count.state, &self.bounds);
            if spent {
                shard.may_have_room();
            }
        } else if spent && !count.exists {
            shard.insert(count.identity, limit, count.state, &self.bounds);
        }
    }

    /// Locks the shards of all identities, and tells for each which guard is its own.
    fn lock_all(&self, identities: &[Identity]) -> (Guards<'_>, Few<usize>) {
        let mut shards: Few<usize> = identities.iter().map(|id| self.shard_of(*id)).collect();
        shards.sort_unstable();
        shards.dedup();
        let places = identities
            .iter()
            .map(|id| shards.binary_search(&self.shard_of(*id)).unwrap_or(0))
            .collect();
        let guards = shards.iter().map(|index| self.lock(*index)).collect();
        (guards, places)
    }

    pub(super) fn keys_are_full(&self, keys: usize) -> StoreError {
        StoreError::new(
            StoreErrorKind::Full,
            format!(
                "the store may hold {} keys and found no room for {keys} new ones; raise max_keys",
                self.bounds.max_keys
            ),
        )
    }

    fn logs_are_full(&self, bytes: usize) -> StoreError {
        StoreError::new(
            StoreErrorKind::Full,
            format!(
                "sliding logs take {} bytes and may take {}, so they cannot grow by {bytes}; raise max_log_bytes or use another algorithm",
                self.log_bytes(),
                self.bounds.max_log_bytes
            ),
        )
    }
}
