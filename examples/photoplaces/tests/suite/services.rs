//! Services at places.

use serde_json::json;

use crate::support::{Engine, TestApp, column, on_each_engine, service};

on_each_engine!(
    services_are_listed_by_place_and_all_together,
    a_service_needs_a_place
);

async fn services_are_listed_by_place_and_all_together(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let ids = [service(&ann).await, service(&ann).await];
    let all = app.client.get("/services").await.expect(200);
    assert_eq!(column(&all, "id"), ids);
    assert_eq!(column(&all, "user_name"), ["ann", "ann"]);
    let places = column(&all, "place_id");
    let of_second = app
        .client
        .get(&format!("/services?place={}", places[1]))
        .await
        .expect(200);
    assert_eq!(column(&of_second, "id"), [ids[1]]);
    let of_none = app.client.get("/services?place=999999").await.expect(200);
    assert_eq!(of_none, json!({"items": [], "next_offset": null}));
    app.client
        .get("/services?place=x")
        .await
        .expect_error(400, "validation");
}

async fn a_service_needs_a_place(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let new = json!({"title": "Portraits", "price_cents": 1, "contact": "x"});
    ann.post("/places/999999/services", new)
        .await
        .expect_error(404, "not_found");
}
