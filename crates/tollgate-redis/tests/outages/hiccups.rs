//! Faults that are over before anyone could wait for them.

use tollgate_testkit::redis::{Engine, RedisServer};

use crate::given::{Choice, Instance, UNITS, assert_tidy};

// B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_forgets_its_scripts_is_no_outage() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        let prefix = RedisServer::fresh_prefix();
        let instance = Instance::alone(&server.url(), &prefix);
        let mut admitted = 0;
        for _ in 0..2 * UNITS {
            admitted += instance.admitted(Choice::Deny, "k", 1).await;
            server.flush_scripts();
        }
        assert_eq!(admitted, UNITS);
        let stats = instance.stats();
        assert_eq!((stats.failures, stats.timeouts, stats.opened), (0, 0, 0));
        assert_tidy(&server, &prefix, 1);
    }
}

/// Each time a connection is closed, one request at most gets no answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_the_server_closes_are_replaced_one_by_one() {
    for engine in Engine::all() {
        let server = RedisServer::start_engine(engine);
        let prefix = RedisServer::fresh_prefix();
        let instance = Instance::alone(&server.url(), &prefix);
        let (mut admitted, mut unanswered) = (0, 0);
        for _ in 0..3 * UNITS {
            server.kill_clients();
            let reason = instance.ask(Choice::Deny, "k").await;
            if reason.is_degraded() {
                assert!(Choice::Deny.is_reason(reason), "{reason}");
                unanswered += 1;
                instance
                    .until_the_store_decides(Choice::Deny, "other")
                    .await;
            }
            admitted += u64::from(reason.is_allow());
        }
        let name = server.engine().name();
        assert!(unanswered < 3 * UNITS, "{name}: no call was answered");
        // One without an answer may have been counted.
        let least = UNITS.saturating_sub(unanswered);
        assert!((least..=UNITS).contains(&admitted), "{name}: {admitted}");
        assert_eq!(
            instance.admitted(Choice::Local, "k", 2 * UNITS).await,
            UNITS
        );
        assert_tidy(&server, &prefix, 1);
    }
}

// B99
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_was_restarted_empty_between_two_requests_counts_anew() {
    for engine in Engine::all() {
        let mut server = RedisServer::start_engine(engine);
        let prefix = RedisServer::fresh_prefix();
        let instance = Instance::alone(&server.url(), &prefix);
        assert_eq!(instance.admitted(Choice::Deny, "k", UNITS).await, UNITS);
        server.start_again();
        instance
            .until_the_store_decides(Choice::Deny, "other")
            .await;
        assert_eq!(instance.admitted(Choice::Deny, "k", 2 * UNITS).await, UNITS);
        assert_tidy(&server, &prefix, 1);
    }
}
