use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::*;

fn cache(max_bytes: usize) -> MemoryCache {
    MemoryCache::new(Clock::manual(Arc::default()), max_bytes, 60)
}

fn ticket(cache: &MemoryCache, key: &str) -> Ticket {
    match cache.lookup_now(key) {
        Lookup::Miss(ticket) => ticket,
        Lookup::Hit(value) => panic!("{key} is stored: {value:?}"),
    }
}

fn store(cache: &MemoryCache, key: &str, value: &[u8]) {
    cache.fill_now(key, ticket(cache, key), Bytes::copy_from_slice(value));
}

fn stored(cache: &MemoryCache, key: &str) -> Option<Vec<u8>> {
    match cache.lookup_now(key) {
        Lookup::Hit(value) => Some(value.to_vec()),
        Lookup::Miss(_) => None,
    }
}

#[test]
fn serves_what_was_filled_until_invalidated() {
    let cache = cache(1000);
    store(&cache, "a", b"1");
    assert_eq!(stored(&cache, "a"), Some(b"1".to_vec()));
    cache.invalidate_now("a");
    assert_eq!(stored(&cache, "a"), None);
}

#[test]
fn refuses_what_was_loaded_before_an_invalidation() {
    let cache = cache(1000);
    let before = ticket(&cache, "a");
    cache.invalidate_now("a");
    cache.fill_now("a", before, Bytes::from_static(b"old"));
    assert_eq!(stored(&cache, "a"), None);
    store(&cache, "a", b"new");
    assert_eq!(stored(&cache, "a"), Some(b"new".to_vec()));
}

#[test]
fn an_old_ticket_does_not_overwrite_a_newer_fill() {
    let cache = cache(1000);
    let before = ticket(&cache, "a");
    cache.invalidate_now("a");
    store(&cache, "a", b"new");
    cache.fill_now("a", before, Bytes::from_static(b"old"));
    assert_eq!(stored(&cache, "a"), Some(b"new".to_vec()));
}

#[test]
fn stays_within_its_bytes_and_keeps_what_was_used_last() {
    let cache = cache(22);
    store(&cache, "a", &[1; 10]);
    store(&cache, "b", &[2; 10]);
    assert!(stored(&cache, "a").is_some());
    store(&cache, "c", &[3; 10]);
    assert_eq!(stored(&cache, "b"), None);
    assert!(stored(&cache, "a").is_some() && stored(&cache, "c").is_some());
    assert_eq!(cache.lock().bytes, 22);
    cache.invalidate_now("a");
    cache.invalidate_now("c");
    assert_eq!(cache.lock().bytes, 0);
}

#[test]
fn refilling_a_key_counts_its_bytes_once() {
    let cache = cache(100);
    let first = ticket(&cache, "a");
    cache.fill_now("a", first, vec![0; 40].into());
    cache.fill_now("a", first, vec![0; 20].into());
    assert_eq!(cache.lock().bytes, 21);
}

#[test]
fn never_stores_what_is_larger_than_the_whole_cache() {
    let cache = cache(10);
    store(&cache, "b", &[2; 5]);
    store(&cache, "a", &[1; 10]);
    assert_eq!(stored(&cache, "a"), None);
    assert!(stored(&cache, "b").is_some());
}

#[test]
fn forgets_after_the_lifetime() {
    let seconds = Arc::new(AtomicI64::new(0));
    let cache = MemoryCache::new(Clock::manual(Arc::clone(&seconds)), 100, 60);
    store(&cache, "a", b"1");
    seconds.store(59, Ordering::SeqCst);
    assert!(stored(&cache, "a").is_some());
    seconds.store(60, Ordering::SeqCst);
    assert_eq!(stored(&cache, "a"), None);
}
