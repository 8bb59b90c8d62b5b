//! The rows of the table of limits: who may do what how often.

use photoplaces::config::Environment;
use reqwest::Method;
use serde_json::json;
use tollgate_testkit::RedisServer;
use tollgate_testkit::redis::Reply;

use super::given::behind_proxy;
use crate::support::{Answer, Client, NOW, TestApp, fresh_address};

/// Who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Address,
    User,
}

/// One row, for one kind of callers.
#[derive(Debug)]
pub(crate) struct Row {
    policy: &'static str,
    by: By,
    pub(crate) units: u64,
    /// What the service answers to those who are let through.
    pub(crate) passed: u16,
}

const fn row(policy: &'static str, by: By, units: u64, passed: u16) -> Row {
    Row {
        policy,
        by,
        units,
        passed,
    }
}

pub(crate) const ROWS: [Row; 6] = [
    row("auth", By::Address, 10, 401),
    row("api_read", By::Address, 60, 200),
    row("api_read", By::User, 60, 200),
    row("api_write", By::Address, 10, 401),
    row("api_write", By::User, 10, 201),
    row("admin", By::User, 100, 200),
];

/// One who is logged in, as an administrator, and one who is not.
#[derive(Debug)]
pub(crate) struct Callers {
    user: Client,
    address: Client,
}

impl Callers {
    pub(crate) async fn new(app: &TestApp, name: &str) -> Self {
        Self {
            user: app.new_admin(name).await,
            address: app.client.at_address(&fresh_address()),
        }
    }
}

impl Row {
    pub(crate) async fn call(&self, callers: &Callers) -> Answer {
        let client = match self.by {
            By::Address => &callers.address,
            By::User => &callers.user,
        };
        match self.policy {
            "auth" => {
                let guess = json!({"email": "root@example.com", "password": "a wrong guess"});
                client.post("/auth/login", guess).await
            }
            "api_read" => client.get("/places").await,
            "api_write" => {
                let place = json!({"name": "Bridge", "latitude": 47.0, "longitude": 8.0});
                client.send(Method::POST, "/places", Some(place)).await
            }
            _ => client.get("/admin/users").await,
        }
    }

    /// The caller gets all that the row gives, with true numbers, and not one more.
    pub(crate) async fn gives_its_units(&self, callers: &Callers) {
        for used in 1..=self.units {
            let answer = self.call(callers).await;
            assert_eq!(answer.status, self.passed, "{self:?} {used}: {answer:?}");
            self.assert_numbers(&answer, self.units - used);
        }
        self.denies(callers).await;
    }

    /// The caller has used everything up.
    pub(crate) async fn denies(&self, callers: &Callers) {
        let answer = self.call(callers).await;
        answer.expect_error(429, "rate_limited");
        assert_eq!(number(&answer, "retry-after"), 60_u64.div_ceil(self.units));
        assert_eq!(answer.headers["cache-control"], "no-store");
        self.assert_numbers(&answer, 0);
    }

    /// As [`gives_its_units`](Self::gives_its_units), while this process counts by itself: then
    /// nothing is announced.
    pub(crate) async fn gives_its_units_without_the_store(&self, callers: &Callers) {
        for used in 1..=self.units {
            let answer = self.call(callers).await;
            assert_eq!(answer.status, self.passed, "{self:?} {used}: {answer:?}");
            assert!(!answer.headers.contains_key("x-ratelimit-limit"));
        }
        let answer = self.call(callers).await;
        answer.expect_error(429, "rate_limited");
        assert_eq!(number(&answer, "retry-after"), 60_u64.div_ceil(self.units));
        assert!(!answer.headers.contains_key("x-ratelimit-limit"));
    }

    fn assert_numbers(&self, answer: &Answer, remaining: u64) {
        assert_eq!(number(answer, "x-ratelimit-limit"), self.units);
        assert_eq!(number(answer, "x-ratelimit-remaining"), remaining);
        let now = u64::try_from(NOW).unwrap();
        // When the bucket is full again, at the latest.
        let reset = number(answer, "x-ratelimit-reset");
        assert!((now + 1..=now + 60).contains(&reset), "{reset}");
        let announced = answer.headers["ratelimit"].to_str().unwrap();
        let start = format!("\"{}\";r={remaining};t=", self.policy);
        assert!(announced.starts_with(&start), "{announced}");
    }
}

pub(crate) fn number(answer: &Answer, field: &str) -> u64 {
    answer.headers[field].to_str().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_gives_its_units_in_memory() {
    let setup = behind_proxy(Environment::Development, None).await;
    let (app, _) = setup.start_limited().await;
    let callers = Callers::new(&app, "ann").await;
    for row in &ROWS {
        row.gives_its_units(&callers).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_waits_as_told_is_admitted_and_no_sooner() {
    let setup = behind_proxy(Environment::Development, None).await;
    let (app, _) = setup.start_limited().await;
    let callers = Callers::new(&app, "ann").await;
    for row in ROWS.iter().filter(|row| row.units == 10) {
        row.gives_its_units(&callers).await;
    }
    let wait = 6;
    app.advance(wait - 1);
    for row in ROWS.iter().filter(|row| row.units == 10) {
        let answer = row.call(&callers).await;
        answer.expect_error(429, "rate_limited");
        assert_eq!(number(&answer, "retry-after"), 1);
    }
    app.advance(1);
    for row in ROWS.iter().filter(|row| row.units == 10) {
        assert_eq!(row.call(&callers).await.status, row.passed);
        assert_eq!(row.call(&callers).await.status, 429);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn counts_of_different_policies_and_callers_have_different_keys() {
    let redis = RedisServer::start();
    let setup = behind_proxy(Environment::Production, Some(&redis)).await;
    let (app, _) = setup.start_limited().await;
    let callers = Callers::new(&app, "ann").await;
    let user = app.id_of("ann").await;
    for row in &ROWS {
        row.call(&callers).await;
    }
    let keys = redis.command(&["KEYS", "*"]).array();
    let keys: Vec<_> = keys.iter().map(Reply::text).collect();
    let count = |name: &str| {
        let start = format!("photoplaces:limits:{{{name}");
        keys.iter().filter(|key| key.starts_with(&start)).count()
    };
    for policy in ["api_read", "api_write"] {
        assert_eq!(count(&format!("{policy}:user={user}}}")), 1, "{keys:?}");
        assert_eq!(count(&format!("{policy}:client.ip=")), 1, "{keys:?}");
    }
    assert_eq!(count(&format!("admin:user={user}}}")), 1, "{keys:?}");
    // The caller, and the two addresses at which the user has registered and logged in.
    assert_eq!(count("auth:client.ip="), 3, "{keys:?}");
    assert_eq!(keys.len(), 8, "{keys:?}");
}
