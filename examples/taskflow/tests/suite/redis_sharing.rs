//! Two processes on one Redis, and what they keep there.

use futures_util::future::join_all;
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::support::{Answer, Client, Engine, PASSWORD, TestApp, card, id};

async fn log_in(client: &Client) -> Answer {
    let wrong = json!({ "email": "ann@example.com", "password": "a wrong password" });
    client.post("/auth/login", wrong).await
}

#[tokio::test]
async fn two_processes_allow_ten_logins_together() {
    let first = TestApp::start(Engine::Redis).await;
    let second = first.another().await;
    for number in 0..12 {
        let app = if number % 2 == 0 { &first } else { &second };
        let answer = log_in(&app.client).await;
        assert_eq!(answer.status, if number < 10 { 401 } else { 429 });
    }
    first.advance(40);
    log_in(&second.client)
        .await
        .expect_error(401, "unauthorized");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parallel_logins_at_two_processes_get_through_ten_times_in_total() {
    let first = TestApp::start(Engine::Redis).await;
    let second = first.another().await;
    let clients = (0..40).map(|number| {
        let app = if number % 2 == 0 { &first } else { &second };
        Client::new(format!("http://{}", app.address))
    });
    let answers = join_all(clients.map(|client| async move { log_in(&client).await })).await;
    let refused = answers.iter().filter(|answer| answer.status == 401).count();
    let limited = answers.iter().filter(|answer| answer.status == 429).count();
    assert_eq!((refused, limited), (10, 30));
}

#[tokio::test]
async fn a_session_is_known_to_the_other_process_and_after_a_restart() {
    let mut first = TestApp::start(Engine::Redis).await;
    let second = first.another().await;
    let ann = first.user("ann").await;
    let at = |app: &TestApp| app.client.with_token(ann.token());
    at(&second).get("/boards").await.expect(200);

    first.stop();
    (&mut first.server).await.unwrap().unwrap();
    let restarted = first.another().await;
    at(&restarted).get("/boards").await.expect(200);
    at(&restarted)
        .post("/auth/logout", json!({}))
        .await
        .expect(204);
    at(&second)
        .get("/boards")
        .await
        .expect_error(401, "unauthorized");
}

#[tokio::test]
async fn a_change_through_one_process_is_seen_through_the_other_at_once() {
    let first = TestApp::start(Engine::Redis).await;
    let second = first.another().await;
    let ann = first.user("ann").await;
    let ann_at_second = second.client.with_token(ann.token());
    let board = id(&ann.post("/boards", json!({"name": "0"})).await.expect(201));
    let path = format!("/boards/{board}");
    for number in 1..=20 {
        let (writer, reader) = match number % 2 {
            0 => (&ann, &ann_at_second),
            _ => (&ann_at_second, &ann),
        };
        // The reader's process has it in the cache.
        reader.get(&path).await.expect(200);
        let name = number.to_string();
        writer
            .patch(&path, json!({ "name": name }))
            .await
            .expect(200);
        assert_eq!(reader.get(&path).await.expect(200)["name"], name);
    }
}

#[tokio::test]
async fn sessions_boards_and_limits_do_not_disturb_each_other() {
    let app = TestApp::start(Engine::Redis).await;
    let redis = app.redis_client().await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Plan"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");
    ann.get(&path).await.expect(200);
    let use_up = async || {
        for _ in 0..10 {
            log_in(&app.client).await.expect_error(401, "unauthorized");
        }
        log_in(&app.client).await.expect_error(429, "rate_limited");
    };
    use_up().await;
    let prefixes = ["session:", "cache:", "ratelimit:"];
    for key in redis.keys("").await {
        assert!(
            prefixes.iter().any(|prefix| key.starts_with(prefix)),
            "{key}"
        );
    }

    redis.delete("ratelimit").await;
    assert_eq!(redis.keys("cache").await.len(), 2, "still cached");
    ann.get(&path).await.expect(200);
    use_up().await;

    redis.delete("cache").await;
    ann.get(&path).await.expect(200);
    log_in(&app.client).await.expect_error(429, "rate_limited");

    redis.delete("session").await;
    ann.get(&path).await.expect_error(401, "unauthorized");
    log_in(&app.client).await.expect_error(429, "rate_limited");
    assert_eq!(redis.keys("cache").await.len(), 2, "still cached");
}

#[tokio::test]
async fn every_key_has_a_lifetime_and_no_secret_reaches_redis() {
    let mut app = TestApp::start(Engine::Redis).await;
    let redis = app.redis_client().await;
    let mut monitor = Monitor::start(app.redis().port()).await;
    let ann = app.user("ann").await;
    let (board, columns) = crate::support::board_with_columns(&ann, 1).await;
    let path = format!("/boards/{board}");
    for title in ["Tea", "Cake"] {
        card(&ann, board, columns[0], title).await;
        ann.get(&path).await.expect(200);
        ann.get(&path).await.expect(200);
    }
    log_in(&app.client).await.expect_error(401, "unauthorized");
    let second = app.log_in("ann").await;
    second.post("/auth/logout", json!({})).await.expect(204);

    let keys = redis.keys("").await;
    for prefix in ["session:", "cache:", "ratelimit:"] {
        assert!(keys.iter().any(|key| key.starts_with(prefix)), "{keys:?}");
    }
    for key in keys {
        let seconds: i64 = redis.run(&format!("TTL {key}")).await;
        let longest = match key.split(':').next() {
            Some("session") => 7 * 24 * 60 * 60,
            // With a clock of a test's own, counts are kept ten minutes longer.
            _ => 15 * 60,
        };
        assert!((0..=longest).contains(&seconds), "{key}: {seconds}");
    }
    let told = monitor.read_up_to("the end", &redis).await;
    assert!(told.contains("Tea") && told.contains("session:"), "{told}");
    for secret in [ann.token(), second.token(), PASSWORD] {
        assert!(!told.contains(secret), "{secret} is in Redis:\n{told}");
    }
}

/// Everything that clients say to a Redis.
struct Monitor(BufReader<TcpStream>);

impl Monitor {
    async fn start(port: u16) -> Self {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        stream.write_all(b"MONITOR\r\n").await.unwrap();
        let mut monitor = BufReader::new(stream);
        let mut line = String::new();
        monitor.read_line(&mut line).await.unwrap();
        assert_eq!(line, "+OK\r\n");
        Self(monitor)
    }

    /// All that was said up to now.
    async fn read_up_to(&mut self, marker: &str, redis: &crate::support::redis::Client) -> String {
        let marker = marker.replace(' ', "-");
        let _: String = redis.run(&format!("ECHO {marker}")).await;
        let mut text = String::new();
        while !text.contains(&marker) {
            assert_ne!(self.0.read_line(&mut text).await.unwrap(), 0, "{text}");
        }
        text
    }
}
