//! The store in this process.

mod builder;
mod decide;
pub(crate) mod identity;
mod limits;
mod logs;
mod room;
mod shard;
mod table;

use crate::sync::atomic::{AtomicUsize, Ordering};
use std::future::ready;

use tollgate_core::{
    Algorithm, AlgorithmState, Charge, Limit, Micros, Outcome, Timestamp, Verdict, fixed_window,
    sliding_window, token_bucket,
};

pub use builder::MemoryStoreBuilder;

use crate::sync::{Mutex, MutexGuard};
use crate::{Clock, Outcomes, Store, StoreError, SystemClock};
use identity::{Identifier, Identity};
use room::{Bounds, Room};
use shard::{Packed, Shard};

/// Counts in this process's memory.
///
/// It answers without awaiting anything ([`decide_now`](Self::decide_now)), allocates nothing for
/// a decision about a key it knows, needs no background task, and never holds more keys than it
/// was told to ([`MemoryStoreBuilder::max_keys`]).
///
/// When it is full, a new key takes the place of one that matters less: of one whose count is as if
/// never used, if there is any in the store, else of the one closest to that among 16 of the new
/// key's shard. A key that is being denied is dropped only if every key in the store is, and then the
/// one that would be let go first. So a flood of new keys frees nobody, unless it is as large as the
/// store and each of its keys is denied, too: under limits that one request exhausts, or that callers
/// choose. Count those in a store of their own.
#[derive(Debug)]
pub struct MemoryStore<C = SystemClock> {
    clock: C,
    identifier: Identifier,
    shards: Box<[Aligned]>,
    bounds: Bounds,
    /// Where the next search for room over all shards begins.
    hand: AtomicUsize,
}

/// How long a search for room for logs that found none is not repeated.
const LOG_SEARCH_PAUSE: Micros = Micros::from_millis(100);

/// A shard on cache lines of its own, so that threads in different shards do not disturb each
/// other.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Aligned(Mutex<Shard>);

impl Default for MemoryStore {
    fn default() -> Self {
        Self::builder().build()
    }
}

impl MemoryStore {
    /// Begins a store on the system's clock, for up to a million keys.
    pub fn builder() -> MemoryStoreBuilder {
        MemoryStoreBuilder::new()
    }
}

impl<C: Clock> MemoryStore<C> {
    /// A store that reads `clock`, with the bounds of the builder's defaults.
    pub fn with_clock(clock: C) -> Self {
        MemoryStoreBuilder::new().clock(clock).build()
    }

    /// Decides without awaiting anything: see [`Store::decide`].
    ///
    /// # Errors
    ///
    /// [`Full`](crate::StoreErrorKind::Full) if the sliding logs have reached their bound of bytes
    /// and nothing has left them, or if more keys are new at once than the store may hold.
    #[inline]
    pub fn decide_now(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        match charges {
            [charge] => self.decide_single(charge),
            _ => self.decide_all(charges, self.clock.now()),
        }
    }

    /// The same for one charge, without the ado for several.
    #[inline]
    pub(crate) fn decide_single(&self, charge: &Charge<'_>) -> Result<Outcomes, StoreError> {
        let now = self.clock.now();
        if charge.limit().algorithm() == Algorithm::SlidingLog {
            return self.decide_all(std::slice::from_ref(charge), now);
        }
        self.decide_one(charge, now)
            .map(|outcome| Outcomes::one(outcome, charge.shadow().is_none()))
    }

    /// Looks without awaiting anything: see [`Store::peek`].
    pub fn peek_now(&self, charges: &[Charge<'_>]) -> Outcomes {
        self.peek_all(charges, self.clock.now())
    }

    /// Gives back without awaiting anything: see [`Store::refund`].
    pub fn refund_now(&self, charges: &[Charge<'_>], admitted: &Outcomes) {
        let now = self.clock.now();
        for (index, (charge, outcome)) in charges.iter().zip(admitted.iter()).enumerate() {
            if charge.cost() == 0 || !admitted.spent(charges, index) {
                continue;
            }
            let limit = charge.limit();
            let identity = self.identity(charge);
            let mut shard = self.lock(self.shard_of(identity));
            if let Some(mut state) = shard.take(identity, limit) {
                state.advance(limit, now);
                state.refund(limit, charge.cost(), outcome);
                shard.write(identity, limit, state, &self.bounds);
                shard.may_be_fresh_earlier(&self.bounds);
            }
        }
    }

    /// Forgets without awaiting anything: see [`Store::reset`].
    pub fn reset_now(&self, limit: &Limit, policy: &str, key: &str) -> bool {
        let identity = self.identifier.identity(limit.id(), policy, key);
        let now = self.clock.now();
        let mut shard = self.lock(self.shard_of(identity));
        let Some(slot) = shard.table.find(identity) else {
            return false;
        };
        let used = shard.state(identity, limit).is_some_and(|mut state| {
            state.advance(limit, now);
            state.fresh_at(limit) > now
        });
        shard.remove(slot, &self.bounds);
        self.bounds.keys.fetch_sub(1, Ordering::Relaxed);
        used
    }

    /// Forgets everything, one shard after the other: what is charged meanwhile may be forgotten or
    /// kept, and nobody waits for more than one shard to be emptied.
    pub fn clear(&self) {
        for index in self.all_shards() {
            let held = self.lock(index).take_all(&self.bounds);
            // What was held is freed here, where the shard is not locked.
            drop(held);
        }
    }

    /// The number of keys that the store holds, counted once for each limit.
    pub fn keys(&self) -> usize {
        self.bounds.keys.load(Ordering::Relaxed)
    }

    /// The bytes that sliding logs take.
    pub fn log_bytes(&self) -> usize {
        self.bounds.log_bytes.load(Ordering::Relaxed)
    }

    /// How many keys were dropped to make room for others since the store was made.
    pub fn evictions(&self) -> usize {
        self.bounds.evictions.load(Ordering::Relaxed)
    }

    /// How many of the [evictions](Self::evictions) dropped a key that was in use: its client began
    /// anew.
    pub fn forgotten(&self) -> usize {
        self.bounds.forgotten.load(Ordering::Relaxed)
    }

    #[inline]
    fn decide_one(&self, charge: &Charge<'_>, now: Timestamp) -> Result<Outcome, StoreError> {
        match charge.limit().algorithm() {
            Algorithm::FixedWindow(_) => self.decide_packed::<fixed_window::State>(charge, now),
            Algorithm::SlidingWindow => self.decide_packed::<sliding_window::State>(charge, now),
            _ => self.decide_packed::<token_bucket::State>(charge, now),
        }
    }

    #[inline]
    fn decide_packed<S: Packed>(
        &self,
        charge: &Charge<'_>,
        now: Timestamp,
    ) -> Result<Outcome, StoreError> {
        let identity = self.identity(charge);
        let index = self.shard_of(identity);
        let known = self
            .lock(index)
            .charge_known::<S>(identity, charge, now, &self.bounds);
        let (state, verdict) = match known {
            Some(decided) => decided,
            None => self.decide_new::<S>(identity, charge, now)?,
        };
        Ok(state.outcome(charge.limit(), verdict, charge.cost(), now))
    }

    #[cold]
    fn decide_new<S: Packed>(
        &self,
        identity: Identity,
        charge: &Charge<'_>,
        now: Timestamp,
    ) -> Result<(S, Verdict), StoreError> {
        let index = self.shard_of(identity);
        let mut room = Room::new(&self.bounds);
        for _ in 0..decide::ATTEMPTS {
            let decided =
                self.lock(index)
                    .charge::<S>(identity, charge, now, &mut room, &self.bounds);
            match decided {
                Ok(decided) => return Ok(decided),
                Err(shard::NeedsRoom) => self.make_room(now, &mut room),
            }
        }
        Err(self.keys_are_full(1))
    }

    /// Makes a place for a key by dropping the one that matters least, in any shard.
    #[cold]
    fn make_room(&self, now: Timestamp, room: &mut Room<'_>) {
        if self.drop_fresh(now) || self.drop_used(now) {
            room.keep();
        }
    }

    /// Drops a key that is as if never used, if there is one in any shard.
    fn drop_fresh(&self, now: Timestamp) -> bool {
        let known = self.bounds.none_fresh_before.load(Ordering::Relaxed);
        if now.as_micros() < known {
            return false;
        }
        let mut next = Timestamp::MAX;
        for index in self.all_shards() {
            let mut shard = self.lock(index);
            if shard.drop_fresh(now, &self.bounds) {
                return true;
            }
            if shard.table.len() > 0 {
                next = next.min(shard.none_fresh_before);
            }
        }
        // Unless a key has come in between that will be fresh earlier.
        let _ = self.bounds.none_fresh_before.compare_exchange(
            known,
            next.as_micros(),
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        false
    }

    /// Drops a key that is used, one that is being denied only if all are.
    fn drop_used(&self, now: Timestamp) -> bool {
        let mut first: Option<(Timestamp, usize)> = None;
        for index in self.all_shards() {
            let mut shard = self.lock(index);
            if shard.drop_used(now, &[], &self.bounds) {
                return true;
            }
            if shard.table.len() > 0 {
                let released = (shard.all_denied_until, index);
                first = Some(first.map_or(released, |first| first.min(released)));
            }
        }
        // Every key is being denied: the one that will be let go first goes now.
        first.is_some_and(|(_, index)| self.lock(index).drop_first_released(now, &self.bounds))
    }

    /// Every shard once, beginning elsewhere each time.
    fn all_shards(&self) -> impl Iterator<Item = usize> {
        let count = self.shards.len();
        let start = self.hand.fetch_add(1, Ordering::Relaxed);
        (0..count).map(move |step| start.wrapping_add(step) % count)
    }

    /// Makes room for logs to grow, by what has left others; false if that is not enough.
    #[cold]
    fn make_log_room(&self, now: Timestamp, bytes: usize) -> bool {
        let next = &self.bounds.next_log_search;
        if now.as_micros() < next.load(Ordering::Relaxed) {
            return false;
        }
        // Some more than asked for, so that the next one does not have to look again.
        let target = bytes.max(self.bounds.max_log_bytes / 64);
        for index in self.all_shards() {
            if self.bounds.has_log_room(target) {
                break;
            }
            self.lock(index).trim_logs(now, &self.bounds);
        }
        let found = self.bounds.has_log_room(bytes);
        if !found {
            // It takes time for entries to leave, and a search takes long where there are many.
            let pause = now.saturating_add(LOG_SEARCH_PAUSE);
            next.store(pause.as_micros(), Ordering::Relaxed);
        }
        found
    }

    #[inline]
    fn identity(&self, charge: &Charge<'_>) -> Identity {
        self.identifier
            .identity(charge.limit().id(), charge.policy(), charge.key())
    }

    #[inline]
    fn shard_of(&self, identity: Identity) -> usize {
        identity.shard(self.shards.len())
    }

    #[inline]
    #[expect(
        clippy::expect_used,
        reason = "an index is a hash masked to the number of shards, or counts them"
    )]
    fn lock(&self, index: usize) -> MutexGuard<'_, Shard> {
        self.shards
            .get(index)
            .expect("the index of a shard")
            .0
            .lock()
    }
}

impl<C: Clock> Store for MemoryStore<C> {
    fn decide(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(self.decide_now(charges))
    }

    #[inline]
    fn decide_at_once(&self, charges: &[Charge<'_>]) -> Option<Result<Outcomes, StoreError>> {
        Some(self.decide_now(charges))
    }

    fn peek(
        &self,
        charges: &[Charge<'_>],
    ) -> impl Future<Output = Result<Outcomes, StoreError>> + Send {
        ready(Ok(self.peek_now(charges)))
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

#[cfg(test)]
mod schedules;
#[cfg(test)]
mod tests;
