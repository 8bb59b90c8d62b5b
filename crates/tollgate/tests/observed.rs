//! What operators see of stores.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::collections::BTreeMap;

use metrics_util::debugging::{DebugValue, DebuggingRecorder};
use tollgate::{Charge, DenialCache, MemoryStore, OutageGuard, Store, StoreErrorKind};
use tollgate_testkit::given::limit;
use tollgate_testkit::{FailingStore, Health};

/// All that is recorded while something runs: `name{label=value,…}` and the number, or how many
/// values a histogram has.
fn recorded(run: impl AsyncFnOnce()) -> BTreeMap<String, f64> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    metrics::with_local_recorder(&recorder, || runtime.block_on(run()));
    let snapshot = snapshotter.snapshot().into_vec().into_iter();
    snapshot
        .map(|(key, _, _, value)| {
            let labels = key.key().labels();
            let labels: Vec<_> = labels
                .map(|label| format!("{}={}", label.key(), label.value()))
                .collect();
            let number = match value {
                DebugValue::Counter(number) => f64::from(u32::try_from(number).unwrap()),
                DebugValue::Gauge(number) => number.into_inner(),
                DebugValue::Histogram(values) => f64::from(u32::try_from(values.len()).unwrap()),
            };
            (
                format!("{}{{{}}}", key.key().name(), labels.join(",")),
                number,
            )
        })
        .collect()
}

#[test]
fn a_store_in_memory_tells_its_keys_and_what_it_dropped() {
    let seen = recorded(async || {
        let store = MemoryStore::builder().max_keys(1_000).build();
        let limit = limit("10/h");
        for number in 0..3_000 {
            let key = format!("k{number}");
            store.decide_now(&[Charge::new(&limit, &key, 1)]).unwrap();
        }
        store.record_metrics("local");
    });
    let keys = seen["tollgate_memory_keys{store=local}"];
    assert!((1.0..=1_000.0).contains(&keys), "{keys}");
    assert_eq!(
        seen["tollgate_memory_evictions_total{store=local}"],
        3_000.0 - keys
    );
    assert_eq!(seen["tollgate_memory_log_bytes{store=local}"], 0.0);
}

#[test]
fn a_guard_tells_its_breaker_and_every_kind_of_failure() {
    let seen = recorded(async || {
        let guard = OutageGuard::new(FailingStore::new(MemoryStore::default()));
        let limit = limit("10/h");
        let charges = [Charge::new(&limit, "k", 1)];
        guard.decide(&charges).await.unwrap();
        guard
            .store()
            .set_health(Health::Failing(StoreErrorKind::Unavailable));
        for _ in 0..7 {
            guard.decide(&charges).await.unwrap_err();
        }
        guard.record_metrics("redis");
    });
    let failures =
        |kind| seen[&format!("tollgate_store_failures_total{{store=redis,kind={kind}}}")];
    assert_eq!(failures("unavailable"), 5.0);
    assert_eq!(failures("rejected"), 2.0);
    assert_eq!(failures("timeout") + failures("overloaded"), 0.0);
    assert_eq!(seen["tollgate_store_breaker_open{store=redis}"], 1.0);
    assert_eq!(seen["tollgate_store_outages_total{store=redis}"], 1.0);
    assert_eq!(seen["tollgate_store_waiting{store=redis}"], 0.0);
    // The first and the five; nothing was asked while the breaker was open.
    assert_eq!(seen["tollgate_store_seconds{}"], 6.0);
}

#[test]
fn a_denial_cache_tells_how_much_it_remembers() {
    let seen = recorded(async || {
        let cache = DenialCache::new(FailingStore::new(MemoryStore::default()));
        let limit = limit("1/h");
        for _ in 0..2 {
            cache.decide(&[Charge::new(&limit, "k", 1)]).await.unwrap();
        }
        cache.record_metrics("redis");
    });
    assert_eq!(seen["tollgate_denial_cache_entries{store=redis}"], 1.0);
}
