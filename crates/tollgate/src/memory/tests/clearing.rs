//! Forgetting everything.

use super::*;

const EACH: [&str; 4] = [
    "5/min",
    "5/min fixed-window",
    "5/min sliding-window",
    "5/min sliding-log",
];

#[test]
fn forgets_every_key_of_every_algorithm_and_gives_its_room_back() {
    let (store, _) = store(100_000);
    let limits = EACH.map(limit);
    for number in 0..2_000 {
        let key = format!("key {number}");
        let charges = limits.each_ref().map(|limit| Charge::new(limit, &key, 5));
        assert!(store.decide_now(&charges).unwrap().is_allowed());
    }
    assert!(store.keys() == 8_000 && store.log_bytes() > 0);
    store.clear();
    assert_eq!((store.keys(), store.log_bytes()), (0, 0));
    for number in 0..2_000 {
        let key = format!("key {number}");
        let charges = limits.each_ref().map(|limit| Charge::new(limit, &key, 5));
        assert!(store.decide_now(&charges).unwrap().is_allowed());
    }
    assert_eq!((store.keys(), store.evictions()), (8_000, 0));
}

#[test]
fn a_full_store_that_is_cleared_takes_as_many_keys_again() {
    let (store, _) = store(1_000);
    let limit = limit("1/h");
    for round in 0..3 {
        for number in 0..1_000 {
            let key = format!("key {round} {number}");
            assert_eq!(verdict(&store, &limit, &key), Verdict::Allow);
        }
        assert_eq!((store.keys(), store.evictions()), (1_000, 0));
        store.clear();
    }
}

#[test]
fn what_is_charged_while_it_is_cleared_is_counted_once_or_forgotten() {
    let (store, _) = store(10_000);
    let limits = EACH.map(limit);
    thread::scope(|scope| {
        for thread in 0..3 {
            let (store, limits) = (&store, &limits);
            scope.spawn(move || {
                for number in 0..3_000 {
                    let key = format!("{thread} {number}");
                    let charges = limits.each_ref().map(|limit| Charge::new(limit, &key, 1));
                    store.decide_now(&charges).unwrap();
                }
            });
        }
        for _ in 0..50 {
            store.clear();
        }
    });
    let held: usize = store
        .shards
        .iter()
        .map(|shard| shard.0.lock().table.len())
        .sum();
    assert_eq!(store.keys(), held);
    store.clear();
    assert_eq!((store.keys(), store.log_bytes()), (0, 0));
}
