//! What every cache promises, in this process and in Redis.

use std::sync::Arc;

use axum::body::Bytes;
use taskflow::Clock;
use taskflow::cache::{Cache, Lookup, MemoryCache, RedisCache, Ticket};
use taskflow::config::RedisUrl;
use taskflow::redis_connection::RedisConnection;
use tollgate_testkit::RedisServer;

use crate::support::{PATIENCE, redis::Client};

fn in_redis(server: &RedisServer) -> RedisCache {
    let url = RedisUrl::parse(&server.url()).unwrap();
    RedisCache::new(RedisConnection::new(&url, PATIENCE).unwrap(), 60)
}

fn each(server: &RedisServer) -> [Arc<dyn Cache>; 2] {
    let memory = MemoryCache::new(Clock::manual(Arc::default()), 1 << 20, 60);
    [Arc::new(memory), Arc::new(in_redis(server))]
}

async fn ticket(cache: &dyn Cache, key: &str) -> Ticket {
    match cache.lookup(key).await {
        Lookup::Miss(ticket) => ticket,
        Lookup::Hit(value) => panic!("{key} is stored: {value:?}"),
    }
}

async fn stored(cache: &dyn Cache, key: &str) -> Option<Bytes> {
    match cache.lookup(key).await {
        Lookup::Hit(value) => Some(value),
        Lookup::Miss(_) => None,
    }
}

const OLD: Bytes = Bytes::from_static(b"old");
const NEW: Bytes = Bytes::from_static(b"new \0 \xff");

#[tokio::test]
async fn serves_what_was_filled_until_invalidated() {
    let server = RedisServer::start();
    for cache in each(&server) {
        let (first, second) = (ticket(&*cache, "a").await, ticket(&*cache, "a").await);
        cache.fill("a", first, OLD).await;
        assert_eq!(stored(&*cache, "a").await, Some(OLD));
        // Two readers who missed at the same time.
        cache.fill("a", second, NEW).await;
        assert_eq!(stored(&*cache, "a").await, Some(NEW));
        assert_eq!(stored(&*cache, "b").await, None);
        cache.invalidate("a").await;
        assert_eq!(stored(&*cache, "a").await, None);
    }
}

#[tokio::test]
async fn refuses_what_was_loaded_before_an_invalidation() {
    let server = RedisServer::start();
    for cache in each(&server) {
        let before = ticket(&*cache, "a").await;
        cache.invalidate("a").await;
        cache.fill("a", before, OLD).await;
        assert_eq!(stored(&*cache, "a").await, None);
        let after = ticket(&*cache, "a").await;
        cache.fill("a", before, OLD).await;
        assert_eq!(stored(&*cache, "a").await, None);
        cache.fill("a", after, NEW).await;
        cache.fill("a", before, OLD).await;
        assert_eq!(stored(&*cache, "a").await, Some(NEW));
    }
}

#[tokio::test]
async fn a_ticket_is_void_once_redis_has_lost_its_memory() {
    let mut server = RedisServer::start();
    let cache = in_redis(&server);
    let before = ticket(&cache, "a").await;
    server.start_again();
    let client = Client::connect(&server).await;
    let filled = async {
        // Until the cache is connected again, which makes a generation of its own.
        while client.keys("cache:").await.is_empty() {
            ticket(&cache, "a").await;
        }
    };
    tokio::time::timeout(PATIENCE, filled).await.unwrap();
    cache.fill("a", before, OLD).await;
    assert_eq!(stored(&cache, "a").await, None);
}

#[tokio::test]
async fn the_keys_of_a_value_share_a_slot_and_both_have_a_lifetime() {
    let server = RedisServer::start();
    let cache = in_redis(&server);
    cache.fill("a", ticket(&cache, "a").await, OLD).await;
    let client = Client::connect(&server).await;
    let mut keys = client.keys("").await;
    keys.sort();
    assert_eq!(keys, ["cache:{a}", "cache:{a}:generation"]);
    let value: i64 = client.run("TTL cache:{a}").await;
    let generation: i64 = client.run("TTL cache:{a}:generation").await;
    assert!((1..=60).contains(&value), "{value}");
    assert!((61..=300).contains(&generation), "{generation}");
}

#[tokio::test]
async fn a_very_large_value_is_not_sent_to_redis() {
    let server = RedisServer::start();
    let cache = in_redis(&server);
    let bytes = |size| Bytes::from(vec![b'x'; size]);
    cache
        .fill("a", ticket(&cache, "a").await, bytes(1 << 20))
        .await;
    assert_eq!(stored(&cache, "a").await, Some(bytes(1 << 20)));
    let too_large = bytes((1 << 20) + 1);
    cache.fill("b", ticket(&cache, "b").await, too_large).await;
    assert_eq!(stored(&cache, "b").await, None);
}
