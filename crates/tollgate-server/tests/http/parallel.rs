//! Many connections at once.

use crate::support::Daemon;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exactly_ten_of_many_parallel_requests_are_admitted() {
    let daemon = Daemon::start(
        "[[policy]]\nname = 'all'\nkey = ['client.ip']\nlimits = ['10/min fixed-window']\n",
    )
    .await;
    let body = r#"{"attributes": {"client.ip": "198.51.100.7"}}"#;
    let asked = (0..100).map(|_| daemon.post("/v1/check", body));
    let answers = futures_util::future::join_all(asked).await;
    let admitted = answers
        .iter()
        .filter(|answer| answer.json()["allowed"] == true);
    assert_eq!(admitted.count(), 10);
    daemon.stop().await;
}
