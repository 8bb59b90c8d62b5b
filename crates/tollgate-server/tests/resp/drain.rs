//! The end of the daemon.

use crate::daemon::Daemon;

#[tokio::test]
async fn what_was_sent_before_the_end_is_answered() {
    let mut daemon = Daemon::start().await;
    let mut busy = daemon.connect().await;
    let mut idle = daemon.connect().await;
    let mut halfway = daemon.connect().await;
    for client in [&mut busy, &mut idle, &mut halfway] {
        assert_eq!(client.ask("PING").await.shown(), "PONG");
    }
    halfway.send(b"*2\r\n$4\r\nEC").await;
    // The only thread of the daemon has no chance to stop between the two.
    busy.send(&b"PING\r\n".repeat(1_000)).await;
    daemon.stop();
    for _ in 0..1_000 {
        assert_eq!(busy.answer().await.shown(), "PONG");
    }
    for client in [&mut busy, &mut idle, &mut halfway] {
        assert_eq!(client.try_answer().await, None);
    }
    assert!(
        daemon.ended().await,
        "all connections have ended by themselves"
    );
}
