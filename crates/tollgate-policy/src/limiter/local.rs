//! The store in this process for when the other one makes no decision.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tollgate::{Charge, Clock, Limit, MemoryStore, Outcomes, StoreError};

/// The most keys of the store that is made if nobody brings one.
const DEFAULT_MAX_KEYS: usize = 100_000;
/// The most bytes of its logs.
const DEFAULT_MAX_LOG_BYTES: usize = 16 << 20;

/// Counts while the store makes no decision. What was counted is dropped once an outage has ended,
/// by the first who comes after it: a later outage is another one.
pub(super) struct Local {
    counts: Arc<dyn Counts>,
    /// How many outages had ended when it was last cleared.
    outages: AtomicU64,
    /// Locked while it is cleared, so that nobody counts between notice and clearing.
    clearing: Mutex<()>,
}

/// A [`MemoryStore`], whatever its clock.
trait Counts: Send + Sync {
    fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError>;
    fn peek(&self, charges: &[Charge<'_>]) -> Outcomes;
    fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes);
    fn reset(&self, limit: &Limit, policy: &str, key: &str);
    fn clear(&self);
}

impl<C: Clock> Counts for MemoryStore<C> {
    fn decide(&self, charges: &[Charge<'_>]) -> Result<Outcomes, StoreError> {
        self.decide_now(charges)
    }

    fn peek(&self, charges: &[Charge<'_>]) -> Outcomes {
        self.peek_now(charges)
    }

    fn refund(&self, charges: &[Charge<'_>], admitted: &Outcomes) {
        self.refund_now(charges, admitted);
    }

    fn reset(&self, limit: &Limit, policy: &str, key: &str) {
        self.reset_now(limit, policy, key);
    }

    fn clear(&self) {
        Self::clear(self);
    }
}

impl Local {
    pub(super) fn new<C: Clock>(store: Arc<MemoryStore<C>>) -> Self {
        Self {
            counts: store,
            outages: AtomicU64::new(0),
            clearing: Mutex::new(()),
        }
    }

    /// Decides, given how many outages have ended, and says how many it knows of.
    pub(super) fn decide(
        &self,
        outages: u64,
        charges: &[Charge<'_>],
    ) -> (u64, Result<Outcomes, StoreError>) {
        let known = self.known(outages);
        (known, self.counts.decide(charges))
    }

    /// What [`decide`](Self::decide) would answer, without spending.
    pub(super) fn peek(
        &self,
        outages: u64,
        charges: &[Charge<'_>],
    ) -> (u64, Result<Outcomes, StoreError>) {
        let known = self.known(outages);
        (known, Ok(self.counts.peek(charges)))
    }

    /// Gives back what was decided after so many outages, unless that has been dropped.
    pub(super) fn refund(&self, outages: u64, charges: &[Charge<'_>], admitted: &Outcomes) {
        if outages == self.outages.load(Ordering::Acquire) {
            self.counts.refund(charges, admitted);
        }
    }

    /// Forgets what one limit has counted for one key.
    pub(super) fn reset(&self, limit: &Limit, policy: &str, key: &str) {
        self.counts.reset(limit, policy, key);
    }

    /// How many outages it knows of, given how many have ended, after it has forgotten what those
    /// before have left.
    fn known(&self, outages: u64) -> u64 {
        if outages > self.outages.load(Ordering::Acquire) {
            self.forget(outages);
        }
        self.outages.load(Ordering::Acquire)
    }

    #[cold]
    fn forget(&self, outages: u64) {
        let _clearing = self.clearing.lock().unwrap_or_else(PoisonError::into_inner);
        if outages > self.outages.load(Ordering::Acquire) {
            self.counts.clear();
            self.outages.store(outages, Ordering::Release);
        }
    }
}

impl Default for Local {
    fn default() -> Self {
        let store = MemoryStore::builder()
            .max_keys(DEFAULT_MAX_KEYS)
            .max_log_bytes(DEFAULT_MAX_LOG_BYTES);
        Self::new(Arc::new(store.build()))
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local")
            .field("outages", &self.outages)
            .finish_non_exhaustive()
    }
}
