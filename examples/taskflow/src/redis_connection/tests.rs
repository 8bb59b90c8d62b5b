use std::task::Poll;

use tollgate_testkit::RedisServer;

use super::*;

const LONG: Duration = Duration::from_secs(20);

fn connection(server: &RedisServer, patience: Duration) -> RedisConnection {
    let url = RedisUrl::parse(&server.url()).unwrap();
    RedisConnection::new(&url, patience).unwrap()
}

async fn until_it_answers(connection: &RedisConnection) {
    let answers = async {
        while connection.ping().await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, answers).await.unwrap();
}

#[tokio::test]
async fn fails_at_once_while_the_server_is_down_and_works_once_it_is_up() {
    let mut server = RedisServer::start();
    let connection = connection(&server, LONG);
    connection.ping().await.unwrap();
    server.stop();
    let mut attempts = 0;
    for _ in 0..1_000 {
        let failure = connection.ping().await.unwrap_err();
        attempts += u32::from(!matches!(failure, RedisFailure::NotConnected));
    }
    assert!(attempts < 10, "{attempts} attempts");
    server.start_again();
    until_it_answers(&connection).await;
}

#[tokio::test]
async fn a_server_that_hangs_is_given_up() {
    let server = RedisServer::start();
    let connection = connection(&server, Duration::from_millis(500));
    until_it_answers(&connection).await;
    server.hang();
    // First on the connection that there is, then on the way to a new one, then not at all for a
    // moment; which this machine may have missed.
    let mut failures = Vec::new();
    for _ in 0..6 {
        failures.push(connection.ping().await.unwrap_err());
        if matches!(failures.last(), Some(RedisFailure::NotConnected)) {
            break;
        }
    }
    assert!(
        matches!(failures.last(), Some(RedisFailure::NotConnected)),
        "{failures:?}"
    );
}

/// Otherwise the first call after a restart would be sent into a connection that has ended.
#[tokio::test]
async fn sees_that_a_connection_has_ended_without_using_it() {
    let mut server = RedisServer::start();
    let connection = connection(&server, LONG);
    let live = connection.live().await.unwrap();
    server.start_again();
    let ends = async {
        while !live.has_ended.load(Ordering::Acquire) {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, ends).await.unwrap();
    connection.ping().await.unwrap();
}

#[tokio::test]
async fn goes_on_connecting_when_the_caller_gives_up() {
    let server = RedisServer::start();
    let connection = connection(&server, LONG);
    let mut attempt = Box::pin(connection.live());
    let begun = std::future::poll_fn(|context| Poll::Ready(attempt.as_mut().poll(context)));
    assert!(begun.await.is_pending());
    drop(attempt);
    let connects = async {
        while connection.state.lock().await.live.is_none() {
            tokio::task::yield_now().await;
        }
    };
    timeout(LONG, connects).await.unwrap();
}

#[tokio::test]
async fn a_password_is_used_and_never_shown() {
    let server = RedisServer::start();
    let admin = connection(&server, LONG);
    let mut set = redis::cmd("CONFIG");
    set.arg("SET").arg("requirepass").arg("s3cret");
    admin.run::<()>(&set).await.unwrap();
    let with = |password: &str| {
        let url = server.url().replace("://", &format!("://:{password}@"));
        RedisConnection::new(&RedisUrl::parse(&url).unwrap(), LONG).unwrap()
    };
    let right = with("s3cret");
    right.ping().await.unwrap();
    assert!(!format!("{right:?}").contains("s3cret"));
    let failure = with("wr0ng").ping().await.unwrap_err();
    assert!(matches!(failure, RedisFailure::Failed(_)), "{failure:?}");
    assert!(!format!("{failure:?} {failure}").contains("wr0ng"));
}
