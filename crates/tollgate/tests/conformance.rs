//! The store in memory does what every store must do.

use tollgate::{ManualClock, MemoryStore};
use tollgate_testkit::conformance::{self, TraceOptions};
use tollgate_testkit::{ReferenceStore, poll_now};

#[test]
fn memory_store_conforms() {
    let clock = ManualClock::new(conformance::START);
    let store = MemoryStore::with_clock(clock.clone());
    poll_now(conformance::run_all(&store, &clock));
}

#[test]
fn memory_store_decides_random_traces_like_the_oracle() {
    let clock = ManualClock::new(conformance::START);
    let store = MemoryStore::with_clock(clock.clone());
    let seeds = std::env::var("TRACES").map_or(100, |seeds| seeds.parse().unwrap());
    for seed in 1_000..1_000 + seeds {
        let options = TraceOptions {
            seed,
            steps: 300,
            ..TraceOptions::default()
        };
        poll_now(conformance::random_trace(&store, &clock, &options));
    }
}

/// The suite itself is right about the oracle.
#[test]
fn the_oracle_conforms() {
    let clock = ManualClock::new(conformance::START);
    let store = ReferenceStore::new(clock.clone());
    poll_now(conformance::run_all(&store, &clock));
}
