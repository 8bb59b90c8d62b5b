//! What the store does when it is full, and under threads. What it decides is the business of the
//! conformance suite.
#![cfg(not(shuttle))]

mod clearing;

use std::thread;

use tollgate_core::{Charge, Limit, Micros, Timestamp, Verdict};

use super::*;
use crate::ManualClock;

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

fn store(max_keys: usize) -> (MemoryStore<ManualClock>, ManualClock) {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder()
        .clock(clock.clone())
        .max_keys(max_keys)
        .build();
    (store, clock)
}

fn verdict<C: Clock>(store: &MemoryStore<C>, limit: &Limit, key: &str) -> Verdict {
    let outcomes = store.decide_now(&[Charge::new(limit, key, 1)]).unwrap();
    outcomes.as_slice()[0].verdict
}

#[test]
fn holds_exactly_as_many_keys_as_it_may() {
    let (store, _) = store(1_000);
    let limit = limit("10/h");
    for number in 0..1_000 {
        verdict(&store, &limit, &format!("key {number}"));
    }
    assert_eq!((store.keys(), store.evictions()), (1_000, 0));
    for number in 0..5_000 {
        verdict(&store, &limit, &format!("other {number}"));
    }
    assert_eq!((store.keys(), store.evictions()), (1_000, 5_000));
    assert_eq!(store.forgotten(), 5_000);
}

#[test]
fn a_store_for_one_thread_holds_as_many_keys_in_few_parts() {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder().max_keys(1_000_000);
    let store = store.clock(clock).for_one_thread().build();
    assert_eq!(store.shards.len(), 16);
    let limit = limit("1/h");
    for number in 0..5_000 {
        let key = format!("key {number}");
        assert_eq!(verdict(&store, &limit, &key), Verdict::Allow);
        assert_eq!(verdict(&store, &limit, &key), Verdict::Deny);
    }
    assert_eq!((store.keys(), store.forgotten()), (5_000, 0));
}

#[test]
fn drops_a_key_that_is_as_if_never_used_before_any_other() {
    let (store, clock) = store(100);
    let limit = limit("10/min");
    verdict(&store, &limit, "old");
    clock.advance(Micros::MINUTE);
    for number in 0..99 {
        verdict(&store, &limit, &format!("key {number}"));
    }
    verdict(&store, &limit, "one too many");
    for number in 0..99 {
        let key = format!("key {number}");
        let outcome = store.peek_now(&[Charge::new(&limit, &key, 1)]);
        assert_eq!(outcome.as_slice()[0].remaining, 9, "{key}");
    }
    assert_eq!((store.evictions(), store.forgotten()), (1, 0));
}

#[test]
fn drops_the_key_closest_to_fresh_while_none_is() {
    let (store, _) = store(10);
    let limit = limit("10/h");
    for number in 0..10_u64 {
        let key = format!("key {number}");
        let cost = if number == 4 { 1 } else { 5 };
        store
            .decide_now(&[Charge::new(&limit, &key, cost)])
            .unwrap();
    }
    verdict(&store, &limit, "newcomer");
    let remaining =
        |key: &str| store.peek_now(&[Charge::new(&limit, key, 1)]).as_slice()[0].remaining;
    assert_eq!(remaining("newcomer"), 9);
    assert_eq!(remaining("key 4"), 10);
    for number in (0..10).filter(|number| *number != 4) {
        assert_eq!(remaining(&format!("key {number}")), 5);
    }
}

/// Case B111.
#[test]
fn flooding_with_new_keys_frees_no_key_that_is_being_denied() {
    for algorithm in ["", " fixed-window", " sliding-window", " sliding-log"] {
        let (store, clock) = store(2_000);
        let limit = limit(&format!("10/h{algorithm}"));
        let denied: Vec<String> = (0..500).map(|number| format!("denied {number}")).collect();
        for key in &denied {
            while verdict(&store, &limit, key) == Verdict::Allow {}
        }
        for number in 0..50_000 {
            clock.advance(Micros::new(10));
            verdict(&store, &limit, &format!("flood {number}"));
        }
        for key in &denied {
            assert_eq!(
                verdict(&store, &limit, key),
                Verdict::Deny,
                "{key}{algorithm}"
            );
        }
        assert_eq!(store.keys(), 2_000);
    }
}

#[test]
fn drops_the_denied_key_that_is_let_go_first_if_all_are_denied() {
    let (store, clock) = store(20);
    let limit = limit("1/h sliding-log");
    for number in 0..20 {
        verdict(&store, &limit, &format!("key {number}"));
        clock.advance(Micros::SECOND);
    }
    assert_eq!(verdict(&store, &limit, "newcomer"), Verdict::Allow);
    let let_go: Vec<_> = (0..20)
        .filter(|number| {
            let key = format!("key {number}");
            store.peek_now(&[Charge::new(&limit, &key, 1)]).is_allowed()
        })
        .collect();
    assert_eq!(let_go, [0]);
    assert_eq!(store.keys(), 20);
}

#[test]
fn says_so_if_one_request_has_more_new_keys_than_fit() {
    let (store, _) = store(2);
    let limit = limit("10/h");
    let charges = ["a", "b", "c"].map(|key| Charge::new(&limit, key, 1));
    let error = store.decide_now(&charges).unwrap_err();
    assert_eq!(error.kind(), crate::StoreErrorKind::Full);
    assert_eq!(
        error.to_string(),
        "the store may hold 2 keys and found no room for 3 new ones; raise max_keys"
    );
    assert!(store.keys() <= 2);
    assert!(store.decide_now(&charges[..2]).unwrap().is_allowed());
}

#[test]
fn never_makes_room_by_dropping_a_key_of_the_same_request() {
    let (store, _) = store(3);
    let limit = limit("10/h");
    for _ in 0..20 {
        let charges = ["a", "b", "c"].map(|key| Charge::new(&limit, key, 1));
        let _ = store.decide_now(&charges);
    }
    let left = ["a", "b", "c"].map(|key| {
        let outcomes = store.peek_now(&[Charge::new(&limit, key, 1)]);
        outcomes.as_slice()[0].remaining
    });
    assert_eq!(left, [0, 0, 0]);
}

/// Case B113.
#[test]
fn a_sliding_log_takes_memory_for_its_entries_only() {
    let (store, _) = store(10_000);
    let limit = limit("1000000/min sliding-log");
    for number in 0..1_000 {
        verdict(&store, &limit, &format!("key {number}"));
    }
    assert!(store.log_bytes() < 1 << 17, "{}", store.log_bytes());
}

fn store_for_logs(max_log_bytes: usize) -> (MemoryStore<ManualClock>, ManualClock) {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder()
        .clock(clock.clone())
        .max_log_bytes(max_log_bytes)
        .build();
    (store, clock)
}

#[test]
fn a_log_that_does_not_fit_is_an_error_and_forgets_nothing() {
    let (store, clock) = store_for_logs(1_024);
    let limit = limit("100/h sliding-log");
    let mut admitted = 0;
    let mut full = 0;
    for _ in 0..1_000 {
        clock.advance(Micros::SECOND);
        match store.decide_now(&[Charge::new(&limit, "key", 1)]) {
            Ok(outcomes) if outcomes.is_allowed() => admitted += 1,
            Ok(_) => {}
            Err(error) => {
                assert_eq!(error.kind(), crate::StoreErrorKind::Full);
                full += 1;
            }
        }
    }
    assert_eq!((admitted, full), (64, 936));
}

#[test]
fn logs_that_share_the_bytes_never_admit_more_than_their_limit() {
    let (store, clock) = store_for_logs(64 << 10);
    let limit = limit("100/h sliding-log");
    let mut admitted = [0_u32; 64];
    for number in 0..64_000 {
        clock.advance(Micros::from_millis(5));
        let key = number % 64;
        let name = format!("key {key}");
        let decided = store.decide_now(&[Charge::new(&limit, &name, 1)]);
        admitted[key] += u32::from(decided.is_ok_and(|outcomes| outcomes.is_allowed()));
        assert!(store.log_bytes() <= 64 << 10);
    }
    assert!(
        admitted.iter().all(|admitted| *admitted <= 100),
        "{admitted:?}"
    );
}

#[test]
fn what_has_left_the_logs_makes_room_for_others() {
    let (store, clock) = store_for_logs(64 << 10);
    let limit = limit("1000/min sliding-log");
    for round in 0..10 {
        for number in 0..1_500 {
            clock.advance(Micros::new(1));
            let key = format!("round {round} key {}", number % 3);
            assert_eq!(verdict(&store, &limit, &key), Verdict::Allow);
        }
        clock.advance(Micros::MINUTE);
    }
    assert!(store.log_bytes() <= 64 << 10);
}

/// Case B111, for requests that cost more than one.
#[test]
fn flooding_frees_no_key_whose_last_request_was_denied_for_its_cost() {
    let (store, _) = store(100);
    let limit = limit("9/h fixed-window");
    let costly = [Charge::new(&limit, "costly", 5)];
    assert!(store.decide_now(&costly).unwrap().is_allowed());
    assert!(!store.decide_now(&costly).unwrap().is_allowed());
    for number in 0..1_000 {
        verdict(&store, &limit, &format!("flood {number}"));
    }
    assert!(!store.decide_now(&costly).unwrap().is_allowed());
    // Also where it was one of several charges.
    let (store, _) = self::store(100);
    let other = self::limit("1000/h");
    let several = [
        Charge::new(&other, "all", 1),
        Charge::new(&limit, "costly", 5),
    ];
    assert!(store.decide_now(&several).unwrap().is_allowed());
    assert!(!store.decide_now(&several).unwrap().is_allowed());
    for number in 0..1_000 {
        verdict(&store, &limit, &format!("flood {number}"));
    }
    assert!(!store.decide_now(&several).unwrap().is_allowed());
}

#[test]
fn full_logs_of_denied_keys_are_an_error_and_stay_denied() {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder()
        .clock(clock.clone())
        .max_log_bytes(4_096)
        .build();
    let limit = limit("16/h sliding-log");
    let mut full = None;
    'filling: for number in 0..100 {
        for _ in 0..17 {
            clock.advance(Micros::new(1));
            let key = format!("key {number}");
            if let Err(error) = store.decide_now(&[Charge::new(&limit, &key, 1)]) {
                full = Some((number, error));
                break 'filling;
            }
        }
    }
    let (keys, error) = full.unwrap();
    assert_eq!(error.kind(), crate::StoreErrorKind::Full);
    for number in 0..keys {
        assert_eq!(
            verdict(&store, &limit, &format!("key {number}")),
            Verdict::Deny
        );
    }
}

/// Case B129 and rule R1, with real threads.
#[test]
fn many_threads_on_one_key_admit_exactly_the_limit() {
    for algorithm in ["", " fixed-window", " sliding-window", " sliding-log"] {
        let (store, _) = store(1_000);
        let limit = limit(&format!("1000/h{algorithm}"));
        let admitted: usize = thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        (0..500)
                            .filter(|_| verdict(&store, &limit, "hot") == Verdict::Allow)
                            .count()
                    })
                })
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().unwrap())
                .sum()
        });
        assert_eq!(admitted, 1_000, "{algorithm}");
    }
}

#[test]
fn many_threads_on_stacked_limits_spend_all_or_nothing() {
    let (store, _) = store(1_000);
    let (shared, own) = (limit("1000/h"), limit("300/h fixed-window"));
    let admitted: Vec<usize> = thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|number| {
                let (store, shared, own) = (&store, &shared, &own);
                scope.spawn(move || {
                    let key = format!("user {}", number % 4);
                    // The order in which shards are locked must not depend on that of charges.
                    let mut charges = [Charge::new(shared, "all", 1), Charge::new(own, &key, 1)];
                    if number >= 4 {
                        charges.reverse();
                    }
                    (0..500)
                        .filter(|_| store.decide_now(&charges).unwrap().is_allowed())
                        .count()
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    assert_eq!(admitted.iter().sum::<usize>(), 1_000);
    let used: u64 = (0..4)
        .map(|number| {
            let key = format!("user {number}");
            300 - store.peek_now(&[Charge::new(&own, &key, 1)]).as_slice()[0].remaining
        })
        .sum();
    assert_eq!(used, 1_000);
}

#[test]
fn threads_in_a_full_store_keep_its_bound_and_lose_no_denial() {
    let (store, _) = store(500);
    let limit = limit("5/h");
    for number in 0..100 {
        let key = format!("denied {number}");
        while verdict(&store, &limit, &key) == Verdict::Allow {}
    }
    thread::scope(|scope| {
        for thread in 0..4 {
            let (store, limit) = (&store, &limit);
            scope.spawn(move || {
                for number in 0..5_000 {
                    let key = format!("flood {thread} {number}");
                    let pair = [Charge::new(limit, &key, 1), Charge::new(limit, "x", 0)];
                    store.decide_now(&pair[..1 + number % 2]).unwrap();
                    assert!(store.keys() <= 500);
                }
            });
        }
    });
    for number in 0..100 {
        assert_eq!(
            verdict(&store, &limit, &format!("denied {number}")),
            Verdict::Deny
        );
    }
    let held: usize = store
        .shards
        .iter()
        .map(|shard| shard.0.lock().table.len())
        .sum();
    assert_eq!((held, store.keys()), (500, 500));
}

#[test]
fn a_changed_limit_is_the_one_by_which_a_key_matters() {
    let (store, _) = store(2);
    let (before, after) = (limit("2/h"), limit("100/h"));
    for _ in 0..2 {
        verdict(&store, &before, "raised");
    }
    store
        .decide_now(&[Charge::new(&after, "other", 50)])
        .unwrap();
    // Under the raised limit the key has used little, so it goes first.
    verdict(&store, &after, "raised");
    verdict(&store, &after, "newcomer");
    let remaining =
        |key: &str| store.peek_now(&[Charge::new(&after, key, 1)]).as_slice()[0].remaining;
    assert_eq!((remaining("raised"), remaining("other")), (100, 50));
}

#[test]
fn more_limits_than_can_be_numbered_are_all_decided_rightly() {
    let (store, _) = store(100);
    for units in 1..=40_000_u64 {
        let limit = Limit::builder(units, std::time::Duration::from_secs(3_600))
            .build()
            .unwrap();
        let key = format!("key {}", units % 50);
        let outcomes = store.decide_now(&[Charge::new(&limit, &key, 1)]).unwrap();
        let outcome = outcomes.as_slice()[0];
        assert!(outcome.remaining < units);
    }
}
