//! What operators see of decisions.
#![expect(
    clippy::unwrap_used,
    reason = "a test reports what is wrong by panicking"
)]

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::sync::{Arc, Once};

use metrics_util::debugging::{DebugValue, DebuggingRecorder, Snapshotter};
use tollgate::{ManualClock, MemoryStore, StoreErrorKind, Timestamp};
use tollgate_policy::{
    AttributeMap, AttributeName, Attributes, ClientAddress, Mode, NoAddress, OnStoreFailure,
    Policy, PolicyBuilder, PolicyLimiter, PolicySet, Question,
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
    log_everything();
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

#[test]
fn each_question_of_a_call_is_counted_once_and_a_peek_is_not() {
    let counts = counts_of(|| {
        let limiter = in_memory([policy("api", "3/min fixed-window")]);
        let own = PolicySet::new([policy("own", "1/min fixed-window").build().unwrap()]);
        let own = Arc::new(own.unwrap());
        let request = request();
        let questions = [
            Question::new(&request),
            Question::new(&request).decided_by(&own),
        ];
        for _ in 0..2 {
            poll_now(limiter.decide_together(&questions));
        }
        poll_now(limiter.peek(&questions[0]));
        poll_now(limiter.give_back(&questions[0])).unwrap();
    });
    assert_eq!(
        counts,
        [
            "tollgate_decisions_total{policy=api,mode=enforce,outcome=allow,reason=allowed} 2",
            "tollgate_decisions_total{policy=own,mode=enforce,outcome=allow,reason=allowed} 1",
            "tollgate_decisions_total{policy=own,mode=enforce,outcome=deny,reason=limit_exceeded} 1",
            "tollgate_near_limit_total{policy=own} 1",
            "tollgate_requests_total{outcome=allow,reason=allowed} 3",
            "tollgate_requests_total{outcome=deny,reason=limit_exceeded} 1",
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

thread_local! {
    /// What has been logged by this thread, which is that of a test.
    static LOG: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Keeps what is logged.
struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        LOG.with_borrow_mut(|log| log.extend_from_slice(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Has everything logged, by whichever test. A subscriber of one test alone could miss an event: if a
/// thread that has none comes to it first, it is remembered as one that nobody wants.
fn log_everything() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let subscriber = tracing_subscriber::fmt()
            .with_writer(|| Lines)
            .with_ansi(false)
            .finish();
        tracing::subscriber::set_global_default(subscriber).unwrap();
    });
}

fn logged_by(run: impl FnOnce()) -> String {
    log_everything();
    LOG.take();
    run();
    String::from_utf8(LOG.take()).unwrap()
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
            "a request is denied policy=\"login\" key=\"client.ip=198.51.100.7\" reason=limit_exceeded retry_after=60.0"
        ),
        "{}",
        lines[0]
    );
    // Ten, and what a slow machine has refilled meanwhile.
    assert!((10..1_000).contains(&lines.len()), "{}", lines.len());
}

/// A request whose client cannot be told, because its header is malformed.
struct Malformed;

impl Attributes for Malformed {
    fn attribute(&self, _: &AttributeName) -> Option<Cow<'_, str>> {
        None
    }

    fn client(&self) -> Option<ClientAddress> {
        None
    }

    fn no_client(&self) -> Option<NoAddress> {
        Some(NoAddress::Malformed)
    }
}

#[test]
fn tells_what_a_denied_request_lacks_and_why_it_has_no_client() {
    let log = logged_by(|| {
        let by_user = Policy::builder("by-user")
            .key("user")
            .limit("1/min".parse().unwrap());
        in_memory([policy("login", "1/min")]).decide_now(&Malformed);
        in_memory([by_user]).decide_now(&Malformed);
    });
    let lines: Vec<_> = log.lines().collect();
    let lacks =
        "policy=\"login\" key=\"-\" reason=missing_key missing=client.ip no_client=\"malformed\"";
    assert!(lines[0].ends_with(lacks), "{log}");
    assert!(
        lines[1].ends_with("reason=missing_key missing=user"),
        "{log}"
    );
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

#[cfg(feature = "file")]
mod reloads {
    use std::fs;

    use tollgate_policy::file::Watch;

    use super::{DebugValue, DebuggingRecorder, log_everything, logged_by};

    const TEXT: &str = "[[policy]]\nname = 'api'\nkey = 'client.ip'\nlimits = '60/min'\n";

    /// Good, broken, and good again with another store and a warning.
    fn changing(mut each: impl FnMut()) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("tollgate.toml");
        fs::write(&path, TEXT).unwrap();
        let mut watch = Watch::open(&path).unwrap();
        each();
        let other = "[store]\nurl = 'redis://:s3cret@h'\n";
        for text in [String::new(), format!("{other}{TEXT}")] {
            fs::write(&path, text).unwrap();
            for _ in 0..5 {
                let _ = watch.poll();
            }
            each();
        }
    }

    // B119
    #[test]
    fn reloads_are_counted_and_the_last_one_is_shown() {
        log_everything();
        let recorder = DebuggingRecorder::new();
        let snapshotter = recorder.snapshotter();
        let mut seen = Vec::new();
        metrics::with_local_recorder(&recorder, || {
            changing(|| {
                // A counter is shown as what came since it was shown before.
                let metrics = snapshotter.snapshot().into_vec().into_iter();
                let mut lines: Vec<_> = metrics
                    .map(|(key, _, _, value)| {
                        let outcome = key.key().labels().next().map(|label| label.value());
                        let name = outcome.unwrap_or_else(|| key.key().name()).to_owned();
                        match value {
                            DebugValue::Counter(number) => format!("{name} {number}"),
                            DebugValue::Gauge(number) => format!("{name} {number}"),
                            DebugValue::Histogram(_) => unreachable!("there is none"),
                        }
                    })
                    .collect();
                lines.sort();
                seen.push(lines.join(", "));
            });
        });
        let of = |errors: u8, ok: u8, generation: u8, last: u8| {
            format!(
                "error {errors}, ok {ok}, tollgate_policy_generation {generation}, tollgate_policy_last_reload_ok {last}"
            )
        };
        // The recorder shows a gauge that was not set meanwhile as 0.
        assert_eq!(seen, [of(0, 0, 1, 1), of(1, 0, 0, 0), of(0, 1, 2, 1)]);
    }

    #[test]
    fn another_secret_for_hashes_is_warned_of_once_and_not_told() {
        let log = logged_by(|| {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("tollgate.toml");
            let write = |secret: &str| {
                let store = format!("[store]\nhash_secret = '{secret}'\n{TEXT}");
                fs::write(&path, store).unwrap();
            };
            write("0123456789abcdef");
            let mut watch = Watch::open(&path).unwrap();
            assert!(!watch.reload().unwrap().is_rehashed);
            write("fedcba9876543210");
            assert!(watch.reload().unwrap().is_rehashed);
            assert!(!watch.reload().unwrap().is_rehashed);
        });
        let warned = log.matches("`hash_secret` is another one").count();
        assert_eq!(warned, 1, "{log}");
        for secret in ["0123456789abcdef", "fedcba9876543210"] {
            assert!(!log.contains(secret), "{log}");
        }
    }

    #[test]
    fn reloads_are_told_in_one_line_each_and_without_secrets() {
        let log = logged_by(|| changing(|| {}));
        let lines: Vec<_> = log.lines().collect();
        let [broken, good, warned, store] = lines.as_slice() else {
            unreachable!("four lines:\n{log}");
        };
        assert!(broken.contains("ERROR"), "{broken}");
        assert!(
            broken.contains("what was in force stays") && broken.contains("errors=1 first=/"),
            "{broken}"
        );
        assert!(
            good.contains("was read again") && good.contains("generation=2 policies=1 warnings=1"),
            "{good}"
        );
        assert!(warned.contains("password of the store"), "{warned}");
        assert!(store.contains("fields=url"), "{store}");
        assert!(!log.contains("s3cret"), "{log}");
    }
}
