//! Servers that say why they do not run a script.

use std::path::Path;

use tollgate::{Charge, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::given::limit;
use tollgate_testkit::{RedisServer, conformance};

use crate::fake::FakeServer;
use crate::given::{PATIENCE, command, connection, lifetimes, on_manual_clock, on_server_clock};

async fn refused(store: &RedisStore) -> StoreError {
    let limit = limit("10/h");
    let charges = [Charge::new(&limit, "k", 1)];
    store.decide(&charges).await.unwrap_err()
}

fn assert_says(error: &StoreError, kind: StoreErrorKind, words: &str) {
    assert_eq!(error.kind(), kind, "{error:?}");
    assert!(error.to_string().contains(words), "{error:?}");
}

#[tokio::test]
async fn each_refusal_is_told_in_words() {
    use StoreErrorKind::{Full, Protocol, Unavailable};

    let refusals = [
        (
            "LOADING Redis is loading the dataset in memory",
            Unavailable,
            "loading",
        ),
        (
            "MISCONF Errors writing to the AOF file",
            Unavailable,
            "cannot save",
        ),
        ("BUSY Redis is busy running a script", Unavailable, "busy"),
        (
            "NOREPLICAS Not enough good replicas to write",
            Unavailable,
            "too few replicas",
        ),
        (
            "MASTERDOWN Link with MASTER is down",
            Unavailable,
            "lost its master",
        ),
        (
            "NOPERM User has no permissions",
            Unavailable,
            "may not run a command",
        ),
        ("NOAUTH Authentication required", Unavailable, "password"),
        ("OOM command not allowed", Full, "no memory"),
        ("CLUSTERDOWN The cluster is down", Unavailable, "cluster"),
        (
            "READONLY You can't write against a read only replica",
            Unavailable,
            "read-only",
        ),
        (
            "ERR script: f: -READONLY You can't write, on @user_script:1",
            Unavailable,
            "read-only",
        ),
        (
            "ERR script: f: -OOM command not allowed, on @user_script:1",
            Full,
            "no memory",
        ),
        (
            "ERR script: f: -MISCONF cannot save, on @user_script:1",
            Unavailable,
            "cannot save",
        ),
        ("ERR something else", Protocol, "could not run"),
    ];
    for (line, kind, words) in refusals {
        let mut server = FakeServer::start().await;
        let store = RedisStore::open(server.url()).unwrap();
        let (error, ()) = tokio::join!(refused(&store), async {
            let mut connection = server.greet().await;
            connection.keys_of_call().await;
            connection.answer(format!("-{line}\r\n").as_bytes()).await;
        });
        assert_says(&error, kind, words);
    }
}

#[tokio::test]
async fn a_server_that_runs_another_script_is_busy() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    store.connect().await.unwrap();
    let mut other = connection(&server).await;
    // Of both names, the older one is known to all versions.
    command(&mut other, &["CONFIG", "SET", "lua-time-limit", "1"]).await;
    let looping = tokio::spawn(async move {
        let mut eval = redis::cmd("EVAL");
        eval.arg("while true do end").arg(0);
        // Killed below.
        eval.query_async::<redis::Value>(&mut other).await
    });
    let busy = async {
        loop {
            let limit = limit("10/h");
            match store.decide(&[Charge::new(&limit, "k", 1)]).await {
                Ok(_) => tokio::task::yield_now().await,
                Err(error) => return error,
            }
        }
    };
    let error = tokio::time::timeout(PATIENCE, busy).await.unwrap();
    assert_says(&error, StoreErrorKind::Unavailable, "busy");
    let client = redis::Client::open(server.url()).unwrap();
    // Whoever connects to a busy server may do nothing else.
    let mut killer = client.get_connection().unwrap();
    redis::cmd("SCRIPT").arg("KILL").exec(&mut killer).unwrap();
    looping.await.unwrap().unwrap_err();
}

#[tokio::test]
async fn a_server_that_cannot_save_says_so() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    command(&mut connection, &["CONFIG", "SET", "save", "3600 1"]).await;
    // Its directory is gone.
    let url = server.unix_url();
    let socket = Path::new(url.trim_start_matches("redis+unix://"));
    std::fs::remove_dir_all(socket.parent().unwrap()).unwrap();
    command(&mut connection, &["BGSAVE"]).await;
    let fails = async {
        loop {
            match store.probe().await {
                Ok(()) => tokio::task::yield_now().await,
                Err(error) => return error,
            }
        }
    };
    let error = tokio::time::timeout(PATIENCE, fails).await.unwrap();
    assert_says(&error, StoreErrorKind::Unavailable, "cannot save");
}

#[tokio::test]
async fn a_server_with_too_few_replicas_says_so() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    let replicas = ["CONFIG", "SET", "min-replicas-to-write", "1"];
    command(&mut connection, &replicas).await;
    let info = redis::cmd("INFO");
    let info: String = info.query_async(&mut connection).await.unwrap();
    if info.contains("redis_version:6.") {
        // Which does not ask it of scripts.
        store.probe().await.unwrap();
        return;
    }
    let error = refused(&store).await;
    assert_says(&error, StoreErrorKind::Unavailable, "too few replicas");
}

#[tokio::test]
async fn a_replica_that_has_lost_its_master_says_so() {
    let server = RedisServer::start();
    let (store, _prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    let stale = ["CONFIG", "SET", "replica-serve-stale-data", "no"];
    command(&mut connection, &stale).await;
    command(&mut connection, &["REPLICAOF", "127.0.0.1", "1"]).await;
    let error = refused(&store).await;
    assert_says(&error, StoreErrorKind::Unavailable, "lost its master");
}

#[tokio::test]
async fn a_user_without_permissions_is_told_which_are_needed() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    let as_user = |name: &str| {
        let url = server.url().replace("://", &format!("://{name}:secret@"));
        RedisStore::open(&url).unwrap().timeout(PATIENCE)
    };
    let narrow = ["ACL", "SETUSER", "narrow", "on", ">secret", "~*", "+ping"];
    command(&mut connection, &narrow).await;
    let error = refused(&as_user("narrow")).await;
    assert_says(&error, StoreErrorKind::Unavailable, "+@list");
    let elsewhere = [
        "ACL",
        "SETUSER",
        "elsewhere",
        "on",
        ">secret",
        "~other:*",
        "+@all",
    ];
    command(&mut connection, &elsewhere).await;
    let error = refused(&as_user("elsewhere")).await;
    assert_says(&error, StoreErrorKind::Unavailable, "these keys");
}

/// `docs/redis.md` says what a user of the server must be allowed to do.
#[tokio::test]
async fn a_user_who_may_do_what_the_guide_says_can_do_everything() {
    const GUIDE: &str = include_str!("../../../../docs/redis.md");
    let server = RedisServer::start();
    let (store, clock, prefix) = on_manual_clock(&server);
    let words = GUIDE
        .split('`')
        .find(|text| text.starts_with("ACL SETUSER"));
    let words = words.unwrap().replace("PASSWORD", "s3cret");
    let words = words.replace("shop:limits", &prefix);
    let words: Vec<_> = words.split(' ').collect();
    command(&mut connection(&server).await, &words).await;
    let store = store.login("limits", "s3cret").unwrap();
    conformance::run_all(&store, &clock).await;
    store.probe().await.unwrap();
}

#[tokio::test]
async fn a_probe_finds_a_server_that_takes_no_writes() {
    let server = RedisServer::start();
    let (store, prefix) = on_server_clock(&server);
    let mut connection = connection(&server).await;
    for _ in 0..3 {
        store.probe().await.unwrap();
    }
    for (key, lifetime) in lifetimes(&server, &prefix).await {
        assert_eq!(key, format!("{prefix}:{{probe}}"));
        assert!((0..=10).contains(&lifetime), "it lives for {lifetime} ms");
    }
    command(&mut connection, &["CONFIG", "SET", "maxmemory", "1"]).await;
    let error = store.probe().await.unwrap_err();
    assert_says(&error, StoreErrorKind::Full, "no memory");
    command(&mut connection, &["CONFIG", "SET", "maxmemory", "0"]).await;
    store.probe().await.unwrap();
    command(&mut connection, &["REPLICAOF", "127.0.0.1", "1"]).await;
    let error = store.probe().await.unwrap_err();
    assert_says(&error, StoreErrorKind::Unavailable, "read-only");
}
