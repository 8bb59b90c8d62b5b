//! Labels, on boards and on cards.

use serde_json::json;

use crate::support::{Engine, TestApp, board_with_columns, card, id, on_each_engine};

on_each_engine!(
    a_name_is_unique_on_its_board,
    putting_on_and_taking_off_may_be_repeated
);

async fn a_name_is_unique_on_its_board(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (first, _) = board_with_columns(&ann, 0).await;
    let (second, _) = board_with_columns(&ann, 0).await;
    let red = json!({"name": "red", "colour": "#ff0000"});
    let path = format!("/boards/{first}/labels");
    ann.post(&path, red.clone()).await.expect(201);
    ann.post(&path, red.clone())
        .await
        .expect_error(409, "conflict");
    ann.post(&format!("/boards/{second}/labels"), red)
        .await
        .expect(201);

    let blue = ann
        .post(&path, json!({"name": "blue", "colour": "#0000ff"}))
        .await
        .expect(201);
    let blue_path = format!("{path}/{}", id(&blue));
    ann.patch(&blue_path, json!({"name": "red"}))
        .await
        .expect_error(409, "conflict");
    let changed = ann
        .patch(&blue_path, json!({"name": "navy", "colour": "#000080"}))
        .await;
    assert_eq!(
        changed.expect(200),
        json!({"id": id(&blue), "name": "navy", "colour": "#000080"})
    );
    ann.patch(&blue_path, json!({}))
        .await
        .expect_error(400, "validation");
}

async fn putting_on_and_taking_off_may_be_repeated(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 1).await;
    let card = card(&ann, board, columns[0], "Card").await;
    let mut labels = Vec::new();
    for name in ["a", "b"] {
        let label = json!({"name": name, "colour": "#000000"});
        labels.push(id(&ann
            .post(&format!("/boards/{board}/labels"), label)
            .await
            .expect(201)));
    }
    let card = format!("/boards/{board}/cards/{card}");
    for &label in labels.iter().chain(&labels) {
        ann.put(&format!("{card}/labels/{label}")).await.expect(204);
    }
    assert_eq!(ann.get(&card).await.expect(200)["label_ids"], json!(labels));
    for _ in 0..2 {
        ann.delete(&format!("{card}/labels/{}", labels[0]))
            .await
            .expect(204);
    }
    assert_eq!(
        ann.get(&card).await.expect(200)["label_ids"],
        json!([labels[1]])
    );
    ann.delete(&format!("/boards/{board}/labels/{}", labels[1]))
        .await
        .expect(204);
    assert_eq!(ann.get(&card).await.expect(200)["label_ids"], json!([]));
    ann.put(&format!("{card}/labels/{}", labels[1]))
        .await
        .expect_error(404, "not_found");
}
