//! On or off, the same outcomes.

use tollgate::{DenialCache, ManualClock, MemoryStore, Store};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::{ReferenceStore, poll_now};

use crate::given::{Remote, cached, start};

fn around<S: Store>(store: S, clock: &ManualClock) -> DenialCache<Remote<S>, ManualClock> {
    DenialCache::builder(Remote::new(store))
        .max_entries(1_000)
        .clock_of_store(clock.clone())
        .build()
}

#[test]
fn a_cached_store_conforms() {
    let clock = start();
    poll_now(conformance::run_all(&cached(&clock), &clock));
}

#[test]
fn a_cached_memory_store_conforms() {
    let clock = start();
    let store = DenialCache::builder(MemoryStore::with_clock(clock.clone()))
        .clock_of_store(clock.clone())
        .build();
    poll_now(conformance::run_all(&store, &clock));
}

/// Of the decisions in some traces, those that were answered from memory.
#[derive(Debug, Default)]
struct Played {
    asked: usize,
    hits: usize,
    hits_on_several: usize,
}

/// Plays traces in which denials repeat, each on a new store.
fn play<S: Store>(store: impl Fn(ManualClock) -> S, seeds: u64) -> Played {
    let mut played = Played::default();
    for seed in 0..seeds {
        let clock = start();
        let cached = Remote::new(around(store(clock.clone()), &clock));
        let options = TraceOptions {
            seed,
            steps: 500,
            keys: 2,
            // A step back makes the cache forget.
            steps_back: seed % 4 == 0,
            repeats: 12,
            ..TraceOptions::default()
        };
        poll_now(conformance::random_trace(&cached, &clock, &options));
        let within = cached.inner.store();
        let several = cached.decisions_on_several() - within.decisions_on_several();
        played.asked += cached.decisions();
        played.hits += cached.decisions() - within.decisions();
        played.hits_on_several += several;
    }
    played
}

/// Each is some 250 decisions.
fn traces() -> u64 {
    std::env::var("TRACES").map_or(100, |seeds| seeds.parse().unwrap())
}

#[test]
fn a_cache_that_is_told_states_answers_like_the_oracle() {
    let played = play(ReferenceStore::new, traces());
    println!("{played:?}");
    assert!(played.hits * 10 > played.asked, "{played:?}");
    assert!(played.hits_on_several * 50 > played.asked, "{played:?}");
}

#[test]
fn a_cache_that_is_told_outcomes_only_answers_like_the_oracle() {
    let played = play(MemoryStore::with_clock, traces());
    println!("{played:?}");
    assert!(played.hits * 30 > played.asked, "{played:?}");
}

#[test]
#[ignore = "a long run: more than a hundred thousand decisions"]
fn a_hundred_thousand_decisions_agree_with_the_oracle() {
    let played = play(ReferenceStore::new, 1_000);
    println!("{played:?}");
    assert!(played.asked > 100_000, "{played:?}");
    let played = play(MemoryStore::with_clock, 1_000);
    println!("{played:?}");
    assert!(played.asked > 100_000, "{played:?}");
}
