//! Who may do what: every route on a board, for everyone who might try.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Client, Engine, TestApp, board_with_columns, card, id, on_each_engine};

on_each_engine!(
    without_a_session_every_route_answers_401,
    to_an_outsider_no_board_exists,
    a_member_works_on_the_board_but_does_not_rule_it,
    nothing_of_another_board_can_be_reached_through_ones_own,
);

type Call = (Method, String, Option<Value>);

/// A board of `owner` with one of everything on it.
struct Board {
    id: i64,
    column: i64,
    card: i64,
    label: i64,
}

impl Board {
    async fn new(owner: &Client) -> Self {
        let (board, columns) = board_with_columns(owner, 1).await;
        let card = card(owner, board, columns[0], "Card").await;
        let label = json!({"name": "label", "colour": "#000000"});
        let label = id(&owner
            .post(&format!("/boards/{board}/labels"), label)
            .await
            .expect(201));
        Self {
            id: board,
            column: columns[0],
            card,
            label,
        }
    }

    /// What every member may do; what deletes comes last.
    fn members_calls(&self) -> Vec<Call> {
        let Self {
            id,
            column,
            card,
            label,
        } = self;
        let name = || Some(json!({"name": "New"}));
        let at = |path: String| format!("/boards/{id}{path}");
        let to = json!({"column_id": column, "position": 0});
        vec![
            (Method::GET, at(String::new()), None),
            (Method::POST, at("/columns".to_owned()), name()),
            (Method::PATCH, at(format!("/columns/{column}")), name()),
            (
                Method::POST,
                at(format!("/columns/{column}/move")),
                Some(json!({"position": 0})),
            ),
            (
                Method::POST,
                at(format!("/columns/{column}/cards")),
                Some(json!({"title": "New"})),
            ),
            (Method::GET, at(format!("/cards/{card}")), None),
            (
                Method::PATCH,
                at(format!("/cards/{card}")),
                Some(json!({"title": "New"})),
            ),
            (Method::POST, at(format!("/cards/{card}/move")), Some(to)),
            (
                Method::POST,
                at("/labels".to_owned()),
                Some(json!({"name": "b", "colour": "#ffffff"})),
            ),
            (
                Method::PATCH,
                at(format!("/labels/{label}")),
                Some(json!({"colour": "#123456"})),
            ),
            (
                Method::PUT,
                at(format!("/cards/{card}/labels/{label}")),
                None,
            ),
            (
                Method::DELETE,
                at(format!("/cards/{card}/labels/{label}")),
                None,
            ),
            (Method::DELETE, at(format!("/labels/{label}")), None),
            (Method::DELETE, at(format!("/cards/{card}")), None),
            (Method::DELETE, at(format!("/columns/{column}")), None),
        ]
    }

    /// What only an owner may do.
    fn owners_calls(&self) -> Vec<Call> {
        let Self { id, .. } = self;
        vec![
            (
                Method::PATCH,
                format!("/boards/{id}"),
                Some(json!({"name": "New"})),
            ),
            (
                Method::POST,
                format!("/boards/{id}/members"),
                Some(json!({"email": "carl@example.com"})),
            ),
            (
                Method::DELETE,
                format!("/boards/{id}/members/carl@example.com"),
                None,
            ),
            (Method::DELETE, format!("/boards/{id}"), None),
        ]
    }
}

async fn without_a_session_every_route_answers_401(engine: Engine) {
    let app = TestApp::start(engine).await;
    let board = Board::new(&app.user("ann").await).await;
    let mut calls = board.members_calls();
    calls.extend(board.owners_calls());
    calls.push((Method::GET, "/boards".to_owned(), None));
    calls.push((
        Method::POST,
        "/boards".to_owned(),
        Some(json!({"name": "New"})),
    ));
    calls.push((Method::POST, "/auth/logout".to_owned(), None));
    for (method, path, body) in calls {
        app.client
            .send(method, &path, body)
            .await
            .expect_error(401, "unauthorized");
    }
}

async fn to_an_outsider_no_board_exists(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let board = Board::new(&ann).await;
    let outsider = app.user("bob").await;
    let path = format!("/boards/{}", board.id);
    let before = ann.get(&path).await.expect(200);
    let missing = outsider.get("/boards/999999").await;
    missing.expect_error(404, "not_found");
    for (method, path, body) in board
        .members_calls()
        .into_iter()
        .chain(board.owners_calls())
    {
        let answer = outsider.send(method, &path, body).await;
        answer.expect_error(404, "not_found");
        assert_eq!(
            answer.body, missing.body,
            "the answer is that of a board that is not there"
        );
    }
    assert_eq!(
        ann.get(&path).await.expect(200),
        before,
        "not even the version has changed"
    );
    assert_eq!(
        outsider.get("/boards").await.expect(200),
        json!({"boards": []})
    );
}

async fn a_member_works_on_the_board_but_does_not_rule_it(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob, _) = (
        app.user("ann").await,
        app.user("bob").await,
        app.user("carl").await,
    );
    let board = Board::new(&ann).await;
    let member = json!({"email": "bob@example.com"});
    ann.post(&format!("/boards/{}/members", board.id), member)
        .await
        .expect(201);
    for (method, path, body) in board.owners_calls() {
        bob.send(method, &path, body)
            .await
            .expect_error(403, "forbidden");
    }
    for (method, path, body) in board.members_calls() {
        let answer = bob.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
    for (method, path, body) in board.owners_calls() {
        let answer = ann.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
}

async fn nothing_of_another_board_can_be_reached_through_ones_own(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let theirs = Board::new(&ann).await;
    let own = Board::new(&bob).await;
    let before = ann.get(&format!("/boards/{}", theirs.id)).await.expect(200);
    let mixed = Board {
        id: own.id,
        ..theirs
    };
    let whole_board = format!("/boards/{}", own.id);
    let collections = [
        format!("{whole_board}/columns"),
        format!("{whole_board}/labels"),
    ];
    for (method, path, body) in mixed.members_calls() {
        if path != whole_board && !collections.contains(&path) {
            bob.send(method, &path, body)
                .await
                .expect_error(404, "not_found");
        }
    }
    let to = json!({"column_id": theirs.column, "position": 0});
    let own_card = format!("{whole_board}/cards/{}", own.card);
    bob.post(&format!("{own_card}/move"), to)
        .await
        .expect_error(400, "validation");
    let label = format!("{own_card}/labels/{}", theirs.label);
    bob.put(&label).await.expect_error(404, "not_found");
    assert_eq!(
        ann.get(&format!("/boards/{}", theirs.id)).await.expect(200),
        before
    );
}
