//! Decisions of the store in memory: faults that other limiters had.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use tollgate::{
    Charge, Clock, Limit, Limiter, ManualClock, MemoryStore, Micros, Timestamp, Verdict,
};
use tollgate_testkit::given::{EACH_ALGORITHM, START, limit};

fn store() -> (MemoryStore<ManualClock>, ManualClock) {
    let clock = ManualClock::new(START);
    (MemoryStore::with_clock(clock.clone()), clock)
}

/// Counts its readings, and moves on with each.
#[derive(Clone)]
struct MovingClock {
    clock: ManualClock,
    readings: Arc<AtomicUsize>,
}

impl Clock for MovingClock {
    fn now(&self) -> Timestamp {
        self.readings.fetch_add(1, Ordering::SeqCst);
        self.clock.advance(Micros::from_millis(2));
        self.clock.now()
    }
}

// B27
#[test]
fn a_decision_reads_the_clock_once() {
    let clock = MovingClock {
        clock: ManualClock::new(START.saturating_add(Micros::from_millis(997))),
        readings: Arc::default(),
    };
    let store = MemoryStore::with_clock(clock.clone());
    let limit = limit("1/s fixed-window");
    let charges = [Charge::new(&limit, "a", 1), Charge::new(&limit, "b", 1)];
    // Read at 0.999 s, at 1.001 s and at 1.003 s: a decision belongs to one window.
    for (reading, allowed) in [(1, true), (2, true), (3, false)] {
        let outcomes = store.decide_now(&charges).unwrap();
        assert_eq!(clock.readings.load(Ordering::SeqCst), reading);
        assert_eq!(outcomes.is_allowed(), allowed, "reading {reading}");
        assert!(
            outcomes
                .iter()
                .all(|outcome| outcome.at == clock.clock.now())
        );
    }
}

// B63
#[test]
fn a_denial_shows_the_numbers_of_the_limit_that_denied() {
    let (store, clock) = store();
    let (minute, hour) = (limit("60/min"), limit("1000/h fixed-window"));
    clock.set(START.saturating_add(Micros::from_secs(600)));
    let fill = [Charge::new(&hour, "key", 1_000)];
    assert!(store.decide_now(&fill).unwrap().is_allowed());
    store.decide_now(&[Charge::new(&minute, "key", 4)]).unwrap();
    let charges = [Charge::new(&minute, "key", 1), Charge::new(&hour, "key", 1)];
    let outcomes = store.decide_now(&charges).unwrap();
    assert!(!outcomes.is_allowed());
    assert_eq!(outcomes.deciding_index(), Some(1));
    let decided = outcomes.deciding().unwrap();
    assert_eq!(decided.remaining, 0);
    assert_eq!(decided.reset_after, Micros::from_secs(3_000));
    assert_eq!(outcomes.retry_after(), Some(Micros::from_secs(3_000)));
}

// B71
#[test]
fn remaining_is_a_whole_number_between_zero_and_the_limit() {
    for suffix in EACH_ALGORITHM {
        let (store, _) = store();
        let limiter = Limiter::builder(store)
            .limit(limit(&format!("5/min{suffix}")))
            .build()
            .unwrap();
        let remaining: Vec<u64> = thread::scope(|scope| {
            let threads: Vec<_> = (0..20)
                .map(|_| {
                    scope.spawn(|| {
                        limiter
                            .check_now("key")
                            .unwrap()
                            .deciding()
                            .unwrap()
                            .remaining
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .collect()
        });
        let mut sorted = remaining.clone();
        sorted.sort_unstable();
        assert_eq!(sorted[16..], [1, 2, 3, 4], "{suffix}: {remaining:?}");
        assert!(
            sorted[..16].iter().all(|left| *left == 0),
            "{suffix}: {remaining:?}"
        );
    }
}

// B77
#[test]
fn many_threads_get_exactly_the_limit() {
    for suffix in EACH_ALGORITHM {
        let (store, _) = store();
        let (one, other) = (
            limit(&format!("10/min{suffix}")),
            limit(&format!("11/h{suffix}")),
        );
        let admitted = AtomicUsize::new(0);
        thread::scope(|scope| {
            for thread in 0..4 {
                let (store, one, other, admitted) = (&store, &one, &other, &admitted);
                scope.spawn(move || {
                    for _ in 0..50 {
                        let mut charges = [Charge::new(one, "a", 1), Charge::new(other, "b", 1)];
                        // In either order, so that the order of locks is put to the test.
                        if thread % 2 == 0 {
                            charges.reverse();
                        }
                        if store.decide_now(&charges).unwrap().is_allowed() {
                            admitted.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                });
            }
        });
        assert_eq!(admitted.into_inner(), 10, "{suffix}");
        let left = store.peek_now(&[Charge::new(&other, "b", 0)]);
        assert_eq!(left.deciding().unwrap().remaining, 1, "{suffix}");
    }
}

// B79
#[test]
fn a_request_denied_by_one_limit_consumes_no_other() {
    for suffix in EACH_ALGORITHM {
        let (store, _) = store();
        let (group, route) = (
            limit(&format!("10/min{suffix}")),
            limit(&format!("3/min{suffix}")),
        );
        let on = |path: &str| -> bool {
            let charges = [
                Charge::new(&group, "client", 1).of_policy("group"),
                Charge::new(&route, path, 1).of_policy("route"),
            ];
            store.decide_now(&charges).unwrap().is_allowed()
        };
        let on_route = (0..5).filter(|_| on("/a")).count();
        assert_eq!(on_route, 3, "{suffix}");
        let on_siblings = (0..20)
            .filter(|path| on(&format!("/sibling/{path}")))
            .count();
        assert_eq!(on_siblings, 7, "{suffix}");
    }
}

// B83
#[test]
fn a_reset_frees_a_key_in_every_algorithm() {
    for suffix in EACH_ALGORITHM {
        let (store, _) = store();
        let limit = limit(&format!("5/min{suffix}"));
        let ask = || {
            *store
                .decide_now(&[Charge::new(&limit, "key", 1)])
                .unwrap()
                .deciding()
                .unwrap()
        };
        while ask().verdict.is_allow() {}
        assert!(store.reset_now(&limit, "", "key"), "{suffix}");
        let outcome = ask();
        assert_eq!(
            (outcome.verdict, outcome.remaining),
            (Verdict::Allow, 4),
            "{suffix}"
        );
        assert!(!store.reset_now(&limit, "", "another key"), "{suffix}");
    }
}

// B125
#[test]
fn changing_one_limit_leaves_the_usage_of_all() {
    let (store, _) = store();
    let (a, b, changed) = (limit("5/h"), limit("10/h"), limit("12/h"));
    let take = |limit: &Limit, policy: &str| -> usize {
        (0..20)
            .filter(|_| {
                let charge = Charge::new(limit, "key", 1).of_policy(policy);
                store.decide_now(&[charge]).unwrap().is_allowed()
            })
            .count()
    };
    assert_eq!((take(&a, "a"), take(&b, "b")), (5, 10));
    assert_eq!((take(&a, "a"), take(&changed, "b")), (0, 2));
}

/// A clock whose readers are now and then late by up to ten milliseconds.
#[derive(Clone)]
struct LateClock {
    clock: ManualClock,
    readings: Arc<AtomicUsize>,
}

impl Clock for LateClock {
    fn now(&self) -> Timestamp {
        let reading = self.readings.fetch_add(1, Ordering::Relaxed);
        let late = u64::try_from(reading * 7_919 % 11).unwrap();
        self.clock.now().saturating_sub(Micros::from_millis(late))
    }
}

// B129
#[test]
fn threads_that_read_the_clock_late_gain_nothing() {
    for suffix in EACH_ALGORITHM {
        let clock = LateClock {
            clock: ManualClock::new(START),
            readings: Arc::default(),
        };
        let store = MemoryStore::with_clock(clock.clone());
        let limit = limit(&format!("100/s{suffix}"));
        let admitted = AtomicUsize::new(0);
        let mut asked = 0;
        // Ten seconds, in steps at which 64 threads ask at once.
        for _ in 0..40 {
            clock.clock.advance(Micros::from_millis(250));
            thread::scope(|scope| {
                for _ in 0..64 {
                    scope.spawn(|| {
                        if store
                            .decide_now(&[Charge::new(&limit, "key", 1)])
                            .unwrap()
                            .is_allowed()
                        {
                            admitted.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
            asked += 64;
        }
        let admitted = admitted.into_inner();
        assert!(
            admitted <= 100 + 1_000,
            "{admitted} of {asked} under {limit}"
        );
        // A sliding window weighs a spurt as if it had come evenly, and so admits less.
        assert!(admitted >= 800, "{admitted} of {asked} under {limit}");
    }
}

// B141
#[test]
fn a_key_that_is_only_looked_at_or_never_admitted_is_not_kept() {
    for suffix in EACH_ALGORITHM {
        let (store, _) = store();
        let limit = limit(&format!("5/min{suffix}"));
        let never = store.decide_now(&[Charge::new(&limit, "key", 10)]).unwrap();
        assert_eq!(
            never.deciding().unwrap().verdict,
            Verdict::Never,
            "{suffix}"
        );
        assert_eq!(never.deciding().unwrap().remaining, 5, "{suffix}");
        assert_eq!(never.retry_after(), None, "{suffix}");
        assert!(
            store
                .decide_now(&[Charge::new(&limit, "key", 0)])
                .unwrap()
                .is_allowed()
        );
        store.peek_now(&[Charge::new(&limit, "key", 1)]);
        assert_eq!(store.keys(), 0, "{suffix}");
    }
}

// B145
#[test]
fn every_limit_must_pass_and_the_answer_names_the_one_that_decided() {
    let (store, _) = store();
    let (global, path) = (limit("1/s"), limit("100/2s"));
    let charges = [
        Charge::new(&global, "all", 1).of_policy("global"),
        Charge::new(&path, "/a", 1).of_policy("path"),
    ];
    assert!(store.decide_now(&charges).unwrap().is_allowed());
    for _ in 1..10 {
        let outcomes = store.decide_now(&charges).unwrap();
        assert!(!outcomes.is_allowed());
        assert_eq!(outcomes.deciding_index(), Some(0));
        assert_eq!(outcomes.as_slice()[1].remaining, 99);
    }
}
