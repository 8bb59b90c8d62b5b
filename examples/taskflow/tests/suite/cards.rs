//! Cards and their places.

use serde_json::{Value, json};

use crate::support::{Client, Engine, TestApp, board_with_columns, card, on_each_engine};

on_each_engine!(
    moves_agree_with_a_list_of_lists,
    deleting_a_card_closes_its_gap,
    concurrent_changes_keep_positions_dense,
    an_empty_change_is_refused,
);

/// The ids of the cards, column by column, after a check that positions are dense
/// and that each card names the column it is in.
async fn layout(client: &Client, board: i64) -> Vec<Vec<i64>> {
    let board = client.get(&format!("/boards/{board}")).await.expect(200);
    let columns = board["columns"].as_array().unwrap();
    columns.iter().map(cards_of).collect()
}

fn cards_of(column: &Value) -> Vec<i64> {
    let cards = column["cards"].as_array().unwrap();
    for (position, card) in cards.iter().enumerate() {
        assert_eq!(card["position"], json!(position), "{column}");
        assert_eq!(card["column_id"], column["id"], "{column}");
    }
    cards
        .iter()
        .map(|card| card["id"].as_i64().unwrap())
        .collect()
}

async fn moves_agree_with_a_list_of_lists(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 2).await;
    let mut model = vec![Vec::new(), Vec::new()];
    for n in 0..3 {
        model[0].push(card(&ann, board, columns[0], &format!("a{n}")).await);
    }
    model[1].push(card(&ann, board, columns[1], "b0").await);

    // From every place to every place, and past the end.
    for from in 0..2 {
        for to in 0..2 {
            for start in 0..4 {
                for end in 0..6 {
                    let Some(&id) = model[from].get(start) else {
                        continue;
                    };
                    model[from].remove(start);
                    let place = end.min(model[to].len());
                    model[to].insert(place, id);
                    let target = json!({"column_id": columns[to], "position": end});
                    let path = format!("/boards/{board}/cards/{id}/move");
                    let moved = ann.post(&path, target).await.expect(200);
                    assert_eq!(moved["position"], json!(place));
                    assert_eq!(
                        layout(&ann, board).await,
                        model,
                        "{from}:{start} to {to}:{end}"
                    );
                }
            }
        }
    }
}

async fn deleting_a_card_closes_its_gap(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 2).await;
    let mut ids = Vec::new();
    for n in 0..4 {
        ids.push(card(&ann, board, columns[0], &format!("{n}")).await);
    }
    ann.delete(&format!("/boards/{board}/cards/{}", ids[1]))
        .await
        .expect(204);
    assert_eq!(
        layout(&ann, board).await,
        [vec![ids[0], ids[2], ids[3]], vec![]]
    );
    let next = card(&ann, board, columns[0], "next").await;
    assert_eq!(
        layout(&ann, board).await,
        [vec![ids[0], ids[2], ids[3], next], vec![]]
    );
}

async fn concurrent_changes_keep_positions_dense(engine: Engine) {
    const CARDS: usize = 8;
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 3).await;
    let mut cards = Vec::new();
    for n in 0..CARDS {
        cards.push(card(&ann, board, columns[n % 3], &format!("{n}")).await);
    }
    let workers: Vec<_> = cards
        .into_iter()
        .enumerate()
        .map(|(worker, moved)| {
            let (ann, columns) = (ann.clone(), columns.clone());
            tokio::spawn(async move {
                for step in 0..6 {
                    let column = columns[(worker + step) % 3];
                    let to = json!({"column_id": column, "position": (worker * step) % 5});
                    ann.post(&format!("/boards/{board}/cards/{moved}/move"), to)
                        .await
                        .expect(200);
                    let extra = card(&ann, board, column, "extra").await;
                    if step % 2 == 0 {
                        ann.delete(&format!("/boards/{board}/cards/{extra}"))
                            .await
                            .expect(204);
                    }
                }
            })
        })
        .collect();
    for worker in workers {
        worker.await.unwrap();
    }
    let total: usize = layout(&ann, board).await.iter().map(Vec::len).sum();
    assert_eq!(total, CARDS + CARDS * 3);
}

async fn an_empty_change_is_refused(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let (board, columns) = board_with_columns(&ann, 1).await;
    let card = card(&ann, board, columns[0], "Card").await;
    let path = format!("/boards/{board}/cards/{card}");
    let message = ann
        .patch(&path, json!({}))
        .await
        .expect_error(400, "validation");
    assert!(
        message.contains("title") && message.contains("description"),
        "{message}"
    );
}
