//! Calls that go together.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tollgate::{Charge, Outcomes, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::{EACH_ALGORITHM, limit};

use crate::fake::{FakeConnection, FakeServer};
use crate::given::PATIENCE;

type Deciding = JoinHandle<Result<Outcomes, StoreError>>;

fn store_of(url: &str, timeout: Duration) -> Arc<RedisStore> {
    Arc::new(RedisStore::open(url).unwrap().timeout(timeout))
}

/// A decision that has taken its place in line.
async fn decide(store: &Arc<RedisStore>, key: &str) -> Deciding {
    let (store, key) = (Arc::clone(store), key.to_owned());
    let deciding = tokio::spawn(async move {
        let limit = limit("10/h");
        store.decide(&[Charge::new(&limit, &key, 1)]).await
    });
    // The tests' runtime has one thread, which now runs it until it waits.
    tokio::task::yield_now().await;
    deciding
}

/// Two decisions under way, each in a call of its own that has come to the server.
async fn two_under_way(
    server: &mut FakeServer,
) -> (Arc<RedisStore>, FakeConnection, [Deciding; 2]) {
    let store = store_of(server.url(), PATIENCE);
    let first = decide(&store, "first").await;
    let mut connection = server.greet().await;
    assert_eq!(connection.keys_of_call().await, 1);
    let second = decide(&store, "second").await;
    assert_eq!(connection.keys_of_call().await, 1);
    (store, connection, [first, second])
}

async fn assert_admitted(decisions: impl IntoIterator<Item = Deciding>) {
    for decision in decisions {
        assert!(decision.await.unwrap().unwrap().is_allowed());
    }
}

#[tokio::test]
async fn what_comes_while_two_calls_are_under_way_goes_together() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, under_way) = two_under_way(&mut server).await;
    let mut waiting = Vec::new();
    for number in 0..8 {
        waiting.push(decide(&store, &number.to_string()).await);
    }
    assert!(connection.is_silent(), "a third call is under way");
    connection.admit(1).await;
    assert_eq!(connection.keys_of_call().await, 8);
    connection.admit(1).await;
    connection.admit(8).await;
    assert_admitted(under_way.into_iter().chain(waiting)).await;
}

#[tokio::test]
async fn to_a_server_far_away_more_calls_are_under_way() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, [first, second]) = two_under_way(&mut server).await;
    // The time that makes it far.
    server.pass(Duration::from_millis(20)).await;
    connection.admit(1).await;
    connection.admit(1).await;
    assert_admitted([first, second]).await;
    let mut under_way = Vec::new();
    for number in 0..20 {
        under_way.push(decide(&store, &number.to_string()).await);
        assert_eq!(connection.keys_of_call().await, 1);
    }
    for _ in 0..20 {
        connection.admit(1).await;
    }
    assert_admitted(under_way).await;
}

#[tokio::test]
async fn a_call_joins_a_bounded_number_of_decisions() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, under_way) = two_under_way(&mut server).await;
    let mut waiting = Vec::new();
    for number in 0..100 {
        waiting.push(decide(&store, &number.to_string()).await);
    }
    connection.admit(1).await;
    connection.admit(1).await;
    for expected in [64, 36] {
        assert_eq!(connection.keys_of_call().await, expected);
        connection.admit(expected).await;
    }
    assert_admitted(under_way.into_iter().chain(waiting)).await;
}

#[tokio::test]
async fn an_error_fails_the_decisions_of_its_call_and_no_others() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, under_way) = two_under_way(&mut server).await;
    let together = [decide(&store, "a").await, decide(&store, "b").await];
    connection.admit(1).await;
    assert_eq!(connection.keys_of_call().await, 2);
    connection.admit(1).await;
    assert_admitted(under_way).await;
    let later = decide(&store, "later").await;
    assert_eq!(connection.keys_of_call().await, 1);
    connection.answer(b"-OOM no memory left\r\n").await;
    connection.admit(1).await;
    assert_admitted([later]).await;
    for decision in together {
        let error = decision.await.unwrap().unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Full, "{error}");
    }
}

#[tokio::test]
async fn an_answer_of_the_wrong_length_is_not_understood() {
    let mut server = FakeServer::start().await;
    let store = store_of(server.url(), PATIENCE);
    let decision = decide(&store, "first").await;
    let mut connection = server.greet().await;
    connection.keys_of_call().await;
    connection.admit(2).await;
    let error = decision.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Protocol, "{error}");
}

// B131
#[tokio::test]
async fn who_gives_up_in_line_is_not_counted_and_keeps_nobody_from_an_answer() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, [first, second]) = two_under_way(&mut server).await;
    let gives_up = decide(&store, "gives up").await;
    let stays = decide(&store, "stays").await;
    // One whose call is under way, and one in line.
    for decision in [first, gives_up] {
        decision.abort();
        assert!(decision.await.unwrap_err().is_cancelled());
    }
    connection.admit(1).await;
    assert_eq!(connection.keys_of_call().await, 1);
    connection.admit(1).await;
    connection.admit(1).await;
    assert_admitted([second, stays]).await;
}

// B99
#[tokio::test]
async fn an_unknown_script_is_brought_along_once_for_all_that_go_together() {
    let mut server = FakeServer::start().await;
    let (store, mut connection, under_way) = two_under_way(&mut server).await;
    let together = [decide(&store, "a").await, decide(&store, "b").await];
    connection.admit(1).await;
    connection.admit(1).await;
    assert_admitted(under_way).await;
    let command = connection.command().await.unwrap();
    assert_eq!(command[0], b"EVALSHA");
    connection.answer(b"-NOSCRIPT no matching script\r\n").await;
    let command = connection.command().await.unwrap();
    assert_eq!(
        (&command[0][..], &command[2][..]),
        (&b"EVAL"[..], &b"2"[..])
    );
    connection.admit(2).await;
    assert_admitted(together).await;
}

/// Joined or not, each decision sees what those before it have spent, and is all or nothing.
#[tokio::test]
async fn decisions_that_go_together_are_decided_one_by_one() {
    let server = RedisServer::start();
    let store = RedisStore::open(&server.url()).unwrap().timeout(PATIENCE);
    let store = Arc::new(store.prefix(RedisServer::fresh_prefix()));
    for algorithm in EACH_ALGORITHM {
        let limit = Arc::new(limit(&format!("10/366d{algorithm}")));
        let mut decisions = Vec::new();
        for number in 0..300_u64 {
            let (store, limit) = (Arc::clone(&store), Arc::clone(&limit));
            decisions.push(tokio::spawn(async move {
                let own = format!("own {number}");
                let charges = [
                    Charge::new(&limit, "shared", 1),
                    Charge::new(&limit, &own, 4),
                ];
                let outcomes = store.decide(&charges).await.unwrap();
                let spent = store.peek(&[Charge::new(&limit, &own, 0)]).await.unwrap();
                let remaining = spent.deciding().unwrap().remaining;
                assert_eq!(remaining, if outcomes.is_allowed() { 6 } else { 10 });
                outcomes.is_allowed()
            }));
        }
        let mut admitted = 0;
        for decision in decisions {
            admitted += u32::from(decision.await.unwrap());
        }
        assert_eq!(admitted, 10, "{limit}");
    }
}
