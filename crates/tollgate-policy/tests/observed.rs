//! What operators see of decisions.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use tollgate::{ManualClock, MemoryStore, StoreErrorKind, Timestamp};
use tollgate_policy::{
    AttributeMap, AttributeName, Mode, OnStoreFailure, Policy, PolicyBuilder, PolicyLimiter,
    PolicySet,
};
use tollgate_testkit::{FailingStore, Health, poll_now};

fn policy(name: &str, limit: &str) -> PolicyBuilder {
    Policy::builder(name)
        .key("client.ip")
        .limit(limit.parse().unwrap())
}

fn request() -> AttributeMap {
    AttributeMap::new().with_client_ip("198.51.100.7".parse().unwrap())
}

fn in_memory(
    policies: impl IntoIterator<Item = PolicyBuilder>,
) -> PolicyLimiter<MemoryStore<ManualClock>> {
    let policies = policies.into_iter().map(|policy| policy.build().unwrap());
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    PolicyLimiter::new(
        PolicySet::new(policies).unwrap(),
        MemoryStore::with_clock(clock),
    )
}

/// All counters, as text: `name{label=value,…} number`.
fn counted(snapshotter: &Snapshotter) -> Vec<String> {
    let mut lines: Vec<_> = snapshotter
        .snapshot()
        .into_vec()
        .into_iter()
        .map(|(key, _, _, value)| {
            let labels: Vec<_> = key
                .key()
                .labels()
                .map(|label| format!("{}={}", label.key(), label.value()))
                .collect();
            let DebugValue::Counter(value) = value else {
                unreachable!("{value:?} is no counter");
            };
            format!("{}{{{}}} {value}", key.key().name(), labels.join(","))
        })
        .collect();
    lines.sort();
    lines
}

/// What is counted while something runs.
fn counts_of(run: impl FnOnce()) -> Vec<String> {
    let recorder = DebuggingRecorder::new();
    let snapshotter = recorder.snapshotter();
    metrics::with_local_recorder(&recorder, run);
    counted(&snapshotter)
}

#[test]
fn counts_decisions_by_policy_outcome_and_reason() {
    let counts = counts_of(|| {
        let limiter = in_memory([
            policy("api", "10/min"),
            policy("strict", "1/min").mode(Mode::Shadow),
        ]);
        for _ in 0..12 {
            limiter.decide_now(&request());
        }
        limiter.decide_now(&AttributeMap::new());
    });
    assert_eq!(
        counts,
        [
            "tollgate_decisions_total{policy=api,mode=enforce,outcome=allow,reason=allowed} 10",
            "tollgate_decisions_total{policy=api,mode=enforce,outcome=deny,reason=limit_exceeded} 2",
            "tollgate_decisions_total{policy=api,mode=enforce,outcome=deny,reason=missing_key} 1",
            "tollgate_decisions_total{policy=strict,mode=shadow,outcome=allow,reason=allowed} 1",
            "tollgate_decisions_total{policy=strict,mode=shadow,outcome=deny,reason=limit_exceeded} 11",
            "tollgate_decisions_total{policy=strict,mode=shadow,outcome=deny,reason=missing_key} 1",
            // The ninth leaves one of ten, the tenth none; the one of `strict` leaves none.
            "tollgate_near_limit_total{policy=api} 2",
            "tollgate_near_limit_total{policy=strict} 1",
            "tollgate_requests_total{outcome=allow,reason=allowed} 10",
            "tollgate_requests_total{outcome=deny,reason=limit_exceeded} 2",
            "tollgate_requests_total{outcome=deny,reason=missing_key} 1",
        ]
    );
}

// B147
#[test]
fn what_is_counted_does_not_grow_with_the_clients() {
    let counts = counts_of(|| {
        let limiter = in_memory([Policy::builder("by-name")
            .key("user")
            .limit("1/min".parse().unwrap())]);
        for number in 0..10_000 {
            let user = AttributeName::Other("user".into());
            let request = AttributeMap::new().with(user, format!("user-{number}"));
            limiter.decide_now(&request);
            limiter.decide_now(&request);
        }
    });
    assert_eq!(counts.len(), 5, "{counts:#?}");
    assert!(!counts.concat().contains("user-"), "{counts:#?}");
}

#[test]
fn counts_what_is_decided_without_the_store() {
    let counts = counts_of(|| {
        let set = PolicySet::new([policy("open", "10/min")
            .on_store_failure(OnStoreFailure::Allow)
            .build()
            .unwrap()]);
        let store = FailingStore::new(MemoryStore::default());
        store.set_health(Health::Failing(StoreErrorKind::Unavailable));
        let limiter = PolicyLimiter::new(set.unwrap(), store);
        poll_now(limiter.decide(&request()));
    });
    assert_eq!(
        counts,
        [
            "tollgate_decisions_total{policy=open,mode=enforce,outcome=allow,reason=store_failed_allow} 1",
            "tollgate_requests_total{outcome=allow,reason=store_failed_allow} 1",
        ]
    );
}

/// Keeps what is logged.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn logged_by(run: impl FnOnce()) -> String {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .finish();
    tracing::subscriber::with_default(subscriber, run);
    let bytes = lines.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn tells_of_denials_but_not_of_every_one() {
    let log = logged_by(|| {
        let limiter = in_memory([policy("login", "1/min")]);
        for _ in 0..10_000 {
            limiter.decide_now(&request());
        }
    });
    let lines: Vec<_> = log.lines().collect();
    assert!(
        lines[0].ends_with(
            "a request is denied policy=\"login\" key=\"client.ip=198.51.100.7\" reason=limit_exceeded retry_after=Some(60s)"
        ),
        "{}",
        lines[0]
    );
    // Ten, and what a slow machine has refilled meanwhile.
    assert!((10..1_000).contains(&lines.len()), "{}", lines.len());
}

#[test]
fn a_secret_key_is_not_told() {
    let log = logged_by(|| {
        let limiter = in_memory([Policy::builder("by-key")
            .key("header.x-api-key")
            .limit("1/min".parse().unwrap())]);
        let name = AttributeName::Header("x-api-key".into());
        let request = AttributeMap::new().with(name, "s3cret");
        for _ in 0..3 {
            limiter.decide_now(&request);
        }
    });
    assert!(log.contains("policy=\"by-key\""), "{log}");
    assert!(!log.contains("s3cret"), "{log}");
}
