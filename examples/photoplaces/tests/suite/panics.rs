//! A handler that panics harms nobody else.

use axum::extract::State;
use axum::routing::post;
use photoplaces::{AppError, AppState, layers, routes};
use serde_json::json;

use crate::support::{Engine, Setup, on_each_engine, place};

on_each_engine!(a_panic_is_a_500_and_holds_nothing_back);

/// Panics while it holds the database for writing.
async fn panic_within(State(state): State<AppState>) -> Result<(), AppError> {
    let mut tx = state.db().begin_write().await?;
    sqlx::query("UPDATE places SET name = 'Half done'")
        .execute(&mut *tx)
        .await?;
    panic!("a mistake with a s3cret in it");
}

async fn a_panic_is_a_500_and_holds_nothing_back(engine: Engine) {
    let setup = Setup::new(engine).await;
    let app = setup
        .start_as(|state| {
            let routes = routes().route("/panic", post(panic_within));
            layers::wrap(routes, state, |routes| routes)
        })
        .await;
    let ann = app.user("ann").await;
    let path = format!("/places/{}", place(&ann).await);
    // More often than there are connections.
    for _ in 0..8 {
        let answer = ann.post("/panic", json!({})).await;
        answer.expect_error(500, "internal");
        assert!(!answer.body.contains("s3cret"), "{answer:?}");
    }
    assert_eq!(ann.get(&path).await.expect(200)["name"], "Bridge");
    ann.patch(&path, json!({"name": "Done"})).await.expect(200);
}
