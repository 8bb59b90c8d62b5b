//! The store under every kind of schedule: what threads do between any two locks and atomic
//! operations is up to a scheduler, which tries many orders and finds every deadlock on its way.
//!
//! `RUSTFLAGS="--cfg shuttle" cargo test --release -p tollgate --lib schedules`
#![cfg(shuttle)]

use std::sync::Arc;

use shuttle::thread;
use tollgate_core::{Charge, Limit, Timestamp};

use super::*;
use crate::ManualClock;

/// Schedules tried for each test, by random choice and by choosing few switches of thread.
const SCHEDULES: usize = 20_000;

fn under_many_schedules(test: impl Fn() + Clone + Send + Sync + 'static) {
    shuttle::check_random(test.clone(), SCHEDULES);
    shuttle::check_pct(test, SCHEDULES, 3);
}

fn store(max_keys: usize, shards: usize) -> Arc<MemoryStore<ManualClock>> {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder().clock(clock).max_keys(max_keys);
    Arc::new(store.build_with(shards))
}

fn limit(text: &str) -> Arc<Limit> {
    Arc::new(text.parse().unwrap())
}

fn held<C: Clock>(store: &MemoryStore<C>) -> usize {
    store
        .shards
        .iter()
        .map(|shard| shard.0.lock().table.len())
        .sum()
}

#[test]
fn one_key_admits_exactly_its_limit() {
    under_many_schedules(|| {
        let (store, limit) = (store(10, 1), limit("3/h"));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
                thread::spawn(move || {
                    (0..2)
                        .filter(|_| {
                            let charges = [Charge::new(&limit, "key", 1)];
                            store.decide_now(&charges).unwrap().is_allowed()
                        })
                        .count()
                })
            })
            .collect();
        let admitted: usize = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        assert_eq!(admitted, 3);
    });
}

#[test]
fn several_keys_are_spent_all_or_nothing_in_any_order() {
    under_many_schedules(|| {
        let (store, limit) = (store(100, 8), limit("2/h sliding-log"));
        let keys = ["a", "b", "c"];
        let threads: Vec<_> = (0..3)
            .map(|first| {
                let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
                thread::spawn(move || {
                    // Each begins with another key, and so would lock in another order.
                    let charges: Vec<_> = (0..2)
                        .map(|step| Charge::new(&limit, keys[(first + step) % 3], 1))
                        .collect();
                    let admitted =
                        (0..2).filter(|_| store.decide_now(&charges).unwrap().is_allowed());
                    admitted.count()
                })
            })
            .collect();
        let admitted: usize = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        let used: u64 = keys
            .map(|key| 2 - store.peek_now(&[Charge::new(&limit, key, 1)]).as_slice()[0].remaining)
            .iter()
            .sum();
        assert_eq!(used, 2 * admitted as u64);
        assert!((2..=3).contains(&admitted), "{admitted}");
    });
}

#[test]
fn a_full_store_keeps_its_bound_and_its_count() {
    under_many_schedules(|| {
        let (store, limit) = (store(3, 4), limit("2/h"));
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
                thread::spawn(move || {
                    for step in 0..2 {
                        let (one, two) = (format!("{number} {step}"), format!("{number}"));
                        let charges = [Charge::new(&limit, &one, 1), Charge::new(&limit, &two, 1)];
                        // With three keys and three threads that want two each, it may say that
                        // there is no room, but never hang.
                        let _ = store.decide_now(&charges[..2 - step]);
                        assert!(store.keys() <= 3);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert_eq!(held(&store), store.keys());
        assert!(store.keys() <= 3);
    });
}

#[test]
fn a_denied_key_stays_while_others_come_and_go() {
    under_many_schedules(|| {
        let (store, limit) = (store(3, 2), limit("1/h fixed-window"));
        let roomy = Limit::builder(100, std::time::Duration::from_secs(3_600))
            .build()
            .unwrap();
        assert!(
            store
                .decide_now(&[Charge::new(&limit, "denied", 1)])
                .unwrap()
                .is_allowed()
        );
        let roomy = Arc::new(roomy);
        let threads: Vec<_> = (0..2)
            .map(|number| {
                let (store, roomy) = (Arc::clone(&store), Arc::clone(&roomy));
                thread::spawn(move || {
                    for step in 0..3 {
                        let key = format!("{number} {step}");
                        let _ = store.decide_now(&[Charge::new(&roomy, &key, 1)]);
                    }
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
        assert!(
            !store
                .decide_now(&[Charge::new(&limit, "denied", 1)])
                .unwrap()
                .is_allowed()
        );
        assert_eq!(held(&store), store.keys());
    });
}

#[test]
fn refunds_and_resets_among_decisions_lose_nothing() {
    under_many_schedules(|| {
        let (store, limit) = (store(10, 2), limit("2/h fixed-window"));
        let refunder = {
            let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
            thread::spawn(move || {
                let charges = [Charge::new(&limit, "key", 1)];
                let outcomes = store.decide_now(&charges).unwrap();
                store.refund_now(&charges, &outcomes);
            })
        };
        let resetter = {
            let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
            thread::spawn(move || store.reset_now(&limit, "", "other"))
        };
        let charges = [
            Charge::new(&limit, "key", 1),
            Charge::new(&limit, "other", 1),
        ];
        let admitted = store.decide_now(&charges).unwrap().is_allowed();
        refunder.join().unwrap();
        let was_used = resetter.join().unwrap();
        assert!(admitted);
        let remaining =
            |key| store.peek_now(&[Charge::new(&limit, key, 1)]).as_slice()[0].remaining;
        assert_eq!(
            (remaining("key"), remaining("other")),
            (1, if was_used { 2 } else { 1 })
        );
        assert_eq!(held(&store), store.keys());
    });
}
