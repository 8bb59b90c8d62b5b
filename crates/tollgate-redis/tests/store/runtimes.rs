//! Runtimes that stand still, several of them on one store, and none.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use tollgate::{Charge, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::limit;

use crate::given::PATIENCE;

/// A runtime that runs only while somebody waits in it.
fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

async fn decide(store: &RedisStore) -> Result<(), StoreError> {
    let limit = limit("1000000/h");
    store.decide(&[Charge::new(&limit, "k", 1)]).await.map(drop)
}

/// A store whose calls wait longer than a busy machine keeps them waiting, and not so long that a test
/// could not bear to wait for calls on which nobody works.
fn store_on(server: &RedisServer) -> RedisStore {
    let store = RedisStore::open(&server.url()).unwrap();
    store.timeout(Duration::from_secs(2))
}

/// Polls a decision once in this runtime, which then stands still.
fn begin_in(runtime: &Runtime, store: &RedisStore) {
    runtime.block_on(async {
        let mut deciding = pin!(decide(store));
        let first = std::future::poll_fn(|context| Poll::Ready(deciding.as_mut().poll(context)));
        assert!(first.await.is_pending());
    });
}

/// Decides, each time by a wait of its own, until it works.
fn until_it_decides(runtime: &Runtime, store: &RedisStore) {
    let start = Instant::now();
    while let Err(error) = runtime.block_on(decide(store)) {
        assert!(start.elapsed() < PATIENCE, "{error}");
    }
}

#[test]
fn a_server_is_found_again_by_a_runtime_that_runs_no_longer_than_its_calls() {
    let mut server = RedisServer::start();
    server.stop();
    let store = store_on(&server);
    let runtime = runtime();
    let start = Instant::now();
    let fails_at_once = |error: &StoreError| error.to_string().contains("attempt");
    while !fails_at_once(&runtime.block_on(decide(&store)).unwrap_err()) {
        assert!(start.elapsed() < PATIENCE);
    }
    server.start_again();
    until_it_decides(&runtime, &store);
}

#[test]
fn an_attempt_to_connect_in_a_runtime_that_stands_still_does_not_block_another() {
    let server = RedisServer::start();
    let store = store_on(&server);
    let (still, running) = (runtime(), runtime());
    begin_in(&still, &store);
    until_it_decides(&running, &store);
    // The old attempt ends late, and changes nothing.
    still.block_on(tokio::task::yield_now());
    running.block_on(decide(&store)).unwrap();
}

#[test]
fn connecting_is_bounded_and_does_not_need_the_runtime_of_another() {
    let server = RedisServer::start();
    let store = store_on(&server).connect_timeout(Duration::from_secs(2));
    let (still, running) = (runtime(), runtime());
    begin_in(&still, &store);
    let connecting = async { tokio::time::timeout(PATIENCE, store.connect()).await };
    running.block_on(connecting).unwrap().unwrap();
    running.block_on(decide(&store)).unwrap();
}

#[test]
fn calls_that_were_begun_in_a_runtime_that_stands_still_do_not_block_another() {
    let server = RedisServer::start();
    let store = store_on(&server);
    let (still, running) = (runtime(), runtime());
    until_it_decides(&running, &store);
    for _ in 0..4 {
        begin_in(&still, &store);
    }
    until_it_decides(&running, &store);
}

#[test]
fn a_call_outside_a_runtime_says_what_it_needs() {
    for url in [
        "redis://127.0.0.1:1",
        "redis-sentinel://127.0.0.1:1/main",
        "redis-cluster://127.0.0.1:1",
    ] {
        let store = RedisStore::open(url).unwrap();
        let limit = limit("10/h");
        let charges = [Charge::new(&limit, "k", 1), Charge::new(&limit, "l", 1)];
        let errors = [
            poll(store.decide(&charges)).unwrap_err(),
            poll(store.decide(&charges[..1])).unwrap_err(),
            poll(store.decide_with_states(&charges)).unwrap_err(),
            poll(store.peek(&charges)).unwrap_err(),
            poll(store.reset(&limit, "", "k")).unwrap_err(),
            poll(store.probe()).unwrap_err(),
            poll(store.connect()).unwrap_err(),
        ];
        for error in errors {
            assert_eq!(error.kind(), StoreErrorKind::Unavailable, "{error}");
            assert!(error.to_string().contains("Tokio runtime"), "{error}");
        }
    }
}

fn poll<T>(future: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(StoreError::new(StoreErrorKind::Timeout, "it waits")),
    }
}
