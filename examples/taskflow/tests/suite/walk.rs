//! Everything a user does, once, from the first request to the last.

use serde_json::json;

use crate::support::{Engine, PASSWORD, TestApp, id, on_each_engine};

on_each_engine!(from_registration_to_logout);

async fn from_registration_to_logout(engine: Engine) {
    let app = TestApp::start(engine).await;
    let nobody = &app.client;
    let mut health = json!({"status": "ok", "database": "ok"});
    if engine == Engine::Redis {
        health["redis"] = "ok".into();
        health["limiter"] = "ok".into();
    }
    assert_eq!(nobody.get("/health").await.expect(200), health);

    let new = json!({"email": "Ann@Example.com", "password": PASSWORD, "name": "Ann"});
    let user = nobody.post("/auth/register", new).await.expect(201);
    assert_eq!(
        user,
        json!({"id": user["id"], "email": "ann@example.com", "name": "Ann"})
    );
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let answer = nobody.post("/auth/login", login).await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    let session = answer.expect(200);
    assert_eq!(session["user"], user);
    let ann = nobody.with_token(session["token"].as_str().unwrap());

    let board = id(&ann
        .post("/boards", json!({"name": "Plan"}))
        .await
        .expect(201));
    let boards = ann.get("/boards").await.expect(200);
    assert_eq!(boards["boards"][0]["name"], "Plan");
    assert_eq!(boards["boards"][0]["role"], "owner");

    let columns = format!("/boards/{board}/columns");
    let todo = id(&ann
        .post(&columns, json!({"name": "To do"}))
        .await
        .expect(201));
    let done = id(&ann
        .post(&columns, json!({"name": "Done"}))
        .await
        .expect(201));

    let cards = format!("/boards/{board}/columns/{todo}/cards");
    let tea = json!({"title": "Make tea", "description": "Green,\nno sugar"});
    let tea = ann.post(&cards, tea).await.expect(201);
    let cake = ann
        .post(&cards, json!({"title": "Eat cake"}))
        .await
        .expect(201);
    assert_eq!(
        (&tea["position"], &cake["position"]),
        (&json!(0), &json!(1))
    );
    let tea_path = format!("/boards/{board}/cards/{}", id(&tea));

    app.advance(5);
    let change = json!({"title": "Make coffee"});
    let coffee = ann.patch(&tea_path, change).await.expect(200);
    assert_eq!(coffee["description"], "Green,\nno sugar");
    assert_eq!(
        coffee["updated_at"].as_i64(),
        tea["updated_at"].as_i64().map(|at| at + 5)
    );
    assert_eq!(ann.get(&tea_path).await.expect(200), coffee);

    let to = json!({"column_id": done, "position": 0});
    let moved = ann.post(&format!("{tea_path}/move"), to).await.expect(200);
    assert_eq!(
        (&moved["column_id"], &moved["position"]),
        (&json!(done), &json!(0))
    );

    let label = json!({"name": "urgent", "colour": "#FF0000"});
    let label = ann
        .post(&format!("/boards/{board}/labels"), label)
        .await
        .expect(201);
    assert_eq!(label["colour"], "#ff0000");
    ann.put(&format!("{tea_path}/labels/{}", id(&label)))
        .await
        .expect(204);

    let whole = ann.get(&format!("/boards/{board}")).await.expect(200);
    let mut coffee = moved.clone();
    coffee["label_ids"] = json!([label["id"]]);
    let mut cake = cake.clone();
    cake["position"] = json!(0);
    assert_eq!(whole["name"], "Plan");
    assert_eq!(whole["labels"], json!([label]));
    assert_eq!(
        whole["members"],
        json!([{"user_id": user["id"], "email": "ann@example.com", "name": "Ann", "role": "owner"}]),
    );
    assert_eq!(
        whole["columns"],
        json!([
            {"id": todo, "name": "To do", "position": 0, "cards": [cake]},
            {"id": done, "name": "Done", "position": 1, "cards": [coffee]},
        ]),
    );

    ann.delete(&tea_path).await.expect(204);
    ann.get(&tea_path).await.expect_error(404, "not_found");
    ann.delete(&format!("/boards/{board}")).await.expect(204);
    ann.get(&format!("/boards/{board}"))
        .await
        .expect_error(404, "not_found");

    ann.send(reqwest::Method::POST, "/auth/logout", None)
        .await
        .expect(204);
    ann.get("/boards").await.expect_error(401, "unauthorized");
}
