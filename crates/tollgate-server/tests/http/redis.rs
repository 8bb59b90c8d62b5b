//! The same answers where the counts are in Redis.

use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tollgate_testkit::RedisServer;

use crate::support::{Daemon, request};

fn policies(server: &RedisServer) -> String {
    format!(
        "
[store]
url = '{}'
timeout = '10s'

[client]
trusted_proxies = ['127.0.0.1']

[[policy]]
name = 'user'
key = ['user']
limits = ['3/min fixed-window']
missing_key = 'skip'

[[policy]]
name = 'auth'
match = {{ path = '/auth/**' }}
key = ['client.ip']
limits = ['10/min fixed-window']
",
        server.url()
    )
}

#[tokio::test]
async fn checks_batches_looks_and_resets_are_answered_as_in_memory() {
    let server = RedisServer::start();
    let daemon = Daemon::with_token(&policies(&server)).await;
    let ask = async |path: &str, body: serde_json::Value| {
        let answer = daemon.administer("POST", path, &body.to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let user = |cost: u64| json!({"attributes": {"user": "7"}, "cost": cost});
    let look = json!({"attributes": {"user": "7"}, "peek": true});
    let left = async || {
        let json = ask("/v1/check", look.clone()).await;
        json["policies"][0]["limits"][0]["remaining"].clone()
    };
    assert_eq!(ask("/v1/check", user(1)).await["allowed"], true);
    assert_eq!(left().await, 2);
    let whole = json!({"all_or_nothing": true, "checks": [user(1), user(2)]});
    assert_eq!(ask("/v1/check/batch", whole).await["allowed"], false);
    assert_eq!(left().await, 2);
    let each = json!({"all_or_nothing": false, "checks": [user(2), look, user(1)]});
    let each = ask("/v1/check/batch", each).await;
    assert_eq!(each["allowed"], false);
    let denied = ask("/v1/check", user(3)).await;
    assert_eq!(denied["allowed"], false);
    let forgotten = ask(
        "/v1/reset",
        json!({"policy": "user", "attributes": {"user": "7"}}),
    )
    .await;
    assert_eq!(forgotten, json!({"forgotten": 1}));
    assert_eq!(left().await, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn daemons_that_share_a_server_admit_ten_together() {
    let server = RedisServer::start();
    let file = policies(&server);
    let daemons = [Daemon::start(&file).await, Daemon::start(&file).await];
    let headers = [
        ("x-forwarded-method", "GET"),
        ("x-forwarded-uri", "/auth/login"),
        ("x-forwarded-for", "198.51.100.7"),
    ];
    let asked = (0..40).flat_map(|_| &daemons);
    let asked = asked.map(|daemon| daemon.ask(request("GET", "/v1/auth", &headers, "")));
    let answers = futures_util::future::join_all(asked).await;
    let statuses = |status: u16| {
        let of_status = answers.iter().filter(|answer| answer.status == status);
        of_status.count()
    };
    assert_eq!((statuses(200), statuses(429)), (10, 70));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_has_said_all_and_shut_down_its_side_is_still_answered() {
    let server = RedisServer::start();
    let daemon = Daemon::start(&policies(&server)).await;
    let ask = async |requests: usize| {
        let mut stream = TcpStream::connect(daemon.address()).await.unwrap();
        let body = r#"{"attributes": {"user": "half"}}"#;
        let length = body.len();
        let request = format!(
            "POST /v1/check HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n{body}"
        );
        stream
            .write_all(request.repeat(requests).as_bytes())
            .await
            .unwrap();
        stream.shutdown().await.unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).await.unwrap();
        told.matches("HTTP/1.1 200 OK").count()
    };
    assert_eq!(ask(1).await, 1);
    assert_eq!(ask(5).await, 5);
    server.hang();
    let (answered, ()) = tokio::join!(ask(1), async {
        // Long enough for it to have been noticed.
        for _ in 0..100 {
            daemon.get("/livez").await;
        }
        server.resume();
    });
    assert_eq!(answered, 1);
}
