//! Several charges in one atomic step.
//!
//! Everything that the charges touch is locked first, in the order of the shards, so that two
//! decisions never wait for each other. Then all verdicts are found before anything is spent.

use smallvec::SmallVec;
use tollgate_core::{AlgorithmState, Charge, State, Timestamp, Verdict};

use super::MemoryStore;
use super::identity::Identity;
use super::room::Room;
use super::shard::Shard;
use crate::sync::MutexGuard;
use crate::{Clock, Outcomes, StoreError, StoreErrorKind};

/// A charge on its way to a verdict.
struct Pending<'a> {
    charge: Charge<'a>,
    /// The position of the count that it is charged to.
    count: usize,
    verdict: Verdict,
    /// Units of the same count that earlier charges of this decision spend.
    before: u64,
    spends: bool,
}

/// A count that is locked and, if it exists, taken out of its shard.
struct Count<'a> {
    identity: Identity,
    charge: Charge<'a>,
    /// The position of its shard's guard.
    guard: usize,
    state: State,
    exists: bool,
}

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
            if let Some(state) = guards
                .get(count.guard)
                .and_then(|shard| shard.state(count.identity, count.charge.limit()))
            {
                count.state = state;
            }
            count.state.advance(count.charge.limit(), now);
        }
        drop(guards);
        judge(&mut pending, &counts);
        outcomes(&pending, &counts, now)
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
            count.state.advance(count.charge.limit(), now);
        }
        judge(&mut pending, &counts);

        let mut reserved = 0;
        let short = self.find_room(
            &pending,
            &counts,
            &identities,
            &mut guards,
            (now, room, &mut reserved),
        );
        if short.is_none() {
            for charge in pending.iter().filter(|pending| pending.spends) {
                if let Some(count) = counts.get_mut(charge.count) {
                    count
                        .state
                        .spend(charge.charge.limit(), charge.charge.cost());
                }
            }
        }
        let decided = outcomes(&pending, &counts, now);
        for (position, count) in counts.into_iter().enumerate() {
            let spent = short.is_none() && spends(&pending, position);
            self.put_back(count, spent, &mut guards);
        }
        // The logs themselves are accounted for now.
        self.bounds.account_for_log(reserved, 0);
        short.map_or(Ok(decided), Err)
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

    fn put_back(&self, count: Count<'_>, spent: bool, guards: &mut Guards<'_>) {
        let Some(shard) = guards.get_mut(count.guard) else {
            return;
        };
        let limit = count.charge.limit();
        if count.exists {
            // It was taken from there, and the shard is still locked.
            let _ = shard.write(count.identity, limit, count.state, &self.bounds);
            if spent {
                shard.may_have_room();
            }
        } else if spent {
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

/// Makes one count for each identity, and tells each charge which is its own.
fn assign<'a>(
    charges: &[Charge<'a>],
    identities: &[Identity],
    guards: &[usize],
    counts: &mut Few<Count<'a>>,
) -> Few<Pending<'a>> {
    charges
        .iter()
        .zip(identities)
        .zip(guards)
        .map(|((charge, identity), guard)| {
            let known = counts.iter().position(|count| count.identity == *identity);
            let count = known.unwrap_or_else(|| {
                counts.push(Count {
                    identity: *identity,
                    charge: *charge,
                    guard: *guard,
                    state: State::fresh(charge.limit()),
                    exists: false,
                });
                counts.len() - 1
            });
            Pending {
                charge: *charge,
                count,
                verdict: Verdict::Allow,
                before: 0,
                spends: false,
            }
        })
        .collect()
}

/// Finds the verdict of every charge, and which of them will be spent.
fn judge(pending: &mut [Pending<'_>], counts: &[Count<'_>]) {
    let admitted = judge_group(pending, counts, None);
    for index in 0..pending.len() {
        let group = pending
            .get(index)
            .and_then(|pending| pending.charge.shadow());
        let Some(group) = group else { continue };
        let first = !pending
            .iter()
            .take(index)
            .any(|earlier| earlier.charge.shadow() == Some(group));
        if first && judge_group(pending, counts, Some(group)) && !admitted {
            for charge in pending.iter_mut() {
                charge.spends = false;
            }
        }
    }
}

/// Judges the charges of one shadow group, or those that are in none; true if all are admitted,
/// and then they will be spent.
fn judge_group(pending: &mut [Pending<'_>], counts: &[Count<'_>], group: Option<u16>) -> bool {
    let mut admitted = true;
    for index in 0..pending.len() {
        let (earlier, rest) = pending.split_at_mut(index);
        let Some(this) = rest.first_mut() else { break };
        if this.charge.shadow() != group {
            continue;
        }
        this.before = earlier
            .iter()
            .filter(|other| other.count == this.count)
            .filter(|other| other.spends || other.charge.shadow() == group)
            .map(|other| other.charge.cost())
            .sum();
        let Some(count) = counts.get(this.count) else {
            continue;
        };
        this.verdict = if this.charge.cost() == 0 {
            Verdict::Allow
        } else {
            let cost = this.before.saturating_add(this.charge.cost());
            count.state.verdict(this.charge.limit(), cost)
        };
        admitted &= this.verdict.is_allow();
    }
    for charge in pending.iter_mut() {
        if charge.charge.shadow() == group {
            charge.spends = admitted;
        }
    }
    admitted
}

/// True if any charge spends from the count at this position.
fn spends(pending: &[Pending<'_>], position: usize) -> bool {
    pending
        .iter()
        .any(|charge| charge.count == position && charge.spends && charge.charge.cost() > 0)
}

fn outcomes(pending: &[Pending<'_>], counts: &[Count<'_>], now: Timestamp) -> Outcomes {
    let outcomes = pending.iter().filter_map(|pending| {
        let count = counts.get(pending.count)?;
        let cost = pending.before.saturating_add(pending.charge.cost());
        let outcome = count
            .state
            .outcome(pending.charge.limit(), pending.verdict, cost, now);
        Some((outcome, pending.charge.shadow().is_none()))
    });
    Outcomes::new(now, outcomes)
}
