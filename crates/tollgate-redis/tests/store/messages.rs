//! What is said of a server to which there is no connection.

use std::error::Error;

use tollgate::{Charge, Store, StoreError, StoreErrorKind};
use tollgate_redis::RedisStore;
use tollgate_testkit::RedisServer;
use tollgate_testkit::given::limit;

use crate::fake::FakeServer;
use crate::given::{PATIENCE, command, connection};

/// The error of a call that does not wait, since an attempt to connect has failed.
async fn fails_at_once(store: &RedisStore) -> StoreError {
    let limit = limit("10/h");
    let failing = async {
        loop {
            let error = store.decide(&[Charge::new(&limit, "k", 1)]).await;
            let error = error.unwrap_err();
            if error.to_string().contains("the last one failed") {
                return error;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(PATIENCE, failing).await.unwrap()
}

/// The error's text and those below it, none of which says what one above it says already.
fn chain(error: &StoreError) -> String {
    let mut texts = vec![error.to_string()];
    let mut below = error.source();
    while let Some(error) = below {
        let text = error.to_string();
        assert!(
            texts.iter().all(|above| !above.contains(&text)),
            "{texts:?} and then {text:?}"
        );
        texts.push(text);
        below = error.source();
    }
    let chain = texts.join(": ");
    assert!(!chain.contains('\n'), "{chain}");
    chain
}

#[tokio::test]
async fn a_call_that_does_not_wait_says_why_the_last_attempt_has_failed() {
    let server = RedisServer::start();
    let mut connection = connection(&server).await;
    command(&mut connection, &["CONFIG", "SET", "requirepass", "s3cret"]).await;
    let url = server.url().replace("://", "://:wr0ng@");
    let error = fails_at_once(&RedisStore::open(&url).unwrap()).await;
    assert_eq!(error.kind(), StoreErrorKind::Unavailable);
    let text = error.to_string();
    assert!(
        text.ends_with("failed: redis refuses the user or the password of the url"),
        "{text}"
    );
    let chain = chain(&error);
    assert!(chain.contains("WRONGPASS"), "{chain}");
    assert!(!chain.contains("wr0ng"), "{chain}");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_said_to_refuse_once() {
    let mut server = RedisServer::start();
    server.stop();
    let error = fails_at_once(&RedisStore::open(&server.url()).unwrap()).await;
    let chain = chain(&error);
    assert_eq!(chain.matches("Connection refused").count(), 1, "{chain}");
}

#[tokio::test]
async fn an_unknown_host_is_named_and_a_password_is_not() {
    // Longer than a part of a name may be, so that no server of names is asked and waited for.
    let host = "nobody".repeat(11);
    let store = RedisStore::open(&format!("redis://:s3cret@{host}")).unwrap();
    let error = store.connect().await.unwrap_err();
    let text = error.to_string();
    assert_eq!(text, format!("the host {host} of redis is unknown"));
    let chain = chain(&fails_at_once(&store).await);
    assert!(
        chain.contains(&text) && !chain.contains("s3cret"),
        "{chain}"
    );
}

#[tokio::test]
async fn a_server_that_greets_in_another_protocol_may_speak_tls() {
    let mut server = FakeServer::start().await;
    let store = RedisStore::open(server.url()).unwrap();
    let (error, ()) = tokio::join!(store.connect(), async {
        // The alert by which a server refuses what is no greeting of TLS.
        let connection = server.accept().await;
        connection.answer(b"\x15\x03\x01\x00\x02\x02\x46").await;
    });
    let error = error.unwrap_err();
    assert!(error.to_string().contains("write rediss://"), "{error}");
    chain(&error);
}

#[cfg(feature = "tls")]
#[tokio::test]
async fn a_port_that_does_not_answer_to_tls_is_asked_about() {
    use std::time::Duration;

    let mut server = FakeServer::start().await;
    let url = server.url().replace("redis://", "rediss://");
    let store = RedisStore::open(&url).unwrap();
    let patience = Duration::from_secs(1);
    let store = store.connect_timeout(patience);
    let (error, _connection) = tokio::join!(store.connect(), async {
        let connection = server.accept().await;
        server.pass(patience).await;
        connection
    });
    let error = error.unwrap_err();
    assert!(error.to_string().contains("speak TLS?"), "{error}");
}
