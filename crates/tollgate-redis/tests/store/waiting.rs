//! How long a call waits, and for what.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
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

/// How long its calls wait for an answer.
const TIMEOUT: Duration = Duration::from_millis(100);

fn store_of(server: &FakeServer) -> RedisStore {
    RedisStore::open(server.url()).unwrap().timeout(TIMEOUT)
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
    let (error, mut connection) = tokio::join!(decide(&store), async {
        let mut connection = server.greet().await;
        assert_eq!(connection.keys_of_call().await, 1);
        server.pass(TIMEOUT).await;
        connection
    });
    let error = error.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
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
    server.pass(TIMEOUT).await;
    assert_eq!(connection.command().await, None);
}

#[tokio::test]
async fn what_waits_for_a_server_that_hangs_is_bounded_and_is_not_sent_later() {
    const CALLS: usize = 20_000;
    let mut server = FakeServer::start().await;
    let store = Arc::new(store_of(&server));
    let first = tokio::spawn({
        let store = Arc::clone(&store);
        async move { decide(&store).await }
    });
    let mut connection = server.greet().await;
    assert_eq!(connection.keys_of_call().await, 1);
    let asked = Arc::new(AtomicUsize::new(0));
    let waiting: Vec<_> = (0..CALLS)
        .map(|_| {
            let (store, asked) = (Arc::clone(&store), Arc::clone(&asked));
            tokio::spawn(async move {
                asked.fetch_add(1, Ordering::SeqCst);
                decide(&store).await
            })
        })
        .collect();
    // The tests' runtime has one thread: whoever has asked has come as far as it can.
    while asked.load(Ordering::SeqCst) < CALLS {
        tokio::task::yield_now().await;
    }
    server.pass(TIMEOUT).await;
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
    let store = store_of(&server).connect_timeout(3 * TIMEOUT);
    // An attempt that is not answered: who asked for it waits as long as for an answer.
    let (error, mut hangs) = first_call_is_not_answered(&store, &mut server).await;
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    // It fails in its own time; then nobody waits any longer.
    assert!(hangs.command().await.is_some());
    server.pass(2 * TIMEOUT).await;
    assert_eq!(hangs.command().await, None);
    let error = decide(&store).await.unwrap_err();
    assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
    let text = error.to_string();
    assert!(text.contains("another attempt is under way"), "{text}");
    // That one answers, and connects although no caller has waited for it.
    tokio::join!(is_found(&store), async {
        serve(&mut server.greet().await).await;
    });
}

#[tokio::test]
async fn a_first_call_connects_and_waits_no_longer_than_for_an_answer() {
    let mut server = FakeServer::start().await;
    let store = store_of(&server).connect_timeout(PATIENCE);
    let (error, mut connection) = first_call_is_not_answered(&store, &mut server).await;
    assert_eq!(error.kind(), StoreErrorKind::Timeout, "{error}");
    // The attempt has not ended with its caller.
    connection.greet().await;
    tokio::join!(is_found(&store), serve(&mut connection));
}

/// The error of a call that makes a connection, which is not greeted in the time that a call has.
async fn first_call_is_not_answered(
    store: &RedisStore,
    server: &mut FakeServer,
) -> (StoreError, FakeConnection) {
    let (error, connection) = tokio::join!(decide(store), async {
        let connection = server.accept().await;
        server.pass(TIMEOUT).await;
        connection
    });
    (error.unwrap_err(), connection)
}

/// Decides until it works.
async fn is_found(store: &RedisStore) {
    while decide(store).await.is_err() {
        tokio::task::yield_now().await;
    }
}
