//! What operators see of stores, through the `metrics` facade.

use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge};

use crate::{Clock, DenialCache, MemoryStore};
#[cfg(feature = "outage")]
use crate::{OutageGuard, OutageStats};

const KEYS: &str = "tollgate_memory_keys";
const LOG_BYTES: &str = "tollgate_memory_log_bytes";
const EVICTIONS: &str = "tollgate_memory_evictions_total";
const REMEMBERED: &str = "tollgate_denial_cache_entries";
const OPEN: &str = "tollgate_store_breaker_open";
const WAITING: &str = "tollgate_store_waiting";
const OUTAGES: &str = "tollgate_store_outages_total";
const FAILURES: &str = "tollgate_store_failures_total";
/// How long the store took to answer a call, or to fail it.
pub(crate) const SECONDS: &str = "tollgate_store_seconds";

/// Tells the installed recorder of the `metrics` facade what the metrics of stores mean.
///
/// | metric | labels | is |
/// |---|---|---|
/// | `tollgate_memory_keys` | `store` | keys that a [`MemoryStore`] holds |
/// | `tollgate_memory_log_bytes` | `store` | bytes of its sliding logs |
/// | `tollgate_memory_evictions_total` | `store` | keys that it dropped to make room |
/// | `tollgate_denial_cache_entries` | `store` | denials that a [`DenialCache`] remembers |
/// | `tollgate_store_breaker_open` | `store` | 1 while an outage guard does not ask its store, else 0 |
/// | `tollgate_store_waiting` | `store` | calls that wait for the store |
/// | `tollgate_store_outages_total` | `store` | how often the breaker has opened |
/// | `tollgate_store_failures_total` | `store`, `kind` | calls without an answer: `timeout`, `unavailable`, `rejected` while the breaker was open, `overloaded` |
/// | `tollgate_store_seconds` | | how long calls took that had to be waited for, answered or not |
///
/// `store` is the name given to `record_metrics`, which brings all but the last up to date: call it
/// when the metrics are read.
pub fn describe_store_metrics() {
    describe_gauge!(KEYS, "Keys that a store in memory holds.");
    describe_gauge!(LOG_BYTES, "Bytes of the sliding logs of a store in memory.");
    describe_counter!(
        EVICTIONS,
        "Keys that a store in memory dropped to make room."
    );
    describe_gauge!(REMEMBERED, "Denials that a denial cache remembers.");
    describe_gauge!(
        OPEN,
        "1 while a store is not asked because of an outage, else 0."
    );
    describe_gauge!(WAITING, "Calls that wait for a store.");
    describe_counter!(OUTAGES, "How often an outage of a store has begun.");
    describe_counter!(FAILURES, "Calls that got no answer of a store, by kind.");
    describe_histogram!(
        SECONDS,
        metrics::Unit::Seconds,
        "How long calls of a store took that had to be waited for."
    );
}

/// Counters only grow, and are as large as a `usize` at most.
fn wide(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// A gauge is a float; what does not fit exactly is not told apart by anyone.
#[expect(clippy::cast_precision_loss, reason = "gauges are floats")]
const fn float(number: usize) -> f64 {
    number as f64
}

impl<C: Clock> MemoryStore<C> {
    /// Brings the metrics of this store up to date, under a name that tells it apart from others
    /// of the program: see [`describe_store_metrics`].
    pub fn record_metrics(&self, store: &'static str) {
        gauge!(KEYS, "store" => store).set(float(self.keys()));
        gauge!(LOG_BYTES, "store" => store).set(float(self.log_bytes()));
        counter!(EVICTIONS, "store" => store).absolute(wide(self.evictions()));
    }
}

impl<S, C> DenialCache<S, C> {
    /// Brings the metrics of this cache up to date, under a name that tells it apart from others
    /// of the program: see [`describe_store_metrics`].
    pub fn record_metrics(&self, store: &'static str) {
        gauge!(REMEMBERED, "store" => store).set(float(self.entries()));
    }
}

#[cfg(feature = "outage")]
impl<S> OutageGuard<S> {
    /// Brings the metrics of this guard up to date, under a name that tells its store apart from
    /// others of the program: see [`describe_store_metrics`].
    pub fn record_metrics(&self, store: &'static str) {
        let OutageStats {
            waiting,
            opened,
            closed: _,
            timeouts,
            failures,
            rejected,
            overloaded,
        } = self.stats();
        gauge!(OPEN, "store" => store).set(if self.is_open() { 1.0 } else { 0.0 });
        gauge!(WAITING, "store" => store).set(float(waiting));
        counter!(OUTAGES, "store" => store).absolute(opened);
        for (kind, number) in [
            ("timeout", timeouts),
            ("unavailable", failures),
            ("rejected", rejected),
            ("overloaded", overloaded),
        ] {
            counter!(FAILURES, "store" => store, "kind" => kind).absolute(number);
        }
    }
}
