//! What is stored, and for how long.

use std::panic::catch_unwind;
use std::time::Duration;

use tollgate_testkit::redis::{Cluster, Engine, RedisServer};

use crate::on_every_engine;

const MINUTE: Duration = Duration::from_mins(1);

fn assertion_fails(server: &RedisServer, prefix: &str) -> String {
    let assertion = || server.assert_lifetimes(prefix, MINUTE);
    let panic = catch_unwind(std::panic::AssertUnwindSafe(assertion)).unwrap_err();
    panic.downcast_ref::<String>().map_or_else(
        || panic.downcast_ref::<&str>().unwrap().to_string(),
        Clone::clone,
    )
}

#[test]
fn keys_under_a_prefix_are_found_with_their_types_and_lifetimes() {
    on_every_engine(|engine| {
        let server = RedisServer::start_engine(engine);
        server.command(&["SET", "a*:1", "value", "PX", "60000"]);
        server.command(&["HSET", "a*:2", "field", "value"]);
        server.command(&["SET", "ab:3", "value"]);
        let keys = server.keys_under("a*:");
        let found: Vec<_> = keys.iter().map(|key| (&*key.key, &*key.kind)).collect();
        assert_eq!(found, [("a*:1", "string"), ("a*:2", "hash")]);
        assert!(keys[0].lifetime.unwrap() <= MINUTE);
        assert_eq!(keys[1].lifetime, None);
    });
}

#[test]
fn a_key_that_stays_too_long_or_for_ever_is_named() {
    let server = RedisServer::start();
    assert_eq!(assertion_fails(&server, "p:"), "nothing is stored");
    server.command(&["SET", "p:short", "value", "PX", "60000"]);
    server.assert_lifetimes("p:", MINUTE);
    server.command(&["SET", "p:long", "value", "PX", "90000"]);
    let message = assertion_fails(&server, "p:");
    assert!(
        message.contains("p:long") && !message.contains("p:short"),
        "{message}"
    );
    server.command(&["SET", "p:long", "value"]);
    let message = assertion_fails(&server, "p:");
    assert!(
        message.contains("p:long") && !message.contains("p:short"),
        "{message}"
    );
}

#[test]
fn the_keys_of_a_cluster_are_those_of_all_masters() {
    let cluster = Cluster::start(Engine::redis_7());
    let keys: Vec<_> = (10..30).map(|number| format!("p:{number}")).collect();
    let mut masters: Vec<_> = keys
        .iter()
        .map(|key| {
            let master = cluster.master_of(cluster.slot_of(key));
            cluster.nodes()[master].command(&["SET", key, "value", "PX", "60000"]);
            master
        })
        .collect();
    masters.sort_unstable();
    masters.dedup();
    assert_eq!(masters.len(), 3);
    let found = cluster.keys_under("p:");
    let found: Vec<_> = found.into_iter().map(|key| key.key).collect();
    assert_eq!(found, keys);
    cluster.assert_lifetimes("p:", MINUTE);
}
