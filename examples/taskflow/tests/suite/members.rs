//! Members of a board.

use serde_json::json;

use crate::support::{Engine, TestApp, board_with_columns, on_each_engine};

on_each_engine!(
    a_user_is_added_once_and_must_exist,
    a_member_may_leave,
    a_board_keeps_an_owner,
    two_owners_who_leave_at_once_leave_one,
);

async fn a_user_is_added_once_and_must_exist(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let (board, _) = board_with_columns(&ann, 0).await;
    let members = format!("/boards/{board}/members");
    let new = json!({"email": "Bob@example.com"});
    let added = ann.post(&members, new.clone()).await.expect(201);
    assert_eq!(
        (&added["email"], &added["role"]),
        (&json!("bob@example.com"), &json!("member"))
    );
    ann.post(&members, new).await.expect_error(409, "conflict");
    let unknown = json!({"email": "zoe@example.com"});
    ann.post(&members, unknown)
        .await
        .expect_error(404, "not_found");
    let role = json!({"email": "bob@example.com", "role": "king"});
    assert!(
        ann.post(&members, role)
            .await
            .expect_error(400, "validation")
            .contains("role")
    );
    assert_eq!(
        bob.get("/boards").await.expect(200)["boards"][0]["role"],
        "member"
    );
}

async fn a_member_may_leave(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let (board, _) = board_with_columns(&ann, 0).await;
    let members = format!("/boards/{board}/members");
    ann.post(&members, json!({"email": "bob@example.com"}))
        .await
        .expect(201);
    bob.delete(&format!("{members}/ann@example.com"))
        .await
        .expect_error(403, "forbidden");
    bob.delete(&format!("{members}/zoe@example.com"))
        .await
        .expect_error(403, "forbidden");
    bob.delete(&format!("{members}/BOB@example.com"))
        .await
        .expect(204);
    bob.get(&format!("/boards/{board}"))
        .await
        .expect_error(404, "not_found");
    ann.delete(&format!("{members}/bob@example.com"))
        .await
        .expect_error(404, "not_found");
    ann.delete(&format!("{members}/%00"))
        .await
        .expect_error(404, "not_found");
}

async fn a_board_keeps_an_owner(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let (board, _) = board_with_columns(&ann, 0).await;
    let members = format!("/boards/{board}/members");
    let own = format!("{members}/ann@example.com");
    ann.delete(&own).await.expect_error(409, "conflict");
    ann.post(
        &members,
        json!({"email": "bob@example.com", "role": "owner"}),
    )
    .await
    .expect(201);
    ann.delete(&own).await.expect(204);
    bob.delete(&format!("{members}/bob@example.com"))
        .await
        .expect_error(409, "conflict");
}

async fn two_owners_who_leave_at_once_leave_one(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let (board, _) = board_with_columns(&ann, 0).await;
    let members = format!("/boards/{board}/members");
    ann.post(
        &members,
        json!({"email": "bob@example.com", "role": "owner"}),
    )
    .await
    .expect(201);
    let (ann_path, bob_path) = (
        format!("{members}/ann@example.com"),
        format!("{members}/bob@example.com"),
    );
    let (first, second) = tokio::join!(ann.delete(&ann_path), bob.delete(&bob_path));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 409]);
}
