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
struct Played {
    asked: usize,
    hits: usize,
    hits_on_several: usize,
}

/// Plays traces in which denials repeat.
fn play<S: Store>(store: S, clock: &ManualClock, seeds: u64) -> Played {
    let cached = Remote::new(around(store, clock));
    for seed in 0..seeds {
        let options = TraceOptions {
            seed,
            steps: 500,
            keys: 2,
            // A step back makes the cache forget.
            steps_back: seed % 4 == 0,
            repeats: 12,
            ..TraceOptions::default()
        };
        poll_now(conformance::random_trace(&cached, clock, &options));
    }
    let within = cached.inner.store();
    Played {
        asked: cached.decisions(),
        hits: cached.decisions() - within.decisions(),
        hits_on_several: cached.decisions_on_several() - within.decisions_on_several(),
    }
}

/// Each is some 250 decisions.
fn traces() -> u64 {
    std::env::var("TRACES").map_or(50, |seeds| seeds.parse().unwrap())
}

#[test]
fn a_cache_that_is_told_states_answers_like_the_oracle() {
    let clock = start();
    let store = ReferenceStore::new(clock.clone());
    let Played {
        asked,
        hits,
        hits_on_several,
    } = play(store, &clock, traces());
    println!("{hits} of {asked} from memory, of which {hits_on_several} by several limits");
    assert!(hits * 10 > asked, "{hits} of {asked}");
    assert!(hits_on_several * 50 > asked, "{hits_on_several} of {asked}");
}

#[test]
fn a_cache_that_is_told_outcomes_only_answers_like_the_oracle() {
    let clock = start();
    let store = MemoryStore::with_clock(clock.clone());
    let Played { asked, hits, .. } = play(store, &clock, traces());
    println!("{hits} of {asked} from memory");
    assert!(hits * 30 > asked, "{hits} of {asked}");
}

#[test]
#[ignore = "a long run: more than a hundred thousand decisions"]
fn a_hundred_thousand_decisions_agree_with_the_oracle() {
    let clock = start();
    let store = ReferenceStore::new(clock.clone());
    let Played { asked, hits, .. } = play(store, &clock, 800);
    println!("{hits} of {asked} from memory");
    assert!(asked > 100_000, "{asked}");
}
