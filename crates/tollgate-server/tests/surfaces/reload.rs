//! The policy file, read again under load.

use std::fs;
use std::sync::atomic::Ordering;

use crate::daemon::Daemon;
use crate::load::Load;

const LIMIT: u64 = 300;

fn policies(round: u64) -> String {
    format!(
        "[[policy]]\nname = 'all'\nkey = ['user']\nlimits = ['{LIMIT}/365d fixed-window']\n\
         [[policy]]\nname = 'other-{round}'\nkey = ['user']\nlimits = ['9000000/h']\n"
    )
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_drops_no_request_and_no_connection_and_forgets_nothing_on_any_surface() {
    let daemon = Daemon::start(&policies(0), |_| {}).await;
    let mut load = Load::start(daemon.ports);
    for round in 1..=10 {
        load.await_answers(10).await;
        fs::write(&daemon.file, policies(round)).unwrap();
        let engine = daemon.engine.clone();
        let reloading = tokio::task::spawn_blocking(move || engine.reload().is_ok());
        assert!(reloading.await.unwrap());
    }
    assert_eq!(daemon.engine.generation(), 11);
    load.await_answers(LIMIT + 10).await;
    let [http, grpc, redis] = load.end().await;
    for answered in [&http, &grpc, &redis] {
        let admitted = answered.admitted.load(Ordering::Relaxed);
        assert_eq!(admitted, LIMIT, "{answered:?}");
    }
    // No connection was replaced.
    assert_eq!(http.connections.load(Ordering::Relaxed), 2);
    assert_eq!(redis.connections.load(Ordering::Relaxed), 2);
    assert!(daemon.stop().await);
}
