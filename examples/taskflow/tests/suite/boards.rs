//! Boards themselves.

use serde_json::json;

use crate::support::{Engine, TestApp, board_with_columns, card, id, on_each_engine};

on_each_engine!(
    a_list_holds_ones_own_boards_in_order,
    renaming_shows_everywhere,
    deleting_takes_everything_along,
    an_id_is_never_given_twice,
    a_read_is_of_one_moment,
);

async fn a_list_holds_ones_own_boards_in_order(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    for name in ["One", "Two"] {
        ann.post("/boards", json!({"name": name})).await.expect(201);
    }
    bob.post("/boards", json!({"name": "Three"}))
        .await
        .expect(201);
    let boards = ann.get("/boards").await.expect(200);
    let names: Vec<_> = boards["boards"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["name"])
        .collect();
    assert_eq!(names, ["One", "Two"]);
}

async fn renaming_shows_everywhere(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let board = ann
        .post("/boards", json!({"name": "Old"}))
        .await
        .expect(201);
    let path = format!("/boards/{}", id(&board));
    let renamed = ann.patch(&path, json!({"name": " New "})).await.expect(200);
    assert_eq!(renamed["name"], "New");
    assert_eq!(renamed["created_at"], board["created_at"]);
    assert_eq!(ann.get(&path).await.expect(200)["name"], "New");
    assert_eq!(
        ann.get("/boards").await.expect(200)["boards"][0]["name"],
        "New"
    );
}

async fn deleting_takes_everything_along(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 2).await;
    let card = card(&ann, board, columns[0], "Card").await;
    let label = json!({"name": "label", "colour": "#000000"});
    let label = id(&ann
        .post(&format!("/boards/{board}/labels"), label)
        .await
        .expect(201));
    ann.put(&format!("/boards/{board}/cards/{card}/labels/{label}"))
        .await
        .expect(204);
    ann.delete(&format!("/boards/{board}")).await.expect(204);
    let rows: i64 = sqlx::query_scalar(
        "SELECT (SELECT COUNT(*) FROM boards) + (SELECT COUNT(*) FROM board_members)
              + (SELECT COUNT(*) FROM board_columns) + (SELECT COUNT(*) FROM cards)
              + (SELECT COUNT(*) FROM labels) + (SELECT COUNT(*) FROM card_labels)",
    )
    .fetch_one(app.state.db().pool())
    .await
    .unwrap();
    assert_eq!(rows, 0);
}

/// The cache relies on it: a key names one board for ever.
async fn an_id_is_never_given_twice(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let first = id(&ann
        .post("/boards", json!({"name": "First"}))
        .await
        .expect(201));
    ann.delete(&format!("/boards/{first}")).await.expect(204);
    let second = id(&ann
        .post("/boards", json!({"name": "Second"}))
        .await
        .expect(201));
    assert!(second > first);
}

async fn a_read_is_of_one_moment(engine: Engine) {
    const LABELS: u64 = 60;
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let board = id(&ann
        .post("/boards", json!({"name": "Board"}))
        .await
        .expect(201));
    let path = format!("/boards/{board}");
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (ann, path) = (ann.clone(), path.clone());
            tokio::spawn(async move {
                loop {
                    let board = ann.get(&path).await.expect(200);
                    let labels = board["labels"].as_array().unwrap().len() as u64;
                    // It begins with version 1, and every label raises that by one.
                    assert_eq!(board["version"], json!(1 + labels));
                    if labels == LABELS {
                        break;
                    }
                }
            })
        })
        .collect();
    for n in 0..LABELS {
        let label = json!({"name": n.to_string(), "colour": "#000000"});
        ann.post(&format!("{path}/labels"), label).await.expect(201);
    }
    for reader in readers {
        reader.await.unwrap();
    }
}
