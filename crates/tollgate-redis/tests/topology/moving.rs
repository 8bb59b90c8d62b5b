//! Slots that move while they are in use.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tollgate::{Charge, Store};
use tollgate_testkit::redis::{Cluster, Engine};

use crate::given::{PATIENCE, decide, key_of, limit, on_cluster, slot_of};

const LARGE: u64 = 1_000_000_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slot_moved_under_load_costs_no_error_and_no_count() {
    for engine in Engine::all() {
        let cluster = Cluster::start(engine);
        let stores: Vec<_> = (0..2)
            .map(|_| Arc::new(on_cluster(&cluster).prefix("moving").timeout(PATIENCE)))
            .collect();
        // So many that a bucket would refill while they are counted.
        let text = format!("{LARGE}/366d fixed-window");
        let limit = Arc::new(tollgate_testkit::given::limit(&text));
        let key = Arc::new(key_of(&cluster, 0));
        let (ends, admitted) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let tasks: Vec<_> = (0..8)
            .map(|task| {
                let store = Arc::clone(&stores[task % stores.len()]);
                let (limit, key) = (Arc::clone(&limit), Arc::clone(&key));
                let (ends, admitted) = (Arc::clone(&ends), Arc::clone(&admitted));
                tokio::spawn(async move {
                    while !ends.load(Ordering::SeqCst) {
                        let outcomes = decide(&store, &limit, &key).await.unwrap();
                        assert!(outcomes.is_allowed());
                        admitted.fetch_add(1, Ordering::SeqCst);
                    }
                })
            })
            .collect();
        let slot = slot_of(&cluster, &key);
        let more = |than: u64| {
            let admitted = Arc::clone(&admitted);
            tollgate_testkit::redis::until("more is admitted", move || {
                admitted.load(Ordering::SeqCst) > than + 50
            });
        };
        more(0);
        for to in [1, 2, 0] {
            let moving = cluster.begin_move(slot, to);
            more(admitted.load(Ordering::SeqCst));
            for stored in moving.keys_left() {
                moving.move_key(&stored);
            }
            // Now the old master says ASK.
            more(admitted.load(Ordering::SeqCst));
            moving.finish();
            // And now MOVED.
            more(admitted.load(Ordering::SeqCst));
        }
        ends.store(true, Ordering::SeqCst);
        for task in tasks {
            task.await.unwrap();
        }
        let looked = stores[0].peek(&[Charge::new(&limit, &key, 0)]).await;
        let used = LARGE - looked.unwrap().deciding().unwrap().remaining;
        assert_eq!(used, admitted.load(Ordering::SeqCst));
    }
}

#[tokio::test]
async fn a_new_key_of_a_slot_that_is_moving_is_counted_where_the_slot_goes() {
    let cluster = Cluster::start(Engine::redis_7());
    let store = on_cluster(&cluster);
    let key = key_of(&cluster, 0);
    let moving = cluster.begin_move(slot_of(&cluster, &key), 1);
    let limit = limit(2);
    for is_allowed in [true, true, false] {
        let outcomes = decide(&store, &limit, &key).await.unwrap();
        assert_eq!(outcomes.is_allowed(), is_allowed);
    }
    assert!(moving.keys_left().is_empty());
    moving.finish();
    assert!(!decide(&store, &limit, &key).await.unwrap().is_allowed());
}

/// The limits of one key, some of whose counts have moved and some not.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_on_keys_in_two_places_waits_until_they_are_in_one() {
    let cluster = Cluster::start(Engine::redis_7());
    let store = Arc::new(on_cluster(&cluster));
    let limits = ["5/366d", "5/366d fixed-window"].map(tollgate_testkit::given::limit);
    let key = key_of(&cluster, 0);
    let charges: Vec<_> = limits
        .iter()
        .map(|limit| Charge::new(limit, &key, 1))
        .collect();
    store.decide(&charges).await.unwrap();
    let moving = cluster.begin_move(slot_of(&cluster, &key), 1);
    moving.move_key(&moving.keys_left()[0]);
    // As long as that stays so there is no answer; and nothing is counted.
    let error = store.decide(&charges).await.unwrap_err();
    assert!(error.is_transient(), "{error}");
    let (limits, key) = (limits.clone(), key.clone());
    let asking = tokio::spawn(async move {
        let charges: Vec<_> = limits
            .iter()
            .map(|limit| Charge::new(limit, &key, 1))
            .collect();
        store.decide(&charges).await
    });
    moving.finish();
    let outcomes = asking.await.unwrap().unwrap();
    let left: Vec<_> = outcomes.iter().map(|outcome| outcome.remaining).collect();
    assert_eq!(left, [3, 3]);
}
