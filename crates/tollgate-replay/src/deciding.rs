//! Policies on the clock of the requests.

use std::collections::BTreeMap;

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::{Decision, PolicyLimiter, PolicySet};

use crate::Request;

/// So many requests may be under way at the same time; of more, the first is settled early.
const MOST_UNDER_WAY: usize = 100_000;

/// The most that all sliding logs together take.
const MOST_LOG_BYTES: usize = 256 << 20;

/// Decides requests by policies, on the clock of the requests, and settles them when they have been
/// answered.
#[derive(Debug)]
pub(crate) struct Deciding {
    clock: ManualClock,
    limiter: PolicyLimiter<MemoryStore<ManualClock>>,
    /// Decisions to settle, by when the answer came, and in which order they were made.
    under_way: BTreeMap<(Timestamp, u64), (Decision, u16)>,
    number: u64,
}

impl Deciding {
    /// Policies over a store of their own, with room for so many keys.
    pub(crate) fn new(policies: PolicySet, max_keys: usize) -> Self {
        let clock = ManualClock::new(Timestamp::EPOCH);
        let store = MemoryStore::builder()
            .max_keys(max_keys)
            .max_log_bytes(MOST_LOG_BYTES)
            .clock(clock.clone())
            .build();
        Self {
            limiter: PolicyLimiter::new(policies, store),
            clock,
            under_way: BTreeMap::new(),
            number: 0,
        }
    }

    /// Decides a request, which comes no earlier than the one before.
    pub(crate) fn decide(&mut self, request: &Request) -> Decision {
        while let Some(entry) = self.under_way.first_entry()
            && entry.key().0 <= request.at
        {
            let ((at, _), (decision, status)) = entry.remove_entry();
            self.clock.set(at);
            self.limiter.settle_now(&decision, status);
        }
        self.clock.set(request.at);
        let decision = self.limiter.decide_now(request);
        if let Some(status) = request.status
            && decision.needs_settling()
        {
            let took = request.duration.unwrap_or_default();
            let answered = request.at.saturating_add(took);
            self.number += 1;
            let entry = (decision.clone(), status);
            self.under_way.insert((answered, self.number), entry);
            if self.under_way.len() > MOST_UNDER_WAY
                && let Some((_, (decision, status))) = self.under_way.pop_first()
            {
                self.limiter.settle_now(&decision, status);
            }
        }
        decision
    }

    /// How many counts were dropped to make room for others.
    pub(crate) fn evictions(&self) -> usize {
        self.limiter.store().evictions()
    }
}
