//! The bounds of a store, told before it is made.

use crate::sync::atomic::{AtomicU64, AtomicUsize};

use tollgate_core::Timestamp;

use super::room::Bounds;
use super::{Aligned, Identifier, MemoryStore};
use crate::{Clock, SystemClock};

/// Keys in a shard of a full store, about: few enough that a shard grows within a fraction of a
/// millisecond, many enough that the shards themselves take next to nothing.
const KEYS_PER_SHARD: usize = 2_048;
const MAX_SHARDS: usize = 1 << 16;
/// Shards of a store that one thread uses: each more is memory that is not at hand.
const SHARDS_FOR_ONE: usize = 16;

/// Builds a [`MemoryStore`].
#[derive(Clone, Debug)]
#[must_use = "a builder does nothing until `build` is called"]
pub struct MemoryStoreBuilder<C = SystemClock> {
    clock: C,
    max_keys: usize,
    max_log_bytes: usize,
    max_shards: usize,
}

impl MemoryStoreBuilder {
    pub(super) fn new() -> Self {
        Self {
            clock: SystemClock::new(),
            max_keys: 1_000_000,
            max_log_bytes: 64 << 20,
            max_shards: MAX_SHARDS,
        }
    }
}

impl<C: Clock> MemoryStoreBuilder<C> {
    /// The most keys that the store holds, counted once for each limit. A key takes up to 48
    /// bytes, and memory is taken as keys come.
    ///
    /// The default is a million. It is at least 1, whatever is given.
    pub const fn max_keys(mut self, max_keys: usize) -> Self {
        self.max_keys = if max_keys == 0 { 1 } else { max_keys };
        self
    }

    /// The most bytes that all sliding logs together take. An admission takes up to 32.
    ///
    /// The default is 64 MiB. With the bound reached, a charge that would pass it is an error of
    /// kind [`Full`](crate::StoreErrorKind::Full): a log that forgot what it promises to remember
    /// would be worse.
    pub const fn max_log_bytes(mut self, max_log_bytes: usize) -> Self {
        self.max_log_bytes = max_log_bytes;
        self
    }

    /// The clock to read. The default is the system's.
    pub fn clock<D: Clock>(self, clock: D) -> MemoryStoreBuilder<D> {
        MemoryStoreBuilder {
            clock,
            max_keys: self.max_keys,
            max_log_bytes: self.max_log_bytes,
            max_shards: self.max_shards,
        }
    }

    /// Suits a store that one thread uses, as one over recorded requests is: it takes less time for
    /// each decision, but now and then one takes milliseconds, while everybody else waits.
    pub const fn for_one_thread(mut self) -> Self {
        self.max_shards = SHARDS_FOR_ONE;
        self
    }

    /// The store.
    pub fn build(self) -> MemoryStore<C> {
        let shards = (self.max_keys / KEYS_PER_SHARD)
            .next_power_of_two()
            .min(self.max_shards);
        self.build_with(shards)
    }

    /// The store, with so many shards: a power of two.
    pub(super) fn build_with(self, shards: usize) -> MemoryStore<C> {
        MemoryStore {
            clock: self.clock,
            identifier: Identifier::random(),
            shards: (0..shards).map(|_| Aligned::default()).collect(),
            bounds: Bounds {
                max_keys: self.max_keys,
                max_log_bytes: self.max_log_bytes,
                keys: AtomicUsize::new(0),
                log_bytes: AtomicUsize::new(0),
                evictions: AtomicUsize::new(0),
                forgotten: AtomicUsize::new(0),
                none_fresh_before: AtomicU64::new(Timestamp::MAX.as_micros()),
                next_log_search: AtomicU64::new(0),
            },
            hand: AtomicUsize::new(0),
        }
    }
}
