//! Policies on the clock of the requests.

use tollgate::{ManualClock, MemoryStore, Timestamp};
use tollgate_policy::{Decision, PolicyLimiter, PolicySet};

use crate::Request;
use crate::engine::Settling;

/// The most that all sliding logs together take.
const MOST_LOG_BYTES: usize = 256 << 20;

/// Decides requests by policies, on the clock of the requests, and settles them when they have been
/// answered.
#[derive(Debug)]
pub(crate) struct Deciding {
    clock: ManualClock,
    limiter: PolicyLimiter<MemoryStore<ManualClock>>,
    settling: Settling,
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
            settling: Settling::default(),
        }
    }

    /// Decides a request, which comes no earlier than the one before.
    pub(crate) fn decide(&mut self, request: &Request) -> Decision {
        let at = request.at.as_micros();
        self.settling.settle(&self.limiter, &self.clock, at);
        self.clock.set(request.at);
        let decision = self.limiter.decide_now(request);
        if let Some(status) = request.status
            && decision.needs_settling()
        {
            let took = request.duration.unwrap_or_default();
            let answered = request.at.saturating_add(took).as_micros();
            self.settling
                .wait(&self.limiter, (answered, status), decision.clone());
        }
        decision
    }

    /// How many counts were dropped to make room for others.
    pub(crate) fn evictions(&self) -> usize {
        self.limiter.store().evictions()
    }
}
