//! Accounts and sessions.

use serde_json::json;
use sqlx::{AssertSqlSafe, Row};

use crate::support::{Engine, PASSWORD, TestApp, on_each_engine};

on_each_engine!(
    an_address_registers_once,
    a_login_does_not_tell_whether_the_address_exists,
    logging_out_ends_that_session_alone,
    a_session_ends_at_its_time,
    what_is_no_session_is_refused,
    no_token_and_no_password_is_in_the_database,
);

async fn an_address_registers_once(engine: Engine) {
    let app = TestApp::start(engine).await;
    app.user("ann").await;
    let again = json!({"email": "ANN@example.com", "password": PASSWORD, "name": "Other"});
    app.client
        .post("/auth/register", again)
        .await
        .expect_error(409, "conflict");
}

async fn a_login_does_not_tell_whether_the_address_exists(engine: Engine) {
    let app = TestApp::start(engine).await;
    app.user("ann").await;
    let mut answers = Vec::new();
    for (email, password) in [
        ("ann@example.com", "wrong password"),
        ("bob@example.com", "wrong password"),
        ("bob@example.com", PASSWORD),
        ("no address", PASSWORD),
        ("nul\0@example.com", PASSWORD),
    ] {
        let login = json!({"email": email, "password": password});
        let answer = app.client.post("/auth/login", login).await;
        answer.expect_error(401, "unauthorized");
        answers.push(answer.body);
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

async fn logging_out_ends_that_session_alone(engine: Engine) {
    let app = TestApp::start(engine).await;
    let first = app.user("ann").await;
    let second = app.log_in("ann").await;
    assert_ne!(first.token(), second.token());
    first.post("/auth/logout", json!({})).await.expect(204);
    first.get("/boards").await.expect_error(401, "unauthorized");
    first
        .post("/auth/logout", json!({}))
        .await
        .expect_error(401, "unauthorized");
    second.get("/boards").await.expect(200);
}

async fn a_session_ends_at_its_time(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    app.advance(7 * 24 * 60 * 60 - 1);
    ann.get("/boards").await.expect(200);
    app.advance(1);
    ann.get("/boards").await.expect_error(401, "unauthorized");
    app.log_in("ann").await.get("/boards").await.expect(200);
    if engine == Engine::Redis {
        return;
    }
    // The expired row went with the next login.
    let rows: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sessions")
        .fetch_one(app.state.db().pool())
        .await
        .unwrap();
    assert_eq!(rows, 1);
}

async fn what_is_no_session_is_refused(engine: Engine) {
    let app = TestApp::start(engine).await;
    let token = app.user("ann").await.token().to_owned();
    for value in [
        String::new(),
        "Bearer".to_owned(),
        "Bearer ".to_owned(),
        format!("Basic {token}"),
        format!("Bearer {}", "0".repeat(64)),
        format!("Bearer {}", token.to_uppercase()),
        format!("Bearer {token}0"),
        token.clone(),
    ] {
        let request = app.client.request(reqwest::Method::GET, "/boards");
        let request = request.header("authorization", &value);
        let answer = crate::support::Answer::read(request).await;
        answer.expect_error(401, "unauthorized");
        assert_eq!(answer.headers["www-authenticate"], "Bearer");
    }
    let request = app.client.request(reqwest::Method::GET, "/boards");
    let request = request.header("authorization", format!("bearer {token}"));
    crate::support::Answer::read(request).await.expect(200);
}

async fn no_token_and_no_password_is_in_the_database(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let stored = match engine {
        Engine::Sqlite => bytes_of_files(&app),
        Engine::Postgres => text_of_tables(&app).await,
        // What is in Redis, and what goes there, has a test of its own.
        Engine::Redis => bytes_of_files(&app),
    };
    assert!(
        stored.contains("ann@example.com"),
        "the search finds what is stored"
    );
    assert!(!stored.contains(ann.token()));
    assert!(!stored.contains(PASSWORD));
}

/// Everything in the database's files, the write-ahead log included.
fn bytes_of_files(app: &TestApp) -> String {
    let files = std::fs::read_dir(app.dir.path()).unwrap();
    files
        .map(|file| std::fs::read(file.unwrap().path()).unwrap())
        .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        .collect()
}

/// Every row of every table.
async fn text_of_tables(app: &TestApp) -> String {
    let pool = app.state.db().pool();
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = 'public'",
    )
    .fetch_all(pool)
    .await
    .unwrap();
    let mut text = String::new();
    for table in tables {
        let select = format!("SELECT CAST(t AS TEXT) FROM {table} t");
        for row in sqlx::query(AssertSqlSafe(select))
            .fetch_all(pool)
            .await
            .unwrap()
        {
            text.push_str(row.get(0));
        }
    }
    text
}
