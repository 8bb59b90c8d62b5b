//! One daemon after the other.

use std::sync::atomic::Ordering;
use std::time::Duration;

use tollgate_testkit::RedisServer;

use crate::daemon::{Daemon, in_redis};
use crate::load::Load;

/// Of each user, for longer than any test.
const LIMIT: u64 = 300;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rolling_restart_loses_no_answer_and_forgets_nothing_on_any_surface() {
    let server = RedisServer::start();
    let policies = format!(
        "{}[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['{LIMIT}/365d fixed-window']\n",
        in_redis(&server)
    );
    // As long as whoever has connected last is given to ask.
    let delay = Duration::from_millis(250);
    let first = Daemon::start(&policies, |it| {
        it.reuse_port = true;
        it.drain_delay = delay;
    })
    .await;
    let ports = first.ports;
    let mut load = Load::start(ports);
    // Some is left for the next.
    load.await_answers(20).await;
    let mut daemon = first;
    for _ in 0..2 {
        let next = Daemon::start(&policies, |it| {
            ports.share(it);
            it.drain_delay = delay;
        })
        .await;
        assert!(daemon.stop().await, "all connections end by themselves");
        daemon = next;
        load.await_answers(20).await;
    }
    // More than the limit, also if it had begun anew.
    load.await_answers(LIMIT + 20).await;
    let [http, grpc, redis] = load.end().await;
    for answered in [&http, &grpc, &redis] {
        let admitted = answered.admitted.load(Ordering::Relaxed);
        assert_eq!(admitted, LIMIT, "{answered:?}");
    }
    assert!(http.connections.load(Ordering::Relaxed) > 2);
    assert!(redis.connections.load(Ordering::Relaxed) > 2);
}
