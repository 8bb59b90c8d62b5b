//! A cluster forms, loses masters, and moves slots.

use tollgate_testkit::redis::{Cluster, Engine, RedisServer, SLOTS};

use crate::on_every_engine;

/// A key that this node has.
fn key_of(cluster: &Cluster, node: usize) -> String {
    let mut keys = (0..).map(|number| format!("key-{number}"));
    keys.find(|key| cluster.master_of(cluster.slot_of(key)) == node)
        .unwrap()
}

#[test]
fn every_engine_forms_a_cluster_of_three_masters() {
    on_every_engine(|engine| {
        let cluster = Cluster::start(engine);
        let mut masters = cluster.masters();
        masters.sort_unstable();
        assert_eq!(masters, [0, 1, 2]);
        assert_eq!(cluster.master_of(0), 0);
        assert_eq!(cluster.master_of(SLOTS - 1), 2);
        assert_eq!(cluster.urls().len(), Cluster::NODES);
        for replica in 3..6 {
            let role = cluster.nodes()[replica].info("role");
            assert_eq!(role.as_deref(), Some("slave"));
        }
        let key = key_of(&cluster, 0);
        let elsewhere = cluster.nodes()[1].try_command(&["SET", &key, "value"]);
        assert!(elsewhere.unwrap_err().starts_with("MOVED"));
        cluster.nodes()[0].command(&["SET", &key, "value"]);
    });
}

#[test]
fn a_replica_takes_the_place_of_a_master_that_dies_and_the_dead_one_follows_it() {
    let mut cluster = Cluster::start(Engine::valkey_9());
    let key = key_of(&cluster, 0);
    cluster.nodes()[0].command(&["SET", &key, "value"]);
    cluster.nodes()[0].command(&["WAIT", "1", "0"]);
    let promoted = cluster.fail_master(0);
    assert_eq!(promoted, cluster.partner_of(0));
    assert_eq!(cluster.master_of(0), promoted);
    let kept = cluster.nodes()[promoted].command(&["GET", &key]);
    assert_eq!(kept.text(), "value");
    cluster.start_again(0);
    assert_eq!(cluster.nodes()[0].info("role").as_deref(), Some("slave"));
    assert_eq!(cluster.master_of(0), promoted);
}

#[test]
fn a_replica_takes_the_place_of_a_master_that_hangs() {
    let options = RedisServer::builder().password("s3cret");
    let cluster = Cluster::start_like(&options);
    cluster.hang_master(1);
    let promoted = cluster.await_promotion(1);
    assert_eq!(cluster.master_of(SLOTS / 2), promoted);
    cluster.nodes()[1].resume();
    cluster.settle();
    assert_eq!(cluster.nodes()[1].info("role").as_deref(), Some("slave"));
}

#[test]
fn a_slot_moves_key_by_key() {
    on_every_engine(|engine| {
        // Before Redis 7, the old master sends on who asks for keys of both kinds, and the new one
        // says `TRYAGAIN`.
        let is_old = engine.version().starts_with("6.");
        let to_both = if is_old { "ASK" } else { "TRYAGAIN" };
        let options = RedisServer::builder().engine(engine).password("s3cret");
        let cluster = Cluster::start_like(&options);
        let slot = cluster.slot_of("{tag}");
        let from = cluster.master_of(slot);
        let to = (from + 1) % 3;
        let [old, new] = [&cluster.nodes()[from], &cluster.nodes()[to]];
        for key in ["{tag}1", "{tag}2"] {
            old.command(&["SET", key, "value"]);
        }

        let moving = cluster.begin_move(slot, to);
        assert_eq!((moving.from(), moving.to()), (from, to));
        assert_eq!(old.command(&["GET", "{tag}1"]).text(), "value");
        let absent = old.try_command(&["GET", "{tag}3"]);
        assert!(absent.unwrap_err().starts_with("ASK"));

        moving.move_key("{tag}1");
        assert_eq!(moving.keys_left(), ["{tag}2"]);
        let moved = old.try_command(&["GET", "{tag}1"]);
        assert!(moved.unwrap_err().starts_with("ASK"));
        let torn = old.try_command(&["MGET", "{tag}1", "{tag}2"]);
        assert!(torn.unwrap_err().starts_with(to_both));

        moving.finish();
        assert_eq!(cluster.master_of(slot), to);
        assert_eq!(new.command(&["GET", "{tag}2"]).text(), "value");
        let moved = old.try_command(&["GET", "{tag}2"]);
        assert!(moved.unwrap_err().starts_with("MOVED"));

        cluster.move_slot(slot, from);
        assert_eq!(old.command(&["GET", "{tag}2"]).text(), "value");
    });
}
