//! A flood of new keys against a full store. In release mode (`cargo test --release`) ten million
//! of them, else fewer.
#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails has failed its test"
)]

use tollgate::{Charge, Limit, ManualClock, MemoryStore, Micros, Timestamp, Verdict};

const CAP: usize = 100_000;
const FLOOD: u64 = if cfg!(debug_assertions) {
    500_000
} else {
    10_000_000
};

fn verdict(store: &MemoryStore<ManualClock>, limit: &Limit, key: &str) -> Verdict {
    let outcomes = store.decide_now(&[Charge::new(limit, key, 1)]).unwrap();
    outcomes.as_slice()[0].verdict
}

/// The pages that are really in memory.
fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: u64 = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

// Case B111.
#[test]
fn a_flood_of_new_keys_neither_grows_the_store_nor_frees_a_denied_key() {
    let clock = ManualClock::new(Timestamp::from_secs(1_800_000_000));
    let store = MemoryStore::builder()
        .clock(clock.clone())
        .max_keys(CAP)
        .build();
    let limit: Limit = "10/min".parse().unwrap();
    let login: Limit = "5/h fixed-window".parse().unwrap();
    for _ in 0..5 {
        assert_eq!(verdict(&store, &login, "2001:db8::dead"), Verdict::Allow);
    }
    assert_eq!(verdict(&store, &login, "2001:db8::dead"), Verdict::Deny);

    let mut key = String::new();
    let mut flood = |from: u64, to: u64| {
        for number in from..to {
            use std::fmt::Write as _;
            key.clear();
            write!(key, "2001:db8:{:x}:{:x}::1", number >> 16, number & 0xffff).unwrap();
            clock.advance(Micros::new(2));
            assert_eq!(verdict(&store, &limit, &key), Verdict::Allow);
        }
    };
    flood(0, 200_000);
    let full = resident_bytes();
    flood(200_000, FLOOD);
    let flooded = resident_bytes();

    assert_eq!(store.keys(), CAP);
    assert!(flooded < full + (1 << 20), "from {full} to {flooded} bytes");
    assert_eq!(verdict(&store, &login, "2001:db8::dead"), Verdict::Deny);
}
