//! The cache inside this process.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use lru::LruCache;

use super::{BoxFuture, Cache, Lookup, Ticket};
use crate::clock::Clock;

/// How many generation counters there are. Keys that share one only refuse each
/// other a fill now and then.
const GENERATIONS: usize = 1024;

/// Bytes in memory, the least recently used forgotten first.
#[derive(Debug)]
pub struct MemoryCache {
    state: Mutex<State>,
    hasher: RandomState,
    clock: Clock,
    max_bytes: usize,
    lifetime_secs: i64,
}

#[derive(Debug)]
struct State {
    entries: LruCache<String, Entry>,
    /// The sum of what the entries hold, keys included.
    bytes: usize,
    /// A fixed number, so that no key needs to be remembered once forgotten.
    generations: Box<[u64]>,
}

#[derive(Debug)]
struct Entry {
    value: Bytes,
    expires_at: i64,
}

impl MemoryCache {
    /// A cache of at most `max_bytes`, each entry for at most `lifetime_secs`.
    ///
    /// The lifetime matters only where a second process writes to the same
    /// database: it does not reach this process's cache.
    #[must_use]
    pub fn new(clock: Clock, max_bytes: usize, lifetime_secs: i64) -> Self {
        let state = State {
            entries: LruCache::unbounded(),
            bytes: 0,
            generations: vec![0; GENERATIONS].into_boxed_slice(),
        };
        Self {
            state: Mutex::new(state),
            hasher: RandomState::new(),
            clock,
            max_bytes,
            lifetime_secs,
        }
    }

    fn lookup_now(&self, key: &str) -> Lookup {
        let now = self.clock.now();
        let slot = self.slot(key);
        let mut state = self.lock();
        match state.entries.get(key) {
            Some(entry) if entry.expires_at > now => Lookup::Hit(entry.value.clone()),
            Some(_) | None => Lookup::Miss(Ticket::new(state.generation(slot))),
        }
    }

    fn fill_now(&self, key: &str, ticket: Ticket, value: Bytes) {
        let size = key.len() + value.len();
        let entry = Entry {
            value,
            expires_at: self.clock.now().saturating_add(self.lifetime_secs),
        };
        let slot = self.slot(key);
        let mut state = self.lock();
        if state.generation(slot) != ticket.generation() || size > self.max_bytes {
            return;
        }
        state.forget(key);
        state.entries.put(key.to_owned(), entry);
        state.bytes += size;
        while state.bytes > self.max_bytes && state.forget_oldest() {}
    }

    fn invalidate_now(&self, key: &str) {
        let slot = self.slot(key);
        let mut state = self.lock();
        state.forget(key);
        if let Some(generation) = state.generations.get_mut(slot) {
            *generation += 1;
        }
    }

    /// Which generation counter is the key's.
    fn slot(&self, key: &str) -> usize {
        usize::try_from(self.hasher.hash_one(key) % (GENERATIONS as u64)).unwrap_or(0)
    }

    /// No operation leaves the state half changed, so a poisoned lock holds a good one.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn generation(&self, slot: usize) -> u64 {
        self.generations.get(slot).copied().unwrap_or(0)
    }

    fn forget(&mut self, key: &str) {
        if let Some(entry) = self.entries.pop(key) {
            self.bytes -= key.len() + entry.value.len();
        }
    }

    fn forget_oldest(&mut self) -> bool {
        let oldest = self.entries.pop_lru();
        if let Some((key, entry)) = &oldest {
            self.bytes -= key.len() + entry.value.len();
        }
        oldest.is_some()
    }
}

impl Cache for MemoryCache {
    fn lookup<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Lookup> {
        Box::pin(std::future::ready(self.lookup_now(key)))
    }

    fn fill<'a>(&'a self, key: &'a str, ticket: Ticket, value: Bytes) -> BoxFuture<'a, ()> {
        self.fill_now(key, ticket, value);
        Box::pin(std::future::ready(()))
    }

    fn invalidate<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        self.invalidate_now(key);
        Box::pin(std::future::ready(()))
    }
}

#[cfg(test)]
mod tests;
