//! The cached board is never older than the last answered write.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use taskflow::Clock;
use taskflow::auth::CurrentUser;
use taskflow::boards::BoardWrite;
use taskflow::cache::{BoxFuture, Cache, Lookup, MemoryCache, RedisCache, Ticket};
use taskflow::redis_connection::RedisConnection;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::support::{
    Client, Engine, PATIENCE, Setup, TestApp, board_with_columns, card, id, on_each_engine,
};

on_each_engine!(
    a_second_read_comes_from_the_cache,
    every_write_is_in_the_next_read,
    a_reader_overtaken_by_a_writer_does_not_store_the_old_board,
    readers_among_writers_never_see_less_than_was_answered,
    a_removed_member_is_refused_the_cached_board,
    a_writer_that_gives_up_after_its_commit_still_invalidates,
);

/// The engine's cache, which counts hits and can stop a reader between its load
/// and its fill, and a writer between its commit and its invalidation.
#[derive(Debug)]
struct Watched {
    inner: Arc<dyn Cache>,
    hits: AtomicUsize,
    stop_fill: AtomicBool,
    stop_invalidate: AtomicBool,
    stopped: Semaphore,
    go_on: Semaphore,
    invalidated: Semaphore,
}

impl Watched {
    fn new(inner: Arc<dyn Cache>) -> Arc<Self> {
        Arc::new(Self {
            inner,
            hits: AtomicUsize::new(0),
            stop_fill: AtomicBool::new(false),
            stop_invalidate: AtomicBool::new(false),
            stopped: Semaphore::new(0),
            go_on: Semaphore::new(0),
            invalidated: Semaphore::new(0),
        })
    }

    /// Waits here, once, if `switch` is on.
    async fn stop_if(&self, switch: &AtomicBool) {
        if switch.swap(false, Ordering::SeqCst) {
            self.stopped.add_permits(1);
            self.go_on.acquire().await.unwrap().forget();
        }
    }
}

impl Cache for Watched {
    fn lookup<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Lookup> {
        Box::pin(async move {
            let found = self.inner.lookup(key).await;
            if matches!(found, Lookup::Hit(_)) {
                self.hits.fetch_add(1, Ordering::SeqCst);
            }
            found
        })
    }

    fn fill<'a>(&'a self, key: &'a str, ticket: Ticket, value: Bytes) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.stop_if(&self.stop_fill).await;
            self.inner.fill(key, ticket, value).await;
        })
    }

    fn invalidate<'a>(&'a self, key: &'a str) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.stop_if(&self.stop_invalidate).await;
            self.inner.invalidate(key).await;
            self.invalidated.add_permits(1);
        })
    }
}

async fn start(engine: Engine) -> (TestApp, Arc<Watched>) {
    let setup = Setup::new(engine).await;
    let cache = Watched::new(match &setup.config.redis {
        None => Arc::new(MemoryCache::new(Clock::manual(Arc::default()), 1 << 20, 60)),
        Some(url) => Arc::new(RedisCache::new(
            RedisConnection::new(url, PATIENCE).unwrap(),
            60,
        )),
    });
    let shared: Arc<dyn Cache> = Arc::<Watched>::clone(&cache);
    let app = setup.start_with(|state| state.with_cache(shared)).await;
    (app, cache)
}

async fn a_second_read_comes_from_the_cache(engine: Engine) {
    let (app, cache) = start(engine).await;
    let ann = app.user("ann").await;
    let (board, _) = board_with_columns(&ann, 1).await;
    let path = format!("/boards/{board}");
    let first = ann.get(&path).await;
    assert_eq!(cache.hits.load(Ordering::SeqCst), 0);
    let second = ann.get(&path).await;
    assert_eq!(cache.hits.load(Ordering::SeqCst), 1);
    first.expect(200);
    assert_eq!(first.body, second.body);
    let stored = cache.inner.lookup(&format!("board:{board}")).await;
    assert!(matches!(stored, Lookup::Hit(bytes) if bytes == first.body));
}

async fn every_write_is_in_the_next_read(engine: Engine) {
    let (app, cache) = start(engine).await;
    let (ann, _) = (app.user("ann").await, app.user("bob").await);
    let (board, columns) = board_with_columns(&ann, 2).await;
    let card = card(&ann, board, columns[0], "Card").await;
    let at = |path: String| format!("/boards/{board}{path}");
    let label = json!({"name": "label", "colour": "#000000"});
    let label = id(&ann.post(&at("/labels".to_owned()), label).await.expect(201));
    let mut before = read_twice(&ann, &at(String::new())).await;

    let bob = json!({"email": "bob@example.com"});
    let to = json!({"column_id": columns[1], "position": 0});
    for (method, path, body) in [
        ("PATCH", String::new(), Some(json!({"name": "Renamed"}))),
        ("POST", "/members".to_owned(), Some(bob)),
        ("DELETE", "/members/bob@example.com".to_owned(), None),
        ("POST", "/columns".to_owned(), Some(json!({"name": "New"}))),
        (
            "PATCH",
            format!("/columns/{}", columns[0]),
            Some(json!({"name": "Renamed"})),
        ),
        (
            "POST",
            format!("/columns/{}/move", columns[0]),
            Some(json!({"position": 1})),
        ),
        (
            "POST",
            format!("/columns/{}/cards", columns[0]),
            Some(json!({"title": "New"})),
        ),
        (
            "PATCH",
            format!("/cards/{card}"),
            Some(json!({"title": "Changed"})),
        ),
        ("POST", format!("/cards/{card}/move"), Some(to)),
        ("PUT", format!("/cards/{card}/labels/{label}"), None),
        (
            "PATCH",
            format!("/labels/{label}"),
            Some(json!({"name": "renamed"})),
        ),
        ("DELETE", format!("/cards/{card}/labels/{label}"), None),
        (
            "POST",
            "/labels".to_owned(),
            Some(json!({"name": "new", "colour": "#ffffff"})),
        ),
        ("DELETE", format!("/labels/{label}"), None),
        ("DELETE", format!("/cards/{card}"), None),
        ("DELETE", format!("/columns/{}", columns[1]), None),
    ] {
        let answer = ann
            .send(method.parse().unwrap(), &at(path.clone()), body)
            .await;
        assert!(
            (200..300).contains(&answer.status),
            "{method} {path}: {answer:?}"
        );
        let mut after = read_twice(&ann, &at(String::new())).await;
        assert_eq!(
            after["version"].as_i64(),
            before["version"].as_i64().map(|v| v + 1)
        );
        before["version"].take();
        let version = after["version"].take();
        assert_ne!(after, before, "{method} {path} changes what is read");
        after["version"] = version;
        before = after;
    }
    assert!(cache.hits.load(Ordering::SeqCst) >= 17);
    ann.delete(&at(String::new())).await.expect(204);
    ann.get(&at(String::new()))
        .await
        .expect_error(404, "not_found");
}

/// The board, which is in the cache afterwards.
async fn read_twice(client: &Client, path: &str) -> Value {
    let first = client.get(path).await.expect(200);
    assert_eq!(client.get(path).await.expect(200), first);
    first
}

async fn a_reader_overtaken_by_a_writer_does_not_store_the_old_board(engine: Engine) {
    let (app, cache) = start(engine).await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Old"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");

    cache.stop_fill.store(true, Ordering::SeqCst);
    let (reader, reader_path) = (ann.clone(), path.clone());
    let slow = tokio::spawn(async move { reader.get(&reader_path).await.expect(200) });
    cache.stopped.acquire().await.unwrap().forget();
    ann.patch(&path, json!({"name": "New"})).await.expect(200);
    cache.go_on.add_permits(1);
    assert_eq!(
        slow.await.unwrap()["name"],
        "Old",
        "it began before the write"
    );

    assert_eq!(ann.get(&path).await.expect(200)["name"], "New");
    assert_eq!(
        cache.hits.load(Ordering::SeqCst),
        0,
        "the old board was not stored"
    );
}

async fn readers_among_writers_never_see_less_than_was_answered(engine: Engine) {
    const WRITES: usize = 40;
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let board = id(&ann.post("/boards", json!({"name": "0"})).await.expect(201));
    let path = format!("/boards/{board}");
    let answered = Arc::new(AtomicUsize::new(0));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (ann, path, answered) = (ann.clone(), path.clone(), Arc::clone(&answered));
            tokio::spawn(async move {
                loop {
                    let least = answered.load(Ordering::SeqCst);
                    let board = ann.get(&path).await.expect(200);
                    let seen: usize = board["name"].as_str().unwrap().parse().unwrap();
                    assert!(
                        seen >= least,
                        "write {least} was answered, write {seen} was read"
                    );
                    if least == WRITES {
                        break;
                    }
                }
            })
        })
        .collect();
    for n in 1..=WRITES {
        ann.patch(&path, json!({"name": n.to_string()}))
            .await
            .expect(200);
        answered.store(n, Ordering::SeqCst);
    }
    for reader in readers {
        reader.await.unwrap();
    }
}

async fn a_removed_member_is_refused_the_cached_board(engine: Engine) {
    let (app, cache) = start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let carl = app.user("carl").await;
    let (board, _) = board_with_columns(&ann, 1).await;
    let path = format!("/boards/{board}");
    let member = json!({"email": "bob@example.com"});
    ann.post(&format!("{path}/members"), member)
        .await
        .expect(201);
    ann.get(&path).await.expect(200);
    bob.get(&path).await.expect(200);
    assert_eq!(cache.hits.load(Ordering::SeqCst), 1);
    carl.get(&path).await.expect_error(404, "not_found");
    assert_eq!(
        cache.hits.load(Ordering::SeqCst),
        2,
        "refused from the cache"
    );
    ann.delete(&format!("{path}/members/bob@example.com"))
        .await
        .expect(204);
    ann.get(&path).await.expect(200);
    bob.get(&path).await.expect_error(404, "not_found");
}

async fn a_writer_that_gives_up_after_its_commit_still_invalidates(engine: Engine) {
    let (app, cache) = start(engine).await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Old"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");
    let members = read_twice(&ann, &path).await["members"].take();
    let user = CurrentUser {
        id: members[0]["user_id"].as_i64().unwrap(),
    };

    let mut write = BoardWrite::begin(&app.state, user, board).await.unwrap();
    sqlx::query("UPDATE boards SET name = 'New'")
        .execute(write.connection())
        .await
        .unwrap();
    cache.stop_invalidate.store(true, Ordering::SeqCst);
    tokio::select! {
        _ = write.commit() => panic!("committed without invalidating"),
        permit = cache.stopped.acquire() => permit.unwrap().forget(),
    }
    // The future of the commit is dropped, as that of a request that timed out.
    cache.go_on.add_permits(1);
    let invalidated = timeout(Duration::from_secs(10), cache.invalidated.acquire()).await;
    invalidated
        .expect("the invalidation went with the caller")
        .unwrap()
        .forget();
    assert_eq!(ann.get(&path).await.expect(200)["name"], "New");
}
