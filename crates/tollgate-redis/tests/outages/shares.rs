//! Two instances behind one store that fails: together they keep to the limit.

use tollgate_policy::Reason;
use tollgate_testkit::redis::RedisServer;

use crate::given::{Choice, Instance, UNITS, assert_tidy};

/// What a client gets of two instances that it asks by turns.
async fn admitted_locally(instances: &[Instance; 2], user: &str) -> u64 {
    let mut admitted = 0;
    for request in 0..3 * UNITS {
        let instance = &instances[usize::from(request % 2 == 0)];
        let reason = instance.ask(Choice::Local, user).await;
        assert!(Choice::Local.is_reason(reason), "{reason}");
        admitted += u64::from(reason == Reason::StoreFailedLocalAllow);
    }
    admitted
}

fn two(server: &RedisServer, prefix: &str) -> [Instance; 2] {
    [1, 2].map(|_| Instance::one_of(2, &server.url(), prefix))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_instances_keep_to_the_limit_together_in_each_outage() {
    let mut server = RedisServer::start();
    let prefix = RedisServer::fresh_prefix();
    let instances = two(&server, &prefix);
    for outage in 1..=2 {
        let before = instances[0].admitted(Choice::Local, "k", UNITS / 2).await
            + instances[1].admitted(Choice::Local, "k", UNITS).await;
        // The server has come back empty, and the shares of the outage before are no part of it.
        assert_eq!(before, UNITS, "outage {outage}");
        server.kill();
        assert_eq!(
            admitted_locally(&instances, "k").await,
            UNITS,
            "outage {outage}"
        );
        server.start_again();
        for instance in &instances {
            instance
                .until_the_store_decides(Choice::Deny, "other")
                .await;
        }
    }
    assert_eq!(instances[0].admitted(Choice::Local, "k", 1).await, 1);
    assert_tidy(&server, &prefix, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_hung_remembers_what_two_instances_had_counted() {
    let server = RedisServer::start();
    let prefix = RedisServer::fresh_prefix();
    let instances = two(&server, &prefix);
    assert_eq!(
        instances[0].admitted(Choice::Local, "k", UNITS / 2).await,
        UNITS / 2
    );
    server.hang();
    // At once, since each of them waits for its own deadline.
    tokio::join!(
        instances[0].ask_each_in_vain("other"),
        instances[1].ask_each_in_vain("other"),
    );
    assert_eq!(admitted_locally(&instances, "k").await, UNITS);
    server.resume();
    for instance in &instances {
        instance
            .until_the_store_decides(Choice::Deny, "other")
            .await;
    }
    let after = instances[1].admitted(Choice::Local, "k", 2 * UNITS).await;
    assert_eq!(after, UNITS - UNITS / 2);
    assert_tidy(&server, &prefix, 2);
}

// B95
#[tokio::test]
async fn a_denial_by_the_store_is_not_decided_again_in_this_process() {
    let server = RedisServer::start();
    let prefix = RedisServer::fresh_prefix();
    let instance = Instance::alone(&server.url(), &prefix);
    assert_eq!(
        instance.admitted(Choice::Local, "k", 3 * UNITS).await,
        UNITS
    );
    assert_eq!(
        instance.ask(Choice::Local, "k").await,
        Reason::LimitExceeded
    );
    let stats = instance.stats();
    assert_eq!((stats.failures, stats.opened), (0, 0));
}
