//! Masters that sentinels watch.

use std::sync::Arc;

use tollgate::StoreErrorKind;
use tollgate_redis::RedisStore;
use tollgate_testkit::given::EACH_ALGORITHM;
use tollgate_testkit::redis::{Engine, RedisServer, Sentinel, until};

use crate::given::{PATIENCE, decide, decide_in_the_end, limit, open, sentinel_url};

fn store(sentinel: &Sentinel) -> Arc<RedisStore> {
    Arc::new(open(&sentinel_url(sentinel)))
}

/// How many connections of stores a server has: those whose last command was a script.
fn used_by_stores(server: &RedisServer) -> usize {
    let clients = server.command(&["CLIENT", "LIST"]).text();
    clients
        .lines()
        .filter(|line| line.contains("cmd=eval"))
        .count()
}

// B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follows_a_master_that_was_killed_and_does_not_go_back_to_it() {
    for engine in Engine::all() {
        let mut sentinel = Sentinel::start(engine);
        let (store, limit) = (store(&sentinel), limit(1_000_000));
        store.connect().await.unwrap();
        assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
        let failed = sentinel.master();
        let promoted = sentinel.fail_master();
        assert!(decide_in_the_end(&store, &limit, "k").await.is_allowed());
        // It comes back, and takes itself for the master at first.
        sentinel.server_mut(failed).start_again();
        for _ in 0..100 {
            assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
        }
        let [promoted, failed] = [promoted, failed].map(|server| &sentinel.servers()[server]);
        assert_eq!(
            (used_by_stores(promoted), used_by_stores(failed)),
            (1, 0),
            "{}",
            promoted.engine().name()
        );
    }
}

/// The failover is over before the store sends anything more; and the old master is there again,
/// where it was, with nothing in it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn asks_who_is_the_master_before_it_connects_again() {
    let mut sentinel = Sentinel::start(Engine::redis_7());
    let (store, limit) = (store(&sentinel), limit(10));
    assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
    let replica = &sentinel.servers()[1 - sentinel.master()];
    let has_all = || replica.command(&["DBSIZE"]).integer() == 1;
    until("the replica has what was counted", has_all);
    let failed = sentinel.master();
    sentinel.fail_master();
    sentinel.server_mut(failed).start_again();
    let outcomes = decide_in_the_end(&store, &limit, "k").await;
    assert_eq!(outcomes.deciding().unwrap().remaining, 8);
}

// B97, B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follows_a_master_that_hangs_and_does_not_go_back_to_it() {
    let sentinel = Sentinel::start(Engine::redis_7());
    let (store, limit) = (store(&sentinel), limit(1_000_000));
    store.connect().await.unwrap();
    let held = sentinel.hang_master();
    let error = decide(&store, &limit, "k").await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    let promoted = sentinel.await_promotion(held);
    assert!(decide_in_the_end(&store, &limit, "k").await.is_allowed());
    // It takes itself for the master still.
    sentinel.servers()[held].resume();
    for _ in 0..100 {
        assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
    }
    let promoted = &sentinel.servers()[promoted];
    until("the store is connected to the new master alone", || {
        used_by_stores(promoted) == 1 && used_by_stores(&sentinel.servers()[held]) == 0
    });
}

/// While the master is away, calls fail without waiting for anyone; and they are not kept.
// B97
#[tokio::test]
async fn callers_are_told_at_once_while_there_is_no_master() {
    let mut sentinel = Sentinel::start(Engine::redis_7());
    let store = store(&sentinel);
    store.connect().await.unwrap();
    for server in 0..2 {
        sentinel.server_mut(server).kill();
    }
    let limit = limit(10);
    let asking = async {
        for _ in 0..2_000 {
            let error = decide(&store, &limit, "k").await.unwrap_err();
            assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
        }
    };
    // If each of them waited for an attempt, it would take minutes.
    tokio::time::timeout(PATIENCE, asking).await.unwrap();
    let master = sentinel.master();
    sentinel.server_mut(master).start_again();
    let outcomes = decide_in_the_end(&store, &limit, "k").await;
    assert_eq!(outcomes.deciding().unwrap().remaining, 9);
}

/// A server that has become a replica says so on the connection that is still open.
#[tokio::test]
async fn does_not_use_a_master_that_takes_no_writes() {
    let sentinel = Sentinel::start(Engine::redis_7());
    let (store, limit) = (store(&sentinel), limit(1_000_000));
    assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
    let master = &sentinel.servers()[sentinel.master()];
    master.make_read_only();
    let error = decide(&store, &limit, "k").await.unwrap_err();
    assert!(error.to_string().contains("read-only"), "{error}");
    // The sentinels call it the master still; it says otherwise itself.
    let refused = async {
        loop {
            let error = decide(&store, &limit, "k").await.unwrap_err();
            if error.to_string().contains("is a replica") {
                break;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, refused).await.unwrap();
    master.make_writable();
    assert!(decide_in_the_end(&store, &limit, "k").await.is_allowed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn follows_a_failover_by_hand() {
    let sentinel = Sentinel::start(Engine::redis_7());
    let (store, limit) = (store(&sentinel), limit(1_000_000));
    assert!(decide(&store, &limit, "k").await.unwrap().is_allowed());
    let before = sentinel.master();
    let url = format!("redis://127.0.0.1:{}", sentinel.ports()[0]);
    let client = redis::Client::open(url).unwrap();
    let config = redis::AsyncConnectionConfig::new()
        .set_connection_timeout(Some(PATIENCE))
        .set_response_timeout(Some(PATIENCE));
    let connection = client.get_multiplexed_async_connection_with_config(&config);
    let mut connection = connection.await.unwrap();
    redis::cmd("SENTINEL")
        .arg("FAILOVER")
        .arg(Sentinel::MASTER)
        .exec_async(&mut connection)
        .await
        .unwrap();
    let promoted = sentinel.await_promotion(before);
    let is_there = || sentinel.servers()[promoted].command(&["DBSIZE"]).integer() == 1;
    until("the new master has what the old one had", is_there);
    let outcomes = decide_in_the_end(&store, &limit, "k").await;
    assert!(outcomes.is_allowed());
}

/// What a failover costs: the replica forgets what had not come to it, and nothing more; and what it
/// has are states, which mean the same by its own clock.
// B101
#[tokio::test]
async fn a_replica_forgets_no_more_than_what_had_not_come_to_it() {
    let [master, replica] = [RedisServer::start(), RedisServer::start()];
    replica.command(&["REPLICAOF", "127.0.0.1", &master.port().to_string()]);
    let prefix = RedisServer::fresh_prefix();
    let [at_master, at_replica] =
        [&master, &replica].map(|server| open(&server.url()).prefix(prefix.clone()));
    let limits = EACH_ALGORITHM
        .map(|algorithm| tollgate_testkit::given::limit(&format!("10/366d{algorithm}")));
    for limit in &limits {
        for _ in 0..4 {
            assert!(decide(&at_master, limit, "k").await.unwrap().is_allowed());
        }
    }
    until("the replica has all", || {
        let offset = |server: &RedisServer| server.info("master_repl_offset");
        replica.info("master_link_status").as_deref() == Some("up")
            && offset(&master) == offset(&replica)
    });
    replica.command(&["REPLICAOF", "NO", "ONE"]);
    for limit in &limits {
        for is_allowed in [true, true, true, true, true, true, false] {
            let outcomes = decide(&at_master, limit, "k").await.unwrap();
            assert_eq!(outcomes.is_allowed(), is_allowed, "{limit}");
        }
        for is_allowed in [true, true, true, true, true, true, false] {
            let outcomes = decide(&at_replica, limit, "k").await.unwrap();
            assert_eq!(outcomes.is_allowed(), is_allowed, "{limit}");
            let wait = outcomes.retry_after().unwrap_or_default();
            assert!(wait <= limit.period(), "{limit}: {wait:?}");
        }
    }
}

#[tokio::test]
async fn asks_the_next_sentinel_where_one_is_gone() {
    let mut sentinel = Sentinel::start(Engine::redis_7());
    sentinel.kill_sentinel(0);
    let store = store(&sentinel);
    store.connect().await.unwrap();
    assert!(decide(&store, &limit(5), "k").await.unwrap().is_allowed());
}

#[tokio::test]
async fn servers_and_sentinels_have_passwords_of_their_own() {
    let servers = RedisServer::builder().password("s3cretdata");
    let sentinel = Sentinel::start_like(&servers, Some("s3cretwatch"));
    let plain = sentinel_url(&sentinel);
    let url = plain.replace("://", "://:s3cretdata@");
    let in_url = open(&format!("{url}/2?sentinel_password=s3cretwatch"));
    let apart = open(&plain)
        .login("", "s3cretdata")
        .and_then(|store| store.sentinel_login("", "s3cretwatch"))
        .unwrap();
    for store in [&in_url, &apart] {
        store.connect().await.unwrap();
        assert!(decide(store, &limit(5), "k").await.unwrap().is_allowed());
        assert!(!format!("{store:?}").contains("s3cret"), "{store:?}");
    }
    // The first counts in database 2.
    let master = &sentinel.servers()[sentinel.master()];
    assert!(master.info("db2").is_some());
    assert!(master.info("db0").is_some());
    for (url, whose) in [
        (url.clone(), "sentinel"),
        (format!("{url}?sentinel_password=wr0ng"), "sentinel"),
        (
            format!("{plain}?sentinel_password=s3cretwatch"),
            "redis 127.0.0.1",
        ),
    ] {
        let error = open(&url).connect().await.unwrap_err();
        let text = error.to_string();
        assert!(text.contains(whose) && text.contains("password"), "{text}");
        let all = format!("{error:?} {error}");
        assert!(!all.contains("s3cret") && !all.contains("wr0ng"), "{all}");
    }
}

#[tokio::test]
async fn says_that_the_sentinels_know_no_such_master() {
    let sentinel = Sentinel::start(Engine::redis_7());
    let url = sentinel_url(&sentinel).replace(Sentinel::MASTER, "another");
    let error = open(&url).connect().await.unwrap_err();
    assert!(error.to_string().contains("knows no master"), "{error}");
}
