//! Servers that say nothing: one deadline is lost, and what had been sent is counted late.

use tollgate_testkit::redis::{Engine, Proxy, RedisServer};

use crate::given::{Choice, Instance, UNITS, assert_tidy};

/// How often each client asks before the fault.
const BEFORE: u64 = 4;

/// An outage that begins with silence, as one instance sees it. What was sent into it, one request of
/// each client, reaches the server in the end, or does not.
async fn survives(
    server: &RedisServer,
    url: &str,
    begin: impl FnOnce(),
    end: impl FnOnce(),
) -> Instance {
    let name = server.engine().name().to_owned();
    let prefix = RedisServer::fresh_prefix();
    let instance = Instance::alone(url, &prefix);
    for choice in Choice::ALL {
        assert_eq!(instance.admitted(choice, "k", BEFORE).await, BEFORE);
    }
    begin();
    // These wait for the deadline, which opens the breaker.
    instance.ask_each_in_vain("k").await;
    assert!(instance.is_open(), "{name}");
    assert_eq!(instance.stats().timeouts, 3, "{name}");
    // These do not wait, and nothing of them is sent.
    for _ in 0..100 {
        instance.ask_each_in_vain("k").await;
    }
    assert_eq!(instance.stats().timeouts, 3, "{name}");
    assert_eq!(instance.stats().rejected, 300, "{name}");
    end();
    instance
        .until_the_store_decides(Choice::Deny, "other")
        .await;
    let stats = instance.stats();
    assert_eq!(
        (stats.opened, stats.closed, stats.waiting),
        (1, 1, 0),
        "{name}"
    );
    for choice in Choice::ALL {
        let admitted = instance.admitted(choice, "k", 2 * UNITS).await;
        // The one that had no answer may have been counted, once.
        let left = UNITS - BEFORE;
        assert!(
            (left - 1..=left).contains(&admitted),
            "{name}, {choice:?}: {admitted}"
        );
    }
    assert_tidy(server, &prefix, 1);
    instance
}

// B97
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_hangs_costs_one_deadline_and_decides_again_when_it_goes_on() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        survives(&server, &server.url(), || server.hang(), || server.resume()).await;
    }
}

// B97
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_that_get_lost_are_decided_by_their_policies_until_the_network_is_back() {
    let server = RedisServer::start();
    let proxy = Proxy::to(&server);
    survives(
        &server,
        &proxy.url(),
        || proxy.hold_requests(),
        || proxy.pass(),
    )
    .await;
    assert!(proxy.open() <= 1, "{}", proxy.open());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_whose_replies_get_lost_are_counted_once() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        let proxy = Proxy::to(&server);
        survives(
            &server,
            &proxy.url(),
            || proxy.hold_replies(),
            || proxy.pass(),
        )
        .await;
    }
}

/// What the network held is lost with the connection, and is not sent again on the next one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_sent_into_a_connection_that_broke_is_not_sent_again() {
    let server = RedisServer::start();
    let proxy = Proxy::to(&server);
    let prefix = RedisServer::fresh_prefix();
    let instance = Instance::alone(&proxy.url(), &prefix);
    assert_eq!(instance.admitted(Choice::Deny, "k", 1).await, 1);
    proxy.hold_requests();
    instance.ask_each_in_vain("k").await;
    proxy.cut();
    proxy.pass();
    instance
        .until_the_store_decides(Choice::Deny, "other")
        .await;
    assert_eq!(
        instance.admitted(Choice::Deny, "k", 2 * UNITS).await,
        UNITS - 1
    );
    assert_eq!(
        instance.admitted(Choice::Allow, "k", 2 * UNITS).await,
        UNITS
    );
    assert_eq!(
        instance.admitted(Choice::Local, "k", 2 * UNITS).await,
        UNITS
    );
    assert_tidy(&server, &prefix, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_do_not_grow_while_a_server_hangs() {
    let server = RedisServer::start();
    let proxy = Proxy::to(&server);
    let prefix = RedisServer::fresh_prefix();
    let instance = Instance::alone(&proxy.url(), &prefix);
    assert_eq!(instance.admitted(Choice::Deny, "k", 1).await, 1);
    server.hang();
    for _ in 0..1_000 {
        instance.ask_each_in_vain("k").await;
    }
    assert!(proxy.accepted() <= 2 && proxy.open() <= 2, "{proxy:?}");
    server.resume();
    instance.until_the_store_decides(Choice::Deny, "k").await;
    assert!(proxy.open() <= 2, "{proxy:?}");
    assert_tidy(&server, &prefix, 1);
}
