//! A running service, and a client to call it.

pub(crate) mod nginx;
pub(crate) mod program;
pub(crate) mod redis;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use examples_common::testing::fresh_postgres_database;
use serde_json::json;
use taskflow::auth::PasswordCost;
use taskflow::config::RedisUrl;
use taskflow::{AppState, Clock, Config, serve};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tollgate_policy::ClientIdentity;
use tollgate_testkit::RedisServer;

pub(crate) use examples_common::testing::{Answer, Client, fresh_address, id};

/// The password of every user of the tests.
pub(crate) const PASSWORD: &str = "correct horse battery";

/// Longer than a machine with other things to do keeps a test waiting.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// What stores everything, that every test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
    /// SQLite, with sessions, cached boards and the limiter in a Redis of the test's own.
    Redis,
}

/// Makes a test of each function `async fn(Engine)` for each engine: `sqlite::name` and so on.
macro_rules! on_each_engine {
    ($($test:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::support::Engine::Sqlite).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::support::Engine::Postgres).await;
            })+
        }
        mod redis {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() {
                super::$test($crate::support::Engine::Redis).await;
            })+
        }
    };
}
pub(crate) use on_each_engine;

/// A service about to start: its own database, cheap passwords, time that stands still.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) clock: Arc<AtomicI64>,
    pub(crate) redis: Option<RedisServer>,
    dir: Arc<TempDir>,
}

impl Setup {
    pub(crate) async fn new(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let url = match engine {
            Engine::Sqlite | Engine::Redis => format!("sqlite://{}/test.db", dir.path().display()),
            Engine::Postgres => fresh_postgres_database().await,
        };
        let lookup = |name: &str| (name == "DATABASE_URL").then(|| url.clone().into());
        let mut config = Config::from_lookup(lookup).unwrap();
        config.password_cost = PasswordCost {
            memory_kib: 8,
            passes: 1,
        };
        config.database_connections = 5;
        config.client_identity = behind_proxy("127.0.0.1");
        let redis = (engine == Engine::Redis).then(RedisServer::start);
        config.redis = redis
            .as_ref()
            .map(|server| RedisUrl::parse(&server.url()).unwrap());
        config.redis_timeout = PATIENCE;
        config.limiter_deadline = PATIENCE;
        Self {
            config,
            clock: Arc::new(AtomicI64::new(1_700_000_000)),
            redis,
            dir: Arc::new(dir),
        }
    }

    pub(crate) async fn start(self) -> TestApp {
        self.start_with(|state| state).await
    }

    /// Starts the service over a state that `change` has altered.
    pub(crate) async fn start_with(self, change: impl FnOnce(AppState) -> AppState) -> TestApp {
        let clock = Clock::manual(Arc::clone(&self.clock));
        let state = change(
            AppState::connect_with_clock(&self.config, clock)
                .await
                .unwrap(),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(serve(listener, state.clone(), async move {
            // A test that ends without a word stops the server too.
            let _ = stopped.await;
        }));
        let client = Client::new(format!("http://{address}"));
        TestApp {
            address,
            client,
            state,
            config: self.config,
            clock: self.clock,
            redis: self.redis,
            stop: Some(stop),
            server,
            dir: self.dir,
        }
    }
}

/// Clients come through this proxy.
pub(crate) fn behind_proxy(address: &str) -> ClientIdentity {
    ClientIdentity::builder()
        .trusted_proxy(address)
        .build()
        .unwrap()
}

/// A running service.
#[derive(Debug)]
pub(crate) struct TestApp {
    pub(crate) address: std::net::SocketAddr,
    /// A client that shows no token.
    pub(crate) client: Client,
    pub(crate) state: AppState,
    config: Config,
    clock: Arc<AtomicI64>,
    redis: Option<RedisServer>,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) server: JoinHandle<std::io::Result<()>>,
    pub(crate) dir: Arc<TempDir>,
}

impl TestApp {
    pub(crate) async fn start(engine: Engine) -> Self {
        Setup::new(engine).await.start().await
    }

    /// A second service, as if of another process, on the same database, Redis and clock.
    pub(crate) async fn another(&self) -> Self {
        let setup = Setup {
            config: self.config.clone(),
            clock: Arc::clone(&self.clock),
            redis: None,
            dir: Arc::clone(&self.dir),
        };
        setup.start().await
    }

    /// The Redis of [`Engine::Redis`].
    pub(crate) fn redis(&mut self) -> &mut RedisServer {
        self.redis.as_mut().unwrap()
    }

    /// A connection to it, beside those of the service.
    pub(crate) async fn redis_client(&self) -> redis::Client {
        redis::Client::connect(self.redis.as_ref().unwrap()).await
    }

    /// Registers `NAME@example.com` and logs in, from an address of its own.
    pub(crate) async fn user(&self, name: &str) -> Client {
        let email = format!("{name}@example.com");
        let new = json!({ "email": email, "password": PASSWORD, "name": name });
        let client = self.client.at_address(&fresh_address());
        client.post("/auth/register", new).await.expect(201);
        self.log_in(name).await
    }

    /// Logs a registered user in once more.
    pub(crate) async fn log_in(&self, name: &str) -> Client {
        let login = json!({ "email": format!("{name}@example.com"), "password": PASSWORD });
        let client = self.client.at_address(&fresh_address());
        let session = client.post("/auth/login", login).await.expect(200);
        client.with_token(session["token"].as_str().unwrap())
    }

    pub(crate) fn advance(&self, seconds: i64) {
        self.clock.fetch_add(seconds, Ordering::SeqCst);
    }

    /// Tells the server to stop, as a signal does.
    pub(crate) fn stop(&mut self) {
        match self.stop.take() {
            Some(stop) => stop.send(()).unwrap(),
            None => panic!("stopped twice"),
        }
    }
}

/// A board of `owner` with so many columns; their ids from left to right.
pub(crate) async fn board_with_columns(owner: &Client, columns: usize) -> (i64, Vec<i64>) {
    let board = id(&owner
        .post("/boards", json!({ "name": "Board" }))
        .await
        .expect(201));
    let mut ids = Vec::new();
    for n in 0..columns {
        let path = format!("/boards/{board}/columns");
        ids.push(id(&owner
            .post(&path, json!({ "name": format!("Column {n}") }))
            .await
            .expect(201)));
    }
    (board, ids)
}

/// Adds a card at the end of a column.
pub(crate) async fn card(member: &Client, board: i64, column: i64, title: &str) -> i64 {
    let path = format!("/boards/{board}/columns/{column}/cards");
    id(&member
        .post(&path, json!({ "title": title }))
        .await
        .expect(201))
}
