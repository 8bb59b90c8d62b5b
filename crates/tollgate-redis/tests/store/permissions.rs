//! Users who may not do all that scripts need, on each engine.

use tollgate::{Charge, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::{EACH_ALGORITHM, limit};
use tollgate_testkit::redis::Engine;

use crate::given::{PATIENCE, command, connection, keys, lifetimes, on_server_clock};

/// A store whose user has these permissions on its keys.
async fn store_of_user(server: &RedisServer, permissions: &str) -> (RedisStore, String) {
    let (store, prefix) = on_server_clock(server);
    let words = format!("ACL SETUSER limits reset on >s3cret ~{prefix}:* {permissions}");
    let words: Vec<_> = words.split(' ').collect();
    command(&mut connection(server).await, &words).await;
    (store.login("limits", "s3cret").unwrap(), prefix)
}

fn assert_tells_the_remedy(error: &StoreError, place: &str) {
    assert_eq!(
        error.kind(),
        StoreErrorKind::Unavailable,
        "{place}: {error:?}"
    );
    let text = error.to_string();
    let remedy = "+eval +evalsha +time +get +psetex +del +pttl +pexpire +@list";
    assert!(text.contains(remedy), "{place}: {text}");
    assert!(!text.contains('\n'), "{place}: {text}");
}

#[tokio::test]
async fn a_user_who_may_not_read_is_not_taken_for_one_who_has_used_nothing() {
    for engine in Engine::all() {
        let name = engine.name().to_owned();
        let server = RedisServer::start_engine(engine);
        let may = "+eval +evalsha +time +psetex +del +pttl +pexpire +@list -lrange";
        let (store, prefix) = store_of_user(&server, may).await;
        for algorithm in EACH_ALGORITHM {
            let limit = limit(&format!("10/h{algorithm}"));
            let charges = [Charge::new(&limit, "k", 1)];
            let place = format!("{name}, {limit}");
            for _ in 0..3 {
                let error = store.decide(&charges).await.unwrap_err();
                assert_tells_the_remedy(&error, &place);
                let error = store.peek(&charges).await.unwrap_err();
                assert_tells_the_remedy(&error, &place);
            }
        }
        assert_eq!(keys(&server, &prefix).await, Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn each_permission_that_scripts_need_is_told_when_it_is_missing() {
    for engine in Engine::all() {
        let name = engine.name().to_owned();
        let server = RedisServer::start_engine(engine);
        let all = "+eval +evalsha +time +get +psetex +del +pttl +pexpire +@list";
        for missing in ["evalsha", "time", "get", "psetex", "pexpire", "rpush"] {
            let (store, _prefix) = store_of_user(&server, &format!("{all} -{missing}")).await;
            let limits = [limit("10/h"), limit("10/h sliding-log")];
            let charges = limits.each_ref().map(|limit| Charge::new(limit, "k", 1));
            let error = store.decide(&charges).await.unwrap_err();
            assert_tells_the_remedy(&error, &format!("{name} without {missing}"));
        }
    }
}

#[tokio::test]
async fn what_a_refused_write_leaves_is_what_was_there() {
    for engine in Engine::all() {
        let name = engine.name().to_owned();
        let server = RedisServer::start_engine(engine);
        let all = "+eval +evalsha +time +get +psetex +del +pttl +pexpire +@list";
        for missing in ["pexpire", "rpush"] {
            let (store, prefix) = store_of_user(&server, &format!("{all} -{missing}")).await;
            let place = format!("{name} without {missing}");
            let bucket = limit("10/h");
            let limits = [bucket.clone(), limit("10/h sliding-log")];
            let both = limits.each_ref().map(|limit| Charge::new(limit, "used", 4));
            let alone = [Charge::new(&bucket, "used", 3)];
            assert!(store.decide(&alone).await.unwrap().is_allowed(), "{place}");
            store.decide(&both).await.unwrap_err();
            let looked = store
                .peek(&[Charge::new(&bucket, "used", 0)])
                .await
                .unwrap();
            assert_eq!(looked.deciding().unwrap().remaining, 7, "{place}");
            let fresh = limits.each_ref().map(|limit| Charge::new(limit, "new", 4));
            store.decide(&fresh).await.unwrap_err();
            let looked = store.peek(&[Charge::new(&bucket, "new", 0)]).await.unwrap();
            assert_eq!(looked.deciding().unwrap().remaining, 10, "{place}");
            for (key, lifetime) in lifetimes(&server, &prefix).await {
                assert!(lifetime >= 0, "{place}: {key} lives for {lifetime} ms");
                assert!(!key.contains("new") || lifetime <= 1, "{place}: {key}");
            }
        }
    }
}

#[tokio::test]
async fn a_full_server_answers_denials_beside_those_whom_it_fails() {
    for engine in Engine::all() {
        let name = engine.name().to_owned();
        let server = RedisServer::start_engine(engine);
        let (store, _prefix) = on_server_clock(&server);
        let store = std::sync::Arc::new(store.timeout(PATIENCE));
        let limit = std::sync::Arc::new(limit("1/366d"));
        let used = [Charge::new(&limit, "used", 1)];
        assert!(store.decide(&used).await.unwrap().is_allowed());
        let mut admin = connection(&server).await;
        command(&mut admin, &["CONFIG", "SET", "maxmemory", "1"]).await;
        let mut decisions = Vec::new();
        for number in 0..64_u32 {
            let (store, limit) = (store.clone(), limit.clone());
            decisions.push(tokio::spawn(async move {
                let own = format!("own {number}");
                let key = if number % 2 == 0 { "used" } else { &own };
                store.decide(&[Charge::new(&limit, key, 1)]).await
            }));
        }
        for (number, decision) in decisions.into_iter().enumerate() {
            match decision.await.unwrap() {
                Ok(outcomes) => {
                    assert_eq!(number % 2, 0, "{name}: admitted by a full server");
                    assert!(!outcomes.is_allowed(), "{name}");
                }
                Err(error) => {
                    assert_eq!(number % 2, 1, "{name}: {error}");
                    assert_eq!(error.kind(), StoreErrorKind::Full, "{name}: {error}");
                }
            }
        }
    }
}
