//! Many commands at once, and in small parts.

use tollgate_resp::encode;

use crate::daemon::Daemon;

const COMMANDS: usize = 10_000;

fn throttles() -> Vec<u8> {
    let command = encode(&["CL.THROTTLE", "k", "9999", "1", "3600"]);
    command.repeat(COMMANDS)
}

#[tokio::test]
async fn what_arrives_together_is_answered_in_order() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    client.send(&throttles()).await;
    for left in (0..10_000).rev() {
        assert_eq!(client.answer().await.integers()[2], left);
    }
    assert_eq!(
        client.ask("CL.THROTTLE k 9999 1 3600").await.integers()[0],
        1
    );
}

#[tokio::test]
async fn what_arrives_byte_by_byte_is_answered_the_same() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    for byte in throttles().chunks(1) {
        client.send(byte).await;
    }
    for left in (0..10_000).rev() {
        assert_eq!(client.answer().await.integers()[2], left);
    }
}

#[tokio::test]
async fn a_peek_sees_what_came_before_it_and_nothing_after() {
    let daemon = Daemon::start().await;
    let mut client = daemon.connect().await;
    let check = encode(&["TG.CHECK", "path", "/upload", "user", "mo"]);
    let peek = encode(&["TG.PEEK", "path", "/upload", "user", "mo"]);
    client.send(&[&check[..], &peek, &check].concat()).await;
    for expected in [
        "1 upload allowed -1 99 100 1",
        "1 upload allowed -1 99 100 1",
        "1 upload allowed -1 98 100 2",
    ] {
        assert_eq!(client.answer().await.shown(), expected);
    }
}
