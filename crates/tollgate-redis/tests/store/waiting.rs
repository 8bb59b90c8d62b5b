//! How long a call waits, and for what.

use std::sync::Arc;
use std::time::Duration;

use tollgate::{Charge, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::given::limit;

use crate::fake::{FakeConnection, FakeServer};
use crate::given::PATIENCE;

async fn decide(store: &RedisStore) -> Result<(), StoreError> {
    let limit = limit("10/h");
    let decision = store.decide(&[Charge::new(&limit, "k", 1)]).await;
    decision.map(|outcomes| assert!(outcomes.is_allowed()))
}

fn store_of(server: &FakeServer) -> RedisStore {
    RedisStore::open(server.url()).unwrap()
}

/// Decides until it fails without having tried, since an attempt to connect has failed.
async fn fails_at_once(store: &RedisStore) -> StoreError {
    let failing = async {
        loop {
            let error = decide(store).await.unwrap_err();
            if error.kind() == StoreErrorKind::Unavailable && error.to_string().contains("attempt")
            {
                return error;
            }
        }
    };
    tokio::time::timeout(PATIENCE, failing).await.unwrap()
}

/// Answers a decision on the connection.
async fn serve(connection: &mut FakeConnection) {
    assert_eq!(connection.keys_of_call().await, 1);
    connection.admit(1).await;
}

// B97
#[tokio::test]
async fn a_call_that_is_not_answered_costs_the_timeout_and_the_connection() {
    let mut server = FakeServer::start().await;
    let store = store_of(&server);
    let (error, mut connection) = tokio::join!(decide(&store), server.greet());
    let error = error.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    assert_eq!(connection.keys_of_call().await, 1);
    // The client leaves the connection.
    assert_eq!(connection.command().await, None);
    let (decision, ()) = tokio::join!(decide(&store), async {
        serve(&mut server.greet().await).await;
    });
    decision.unwrap();
}

#[tokio::test]
async fn an_overdue_answer_costs_the_connection_although_nobody_waits_for_it() {
    let mut server = FakeServer::start().await;
    let store = Arc::new(store_of(&server));
    let deciding = tokio::spawn({
        let store = Arc::clone(&store);
        async move { decide(&store).await }
    });
    let mut connection = server.greet().await;
    assert_eq!(connection.keys_of_call().await, 1);
    deciding.abort();
    assert!(deciding.await.unwrap_err().is_cancelled());
    assert_eq!(connection.command().await, None);
}

#[tokio::test]
async fn what_waits_for_a_server_that_hangs_is_bounded_and_is_not_sent_later() {
    const CALLS: usize = 20_000;
    let mut server = FakeServer::start().await;
    let store = Arc::new(store_of(&server).timeout(Duration::from_secs(2)));
    let first = tokio::spawn({
        let store = Arc::clone(&store);
        async move { decide(&store).await }
    });
    let mut connection = server.greet().await;
    assert_eq!(connection.keys_of_call().await, 1);
    let waiting: Vec<_> = (0..CALLS)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { decide(&store).await })
        })
        .collect();
    let mut refused = 0;
    for waiting in waiting {
        let error = waiting.await.unwrap().unwrap_err();
        refused += usize::from(error.to_string().contains("wait for redis already"));
    }
    assert!(first.await.unwrap().is_err());
    assert!(refused > 0 && refused < CALLS, "{refused} were refused");
    // The second call that may be under way, and no more.
    let mut sent = 0;
    while connection.command().await.is_some() {
        sent += 1;
    }
    assert_eq!(sent, 1);
    let (decision, ()) = tokio::join!(decide(&store), async {
        serve(&mut server.greet().await).await;
    });
    decision.unwrap();
}

// B97
#[tokio::test]
async fn an_attempt_to_connect_goes_on_behind_callers_who_fail_at_once() {
    let mut server = FakeServer::start().await;
    let store = store_of(&server).connect_timeout(Duration::from_millis(300));
    // An attempt that is not answered: who asked for it waits as long as for an answer.
    let (error, mut hangs) = tokio::join!(decide(&store), server.accept());
    let error = error.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    // It fails in its own time; then nobody waits any longer.
    assert!(hangs.command().await.is_some());
    let left = hangs.command();
    let (_, left) = tokio::join!(fails_at_once(&store), left);
    assert_eq!(left, None);
    // Another attempt, which answers, connects although no caller has waited for it.
    let found = async {
        while decide(&store).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    let serving = async {
        let mut connection = server.greet().await;
        serve(&mut connection).await;
    };
    tokio::time::timeout(PATIENCE, async { tokio::join!(found, serving) })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_first_call_connects_and_waits_no_longer_than_for_an_answer() {
    let mut server = FakeServer::start().await;
    let store = store_of(&server).connect_timeout(PATIENCE);
    let (error, mut connection) = tokio::join!(decide(&store), server.accept());
    assert_eq!(error.unwrap_err().kind(), StoreErrorKind::Timeout);
    // The attempt has not ended with its caller.
    connection.greet().await;
    let found = async {
        while decide(&store).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    let ((), ()) = tokio::join!(found, serve(&mut connection));
}
