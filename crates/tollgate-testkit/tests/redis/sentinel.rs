//! Sentinels replace a master that is gone.

use tollgate_testkit::redis::{Engine, RedisServer, Sentinel};

use crate::client::Client;
use crate::on_every_engine;
use crate::servers::is_alive;

#[test]
fn every_engine_replaces_a_master_that_dies() {
    on_every_engine(|engine| {
        let mut sentinel = Sentinel::start(engine);
        assert_eq!(sentinel.master(), 0);
        assert_eq!(sentinel.master_port(), sentinel.servers()[0].port());
        sentinel.servers()[0].command(&["SET", "key", "value"]);
        sentinel.servers()[0].command(&["WAIT", "1", "0"]);
        assert_eq!(sentinel.fail_master(), 1);
        assert_eq!(sentinel.master(), 1);
        let promoted = &sentinel.servers()[1];
        assert_eq!(promoted.command(&["GET", "key"]).text(), "value");
        promoted.command(&["SET", "key", "other"]);
    });
}

#[test]
fn a_master_that_hangs_is_replaced_and_does_not_know_it() {
    let options = RedisServer::builder().password("s3cret");
    let sentinel = Sentinel::start_like(&options, Some("0ther"));
    let held = sentinel.hang_master();
    let promoted = sentinel.await_promotion(held);
    assert_eq!(sentinel.master(), promoted);
    sentinel.servers()[held].resume();
    let role = sentinel.servers()[held].info("role");
    assert_eq!(role.as_deref(), Some("master"));
}

#[test]
fn sentinels_ask_for_their_password() {
    let options = RedisServer::builder().password("s3cret");
    let sentinel = Sentinel::start_like(&options, Some("0ther"));
    for (port, url) in sentinel.ports().into_iter().zip(sentinel.urls()) {
        assert_eq!(url, format!("redis://:0ther@127.0.0.1:{port}"));
        let mut client = Client::connect(port).unwrap();
        assert!(client.ask("PING").unwrap().starts_with("-NOAUTH"));
        assert_eq!(client.ask("AUTH 0ther").unwrap(), "+OK");
        assert_eq!(client.ask("PING").unwrap(), "+PONG");
    }
}

#[test]
fn two_sentinels_are_enough_and_none_is_left() {
    let mut sentinel = Sentinel::start(Engine::redis_7());
    let processes = sentinel.processes();
    assert_eq!(processes.len(), 5);
    sentinel.kill_sentinel(0);
    assert!(!is_alive(processes[0]));
    sentinel.fail_master();
    drop(sentinel);
    assert!(!processes.into_iter().any(is_alive));
}
