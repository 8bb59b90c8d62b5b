//! Reviews, and what they make of a place.

use serde_json::json;

use crate::support::{Engine, TestApp, column, id, on_each_engine, place};

on_each_engine!(
    a_place_shows_the_average_of_its_reviews,
    a_user_reviews_a_place_once,
    reviews_of_a_place_are_listed_the_newest_first,
    a_place_that_is_not_there_has_no_reviews,
);

async fn a_place_shows_the_average_of_its_reviews(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let path = format!("/places/{}", place(&ann).await);
    for (user, rating) in [(&ann, 4), (&bob, 5)] {
        user.post(&format!("{path}/reviews"), json!({"rating": rating}))
            .await
            .expect(201);
    }
    let shown = ann.get(&path).await.expect(200);
    assert_eq!(
        (&shown["reviews"], &shown["rating"]),
        (&json!(2), &json!(4.5))
    );
    let found = ann.get("/places?near=47,8").await.expect(200);
    assert_eq!(column(&found, "rating"), [4.5]);
}

async fn a_user_reviews_a_place_once(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let path = format!("/places/{}/reviews", place(&ann).await);
    let review = ann.post(&path, json!({"rating": 1})).await.expect(201);
    ann.post(&path, json!({"rating": 5}))
        .await
        .expect_error(409, "conflict");
    ann.delete(&format!("/reviews/{}", id(&review)))
        .await
        .expect(204);
    ann.post(&path, json!({"rating": 5})).await.expect(201);
}

async fn reviews_of_a_place_are_listed_the_newest_first(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let path = format!("/places/{}/reviews", place(&ann).await);
    let other = format!("/places/{}/reviews", place(&ann).await);
    for user in [&ann, &bob] {
        user.post(&path, json!({"rating": 3})).await.expect(201);
    }
    ann.post(&other, json!({"rating": 1})).await.expect(201);
    let reviews = app.client.get(&path).await.expect(200);
    assert_eq!(column(&reviews, "user_name"), ["bob", "ann"]);
    let rest = app.client.get(&format!("{path}?limit=1&offset=1")).await;
    assert_eq!(column(&rest.expect(200), "user_name"), ["ann"]);
}

async fn a_place_that_is_not_there_has_no_reviews(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let path = "/places/999999/reviews";
    ann.get(path).await.expect_error(404, "not_found");
    ann.post(path, json!({"rating": 3}))
        .await
        .expect_error(404, "not_found");
    ann.delete("/reviews/999999")
        .await
        .expect_error(404, "not_found");
}
