//! Columns and their places.

use serde_json::json;

use crate::support::{Client, Engine, TestApp, board_with_columns, card, on_each_engine};

on_each_engine!(
    moves_agree_with_a_list,
    deleting_a_column_closes_its_gap_and_takes_its_cards,
    concurrent_moves_keep_positions_dense,
);

/// The ids of the columns, after a check that their positions are dense.
async fn layout(client: &Client, board: i64) -> Vec<i64> {
    let board = client.get(&format!("/boards/{board}")).await.expect(200);
    let columns = board["columns"].as_array().unwrap();
    for (position, column) in columns.iter().enumerate() {
        assert_eq!(column["position"], json!(position), "{board}");
    }
    columns
        .iter()
        .map(|column| column["id"].as_i64().unwrap())
        .collect()
}

async fn moves_agree_with_a_list(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, mut model) = board_with_columns(&ann, 3).await;
    for start in 0..3 {
        for end in 0..5 {
            let id = model.remove(start);
            let place = end.min(model.len());
            model.insert(place, id);
            let path = format!("/boards/{board}/columns/{id}/move");
            let moved = ann.post(&path, json!({"position": end})).await.expect(200);
            assert_eq!(moved["position"], json!(place));
            assert_eq!(layout(&ann, board).await, model, "{start} to {end}");
        }
    }
}

async fn deleting_a_column_closes_its_gap_and_takes_its_cards(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 3).await;
    let card = card(&ann, board, columns[1], "Card").await;
    ann.delete(&format!("/boards/{board}/columns/{}", columns[1]))
        .await
        .expect(204);
    assert_eq!(layout(&ann, board).await, [columns[0], columns[2]]);
    ann.get(&format!("/boards/{board}/cards/{card}"))
        .await
        .expect_error(404, "not_found");
}

async fn concurrent_moves_keep_positions_dense(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 5).await;
    let workers: Vec<_> = columns
        .iter()
        .enumerate()
        .map(|(worker, &column)| {
            let ann = ann.clone();
            tokio::spawn(async move {
                for step in 0..8 {
                    let path = format!("/boards/{board}/columns/{column}/move");
                    let to = json!({"position": (worker + step * 2) % 5});
                    ann.post(&path, to).await.expect(200);
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    let mut left = layout(&ann, board).await;
    left.sort_unstable();
    assert_eq!(left, columns);
}
