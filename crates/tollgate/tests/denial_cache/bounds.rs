//! Memory.

use tollgate::{Charge, DenialCache, Store};
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{Cached, Remote, ask, exhaust, limit, start};

fn small(max_entries: usize) -> Cached {
    let clock = start();
    DenialCache::builder(Remote::new(ReferenceStore::new(clock.clone())))
        .max_entries(max_entries)
        .clock_of_store(clock)
        .build()
}

#[test]
fn a_flood_of_denied_keys_fills_the_cache_to_its_bound() {
    let limit = limit("1/min");
    for max_entries in [0, 1, 7, 16, 100, 1_000] {
        let store = small(max_entries);
        for key in 0..3_000 {
            exhaust(&store, &limit, &key.to_string());
        }
        let entries = store.entries();
        assert!(entries <= max_entries.max(1), "{entries} of {max_entries}");
        assert!(entries * 2 > max_entries, "{entries} of {max_entries}");
    }
}

#[test]
fn a_full_cache_keeps_those_who_wait_longest() {
    let (hour, minute) = (limit("1/h"), limit("1/min"));
    let store = small(16);
    for key in 0..16 {
        exhaust(&store, &hour, &key.to_string());
    }
    for key in 0..1_000 {
        exhaust(&store, &minute, &key.to_string());
    }
    let asked = store.store().decisions();
    for key in 0..16 {
        assert!(!ask(&store, &hour, &key.to_string()).is_allowed());
    }
    assert_eq!(store.store().decisions(), asked);

    // Of those who wait less long, the first to be let go are dropped.
    let (day, store) = (limit("1/d"), small(16));
    for key in 0..8 {
        exhaust(&store, &minute, &key.to_string());
        exhaust(&store, &hour, &key.to_string());
    }
    for key in 0..8 {
        exhaust(&store, &day, &key.to_string());
    }
    let asked = store.store().decisions();
    for key in 0..8 {
        assert!(!ask(&store, &hour, &key.to_string()).is_allowed());
        assert!(!ask(&store, &day, &key.to_string()).is_allowed());
    }
    assert_eq!(store.store().decisions(), asked);

    // Newcomers who wait longer take the places of all.
    let store = small(16);
    for key in 0..16 {
        exhaust(&store, &minute, &key.to_string());
    }
    for key in 0..16 {
        exhaust(&store, &hour, &key.to_string());
    }
    let asked = store.store().decisions();
    for key in 0..16 {
        assert!(!ask(&store, &hour, &key.to_string()).is_allowed());
    }
    assert_eq!(store.store().decisions(), asked);
}

#[test]
fn forgetting_one_key_keeps_its_neighbours() {
    let limit = limit("1/h");
    let store = small(16);
    for key in 0..16 {
        exhaust(&store, &limit, &key.to_string());
    }
    for forgotten in 0..15 {
        poll_now(store.reset(&limit, "", &forgotten.to_string())).unwrap();
        let asked = store.store().decisions();
        for key in forgotten + 1..16 {
            assert!(!ask(&store, &limit, &key.to_string()).is_allowed());
        }
        assert_eq!(store.store().decisions(), asked);
    }
    assert_eq!(store.entries(), 1);
}

#[test]
fn a_known_denial_allocates_nothing() {
    let store = small(100);
    let (narrow, wide) = (limit("1/min"), limit("100/h"));
    let alone = [Charge::new(&narrow, "alone", 1)];
    let both = [&narrow, &wide].map(|limit| Charge::new(limit, "both", 1));
    for charges in [&alone[..], &both[..]] {
        while crate::given::decide(&store, charges).is_allowed() {}
        let allocated = allocation_counter::measure(|| {
            for _ in 0..100 {
                let denied = store.decide_at_once(charges).unwrap().unwrap();
                assert!(!denied.is_allowed());
            }
        });
        assert_eq!(allocated.count_total, 0);
    }
}
