//! A running service, and a client to call it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use axum::Router;
use examples_common::testing::fresh_postgres_database;
use photoplaces::config::PasswordCost;
use photoplaces::{AppState, Clock, Config, RateLimits, app, layers, routes, serve};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

pub(crate) use examples_common::testing::{Answer, Client, fresh_address, id};

/// The password of every user of the tests.
pub(crate) const PASSWORD: &str = "correct horse battery";
/// The administrator of every test.
const ADMIN_EMAIL: &str = "root@example.com";
/// The policy file of the service.
pub(crate) const POLICY_FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tollgate.toml");
/// When every test begins: the beginning of an hour.
pub(crate) const NOW: i64 = 1_700_002_800;

/// The database engines that every test runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

/// Makes two tests of each function `async fn(Engine)`: `sqlite::name` and `postgres::name`.
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
    };
}
pub(crate) use on_each_engine;

/// A service about to start: its own database, cheap passwords, time that stands still.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) config: Config,
    pub(crate) clock: Arc<AtomicI64>,
    pub(crate) dir: TempDir,
}

impl Setup {
    pub(crate) async fn new(engine: Engine) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let url = match engine {
            Engine::Sqlite => format!("sqlite://{}/test.db", dir.path().display()),
            Engine::Postgres => fresh_postgres_database().await,
        };
        let lookup = |name: &str| match name {
            "DATABASE_URL" => Some(url.clone().into()),
            "ADMIN_EMAIL" => Some(ADMIN_EMAIL.into()),
            "ADMIN_PASSWORD" => Some(PASSWORD.into()),
            "TOLLGATE_FILE" => Some(POLICY_FILE.into()),
            _ => None,
        };
        let mut config = Config::from_lookup(lookup).unwrap();
        config.password_cost = PasswordCost {
            memory_kib: 8,
            passes: 1,
        };
        config.database_connections = 5;
        Self {
            config,
            clock: Arc::new(AtomicI64::new(NOW)),
            dir,
        }
    }

    pub(crate) fn clock(&self) -> Clock {
        Clock::manual(Arc::clone(&self.clock))
    }

    pub(crate) async fn connect(&self) -> AppState {
        AppState::connect_with_clock(&self.config, self.clock())
            .await
            .unwrap()
    }

    /// Starts the service without limits.
    pub(crate) async fn start(self) -> TestApp {
        let unlimited = |state| layers::wrap(routes(), state, |routes| routes);
        self.start_as(unlimited).await
    }

    /// Starts the service as it is, with the limits of its file.
    pub(crate) async fn start_limited(self) -> (TestApp, RateLimits) {
        let limits = RateLimits::open(&self.config, &self.clock()).unwrap();
        let app = self.start_as(|state| app(state, &limits)).await;
        (app, limits)
    }

    /// Starts what `make` builds over the state.
    pub(crate) async fn start_as(self, make: impl FnOnce(AppState) -> Router) -> TestApp {
        let state = self.connect().await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let router = make(state.clone());
        let stop_signal = async move {
            // A test that ends without a word stops the server too.
            let _ = stopped.await;
        };
        let server = tokio::spawn(serve(listener, state.clone(), router, stop_signal));
        TestApp {
            address,
            client: Client::new(format!("http://{address}")),
            state,
            clock: self.clock,
            stop: Some(stop),
            server,
            _dir: self.dir,
        }
    }
}

/// A running service.
#[derive(Debug)]
pub(crate) struct TestApp {
    pub(crate) address: SocketAddr,
    /// A client that shows no token.
    pub(crate) client: Client,
    pub(crate) state: AppState,
    clock: Arc<AtomicI64>,
    stop: Option<oneshot::Sender<()>>,
    pub(crate) server: JoinHandle<std::io::Result<()>>,
    _dir: TempDir,
}

impl TestApp {
    pub(crate) async fn start(engine: Engine) -> Self {
        Setup::new(engine).await.start().await
    }

    /// Registers `NAME@example.com`, and logs in, each from an address of its own if proxies are
    /// trusted.
    pub(crate) async fn user(&self, name: &str) -> Client {
        let new =
            json!({ "email": format!("{name}@example.com"), "password": PASSWORD, "name": name });
        let client = self.client.at_address(&fresh_address());
        client.post("/auth/register", new).await.expect(201);
        self.log_in(name).await
    }

    /// The same with an administrator.
    pub(crate) async fn new_admin(&self, name: &str) -> Client {
        let user = self.user(name).await;
        sqlx::query("UPDATE users SET role = 'admin' WHERE email = $1")
            .bind(format!("{name}@example.com"))
            .execute(self.state.db().pool())
            .await
            .unwrap();
        user
    }

    /// The administrator, logged in.
    pub(crate) async fn admin(&self) -> Client {
        self.log_in("root").await
    }

    /// Logs a registered user in once more.
    pub(crate) async fn log_in(&self, name: &str) -> Client {
        let login = json!({ "email": format!("{name}@example.com"), "password": PASSWORD });
        let client = self.client.at_address(&fresh_address());
        let session = client.post("/auth/login", login).await.expect(200);
        client.with_token(session["token"].as_str().unwrap())
    }

    /// The id of a registered user.
    pub(crate) async fn id_of(&self, name: &str) -> i64 {
        sqlx::query_scalar("SELECT id FROM users WHERE email = $1")
            .bind(format!("{name}@example.com"))
            .fetch_one(self.state.db().pool())
            .await
            .unwrap()
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

/// What a list answers of each item, in order.
pub(crate) fn column(listing: &Value, field: &str) -> Vec<Value> {
    let items = listing["items"].as_array().unwrap();
    items.iter().map(|item| item[field].clone()).collect()
}

/// A place at some position.
pub(crate) async fn place_at(user: &Client, name: &str, latitude: f64, longitude: f64) -> i64 {
    let new = json!({ "name": name, "latitude": latitude, "longitude": longitude });
    id(&user.post("/places", new).await.expect(201))
}

/// A place anywhere.
pub(crate) async fn place(user: &Client) -> i64 {
    place_at(user, "Bridge", 47.37, 8.54).await
}

/// A service at a place anywhere.
pub(crate) async fn service(user: &Client) -> i64 {
    let path = format!("/places/{}/services", place(user).await);
    let new = json!({ "title": "Portraits", "price_cents": 12_000, "contact": "see my site" });
    id(&user.post(&path, new).await.expect(201))
}
