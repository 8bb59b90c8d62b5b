//! A part of the counts, behind a lock of its own.

use crate::sync::atomic::Ordering;

use tollgate_core::{
    Algorithm, AlgorithmState, Charge, Limit, State, Timestamp, Verdict, fixed_window,
    sliding_window, token_bucket,
};

use super::identity::Identity;
use super::limits::Limits;
use super::logs::Logs;
use super::room::{Bounds, Room};
use super::table::{Entry, Slot, Table};

/// The counts whose identities fall into one shard.
#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) table: Table,
    pub(super) logs: Logs,
    /// The limits by which counts were last charged, by number. Needed only to tell how much a
    /// count matters.
    limits: Limits,
    /// The slot at which the next search for a victim begins.
    pub(super) hand: Slot,
    /// Until then, every count in this shard is being denied; the epoch if that is not known.
    pub(super) all_denied_until: Timestamp,
    /// Before then, no count in this shard is as if never used.
    pub(super) none_fresh_before: Timestamp,
}

/// The states that fit into an entry.
pub(super) trait Packed: AlgorithmState + Copy + Default {
    fn pack(self) -> u128;
    fn unpack(bits: u128) -> Self;
}

macro_rules! packed {
    ($($state:ty),*) => {$(
        impl Packed for $state {
            #[inline]
            fn pack(self) -> u128 {
                self.to_bits()
            }

            #[inline]
            fn unpack(bits: u128) -> Self {
                Self::from_bits(bits)
            }
        }
    )*};
}

packed!(
    token_bucket::State,
    fixed_window::State,
    sliding_window::State
);

/// A new count found no room in its shard.
#[derive(Debug)]
pub(super) struct NeedsRoom;

impl Shard {
    /// Decides one charge to a count that is there and fits into its entry: the short way for
    /// nearly every decision. Returns the state after it, from which the outcome can be told
    /// once the shard is unlocked; `None` if the count is not there.
    #[inline(always)]
    pub(super) fn charge_known<S: Packed>(
        &mut self,
        identity: Identity,
        charge: &Charge<'_>,
        now: Timestamp,
        bounds: &Bounds,
    ) -> Option<(S, Verdict)> {
        let (limit, cost) = (charge.limit(), charge.cost());
        let slot = self.table.find(identity)?;
        let entry = self.table.get_mut(slot)?;
        let mut state = S::unpack(entry.state());
        let moved_back = state.advance(limit, now);
        let verdict = state.verdict(limit, cost);
        if verdict.is_allow() && cost > 0 {
            state.spend(limit, cost);
            entry.set_state(state.pack());
            if entry.is_denied() {
                entry.set_denied(false);
            }
            let number = entry.limit();
            self.may_have_room();
            self.remember(identity, number, limit, bounds);
        } else if cost > 0 {
            if !entry.is_denied() {
                entry.set_denied(true);
            }
            if moved_back {
                entry.set_state(state.pack());
            }
        }
        Some((state, verdict))
    }

    /// The same for a count that may not be there, and is inserted if anything is spent.
    pub(super) fn charge<S: Packed>(
        &mut self,
        identity: Identity,
        charge: &Charge<'_>,
        now: Timestamp,
        room: &mut Room<'_>,
        bounds: &Bounds,
    ) -> Result<(S, Verdict), NeedsRoom> {
        if let Some(decided) = self.charge_known::<S>(identity, charge, now, bounds) {
            return Ok(decided);
        }
        let (limit, cost) = (charge.limit(), charge.cost());
        let mut state = S::default();
        state.advance(limit, now);
        let verdict = state.verdict(limit, cost);
        if verdict.is_allow() && cost > 0 {
            if !room.take() && !self.make_room(now, &[], bounds) {
                return Err(NeedsRoom);
            }
            state.spend(limit, cost);
            self.add(identity, limit, state.pack(), &state, bounds);
        }
        Ok((state, verdict))
    }

    /// A copy of the state that is counted under an identity, if any is.
    pub(super) fn state(&self, identity: Identity, limit: &Limit) -> Option<State> {
        let entry = self.table.get(self.table.find(identity)?)?;
        if limit.algorithm() == Algorithm::SlidingLog {
            return Some(State::SlidingLog(self.logs.get(log_number(entry))?.clone()));
        }
        Some(unpack(entry, limit.algorithm()))
    }

    /// The same, with a log moved out rather than copied: [`write`](Self::write) must follow.
    pub(super) fn take(&mut self, identity: Identity, limit: &Limit) -> Option<State> {
        let slot = self.table.find(identity)?;
        self.take_from(slot, limit.algorithm())
    }

    /// The state in a slot, with a log moved out.
    pub(super) fn take_from(&mut self, slot: Slot, algorithm: Algorithm) -> Option<State> {
        let entry = self.table.get(slot)?;
        if algorithm == Algorithm::SlidingLog {
            return Some(State::SlidingLog(self.logs.take(log_number(entry))));
        }
        Some(unpack(entry, algorithm))
    }

    /// Writes the state of a count that is there.
    pub(super) fn write(
        &mut self,
        identity: Identity,
        limit: &Limit,
        state: State,
        bounds: &Bounds,
    ) {
        let slot = self.table.find(identity);
        let Some(entry) = slot.and_then(|slot| self.table.get_mut(slot)) else {
            return;
        };
        let number = entry.limit();
        match state {
            State::SlidingLog(log) => self.logs.put(log_number(entry), log, bounds),
            state => entry.set_state(pack(&state)),
        }
        self.remember(identity, number, limit, bounds);
    }

    /// Notes whether the last charge of a count was denied.
    pub(super) fn set_denied(&mut self, identity: Identity, denied: bool) {
        let slot = self.table.find(identity);
        if let Some(entry) = slot.and_then(|slot| self.table.get_mut(slot)) {
            entry.set_denied(denied);
        }
    }

    /// Adds a count that is not there.
    pub(super) fn insert(
        &mut self,
        identity: Identity,
        limit: &Limit,
        state: State,
        bounds: &Bounds,
    ) {
        let log = is_log(limit).then(|| self.logs.reserve());
        let bits = log.map_or_else(|| pack(&state), u128::from);
        self.add(identity, limit, bits, &state, bounds);
        if let (State::SlidingLog(state), Some(number)) = (state, log) {
            self.logs.put(number, state, bounds);
        }
    }

    fn add(
        &mut self,
        identity: Identity,
        limit: &Limit,
        bits: u128,
        state: &impl AlgorithmState,
        bounds: &Bounds,
    ) {
        let fresh_at = state.fresh_at(limit);
        let number = self.number(limit);
        if self.table.len() == 0 {
            self.none_fresh_before = fresh_at;
        }
        let slot = self.table.insert(Entry::new(identity, number, bits));
        self.none_fresh_before = self.none_fresh_before.min(fresh_at);
        bounds.expect_fresh_at(fresh_at);
        if self.all_denied_until == Timestamp::EPOCH {
            return;
        }
        if state.remaining(limit) == 0 {
            let until = state.admits_at(limit, 1);
            self.all_denied_until = self.all_denied_until.min(until);
        } else {
            // All the others are being denied, so the next search for room begins at this one.
            self.hand = slot.checked_sub(1).unwrap_or_else(|| self.table.slots());
            self.may_have_room();
        }
    }

    /// Drops a count to make room for a new one, if there is one in this shard that matters
    /// less than any in the others.
    pub(super) fn make_room(
        &mut self,
        now: Timestamp,
        needed: &[Identity],
        bounds: &Bounds,
    ) -> bool {
        self.drop_fresh(now, bounds)
            || (!bounds.may_hold_fresh(now) && self.drop_used(now, needed, bounds))
    }

    /// Notes that a count may have ceased to be denied.
    #[inline]
    pub(super) const fn may_have_room(&mut self) {
        self.all_denied_until = Timestamp::EPOCH;
    }

    /// Notes that a count may be as if never used earlier than was known.
    pub(super) fn may_be_fresh_earlier(&mut self, bounds: &Bounds) {
        self.may_have_room();
        self.none_fresh_before = Timestamp::EPOCH;
        bounds.expect_fresh_at(Timestamp::EPOCH);
    }

    /// Removes the count in a slot.
    pub(super) fn remove(&mut self, slot: Slot, bounds: &Bounds) {
        if let Some(entry) = self.table.get(slot)
            && self.limit_of(entry).is_some_and(is_log)
        {
            let number = log_number(entry);
            self.logs.remove(number, bounds);
        }
        self.table.remove(slot);
    }

    /// Empties the shard. Returns what was in it.
    pub(super) fn take_all(&mut self, bounds: &Bounds) -> Self {
        bounds.keys.fetch_sub(self.table.len(), Ordering::Relaxed);
        bounds.account_for_log(self.logs.accounted(), 0);
        std::mem::take(self)
    }

    /// The limit by which a count was last charged.
    pub(super) fn limit_of(&self, entry: &Entry) -> Option<&Limit> {
        self.limits.get(entry.limit())
    }

    /// Notes that the count of `identity`, noted for the limit `number`, was charged by `limit`.
    #[inline]
    fn remember(&mut self, identity: Identity, number: u16, limit: &Limit, bounds: &Bounds) {
        // The algorithm and the period are part of the identity.
        let same = self
            .limits
            .get(number)
            .is_some_and(|known| known.units() == limit.units() && known.quota() == limit.quota());
        if !same {
            self.remember_anew(identity, limit);
            self.may_be_fresh_earlier(bounds);
        }
    }

    #[cold]
    fn remember_anew(&mut self, identity: Identity, limit: &Limit) {
        let number = self.number(limit);
        if let Some(slot) = self.table.find(identity)
            && let Some(entry) = self.table.get_mut(slot)
        {
            entry.set_limit(number);
        }
    }

    /// The number of a limit, given to it if it has none.
    fn number(&mut self, limit: &Limit) -> u16 {
        if let Some(number) = self.limits.number(limit) {
            return number;
        }
        if self.limits.is_full() {
            self.forget_unused_limits();
        }
        self.limits.add(limit)
    }

    #[cold]
    fn forget_unused_limits(&mut self) {
        let mut kept = Limits::default();
        for slot in 0..self.table.slots() {
            let Some(entry) = self.table.get_mut(slot) else {
                continue;
            };
            if let Some(limit) = self.limits.get(entry.limit()) {
                let number = kept.number(limit).unwrap_or_else(|| kept.add(limit));
                entry.set_limit(number);
            }
        }
        self.limits = kept;
    }
}

/// The state in an entry of an algorithm whose states fit there.
const fn unpack(entry: &Entry, algorithm: Algorithm) -> State {
    let bits = entry.state();
    match algorithm {
        Algorithm::FixedWindow(_) => State::FixedWindow(fixed_window::State::from_bits(bits)),
        Algorithm::SlidingWindow => State::SlidingWindow(sliding_window::State::from_bits(bits)),
        _ => State::TokenBucket(token_bucket::State::from_bits(bits)),
    }
}

/// The bits of a state that fits into an entry: any but a log.
fn pack(state: &State) -> u128 {
    match state {
        State::TokenBucket(state) => state.to_bits(),
        State::FixedWindow(state) => state.to_bits(),
        State::SlidingWindow(state) => state.to_bits(),
        _ => 0,
    }
}

fn is_log(limit: &Limit) -> bool {
    limit.algorithm() == Algorithm::SlidingLog
}

/// The number of an entry's log.
#[expect(
    clippy::cast_possible_truncation,
    reason = "only a u32 is ever stored there"
)]
pub(super) const fn log_number(entry: &Entry) -> u32 {
    entry.state() as u32
}
