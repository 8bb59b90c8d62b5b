//! Bookings: a slot is one user's.

use futures_util::future::join_all;
use serde_json::json;

use crate::support::{Client, Engine, NOW, TestApp, column, id, on_each_engine, service};

on_each_engine!(
    of_parallel_bookings_of_a_slot_one_wins,
    a_cancelled_slot_is_free_again,
    a_slot_is_an_hour_in_the_year_to_come,
    both_sides_see_a_booking_and_nobody_else,
    either_side_may_cancel_and_more_than_once,
    a_service_that_is_not_there_cannot_be_booked,
);

async fn book(client: &Client, service: i64, starts_at: i64) -> crate::support::Answer {
    let new = json!({"service_id": service, "starts_at": starts_at});
    client.post("/bookings", new).await
}

/// Over one connection each, so that no keep-alive hides a race.
async fn of_parallel_bookings_of_a_slot_one_wins(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let service = service(&ann).await;
    for slot in 1..=3 {
        let starts_at = NOW + slot * 3600;
        let clients = (0..20).map(|_| Client::new(format!("http://{}", app.address)));
        let clients = clients.map(|client| client.with_token(ann.token()));
        let bookings = clients.map(|client| async move { book(&client, service, starts_at).await });
        let answers = join_all(bookings).await;
        let won = answers.iter().filter(|answer| answer.status == 201).count();
        assert_eq!(won, 1, "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.status != 201) {
            answer.expect_error(409, "conflict");
        }
    }
    let bookings = ann.get("/bookings").await.expect(200);
    assert_eq!(column(&bookings, "id").len(), 3);
}

async fn a_cancelled_slot_is_free_again(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let service = service(&ann).await;
    let first = id(&book(&bob, service, NOW + 3600).await.expect(201));
    bob.delete(&format!("/bookings/{first}")).await.expect(204);
    book(&ann, service, NOW + 3600).await.expect(201);
    book(&bob, service, NOW + 3600)
        .await
        .expect_error(409, "conflict");
    book(&bob, service, NOW + 7200).await.expect(201);
}

async fn a_slot_is_an_hour_in_the_year_to_come(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let service = service(&ann).await;
    let year = 366 * 24 * 3600;
    for (starts_at, fits) in [
        (NOW - 3600, false),
        (NOW, false),
        (NOW + 1, false),
        (NOW + 3600, true),
        (NOW + year, true),
        (NOW + year + 3600, false),
        (-3600, false),
        (i64::MAX, false),
        (i64::MIN, false),
    ] {
        let answer = book(&ann, service, starts_at).await;
        if fits {
            answer.expect(201);
        } else {
            let message = answer.expect_error(400, "validation");
            assert!(message.starts_with("starts_at: "), "{message}");
        }
    }
}

async fn both_sides_see_a_booking_and_nobody_else(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob, eve) = (
        app.user("ann").await,
        app.user("bob").await,
        app.user("eve").await,
    );
    let service = service(&ann).await;
    let booking = book(&bob, service, NOW + 3600).await.expect(201);
    for side in [&ann, &bob] {
        let bookings = side.get("/bookings").await.expect(200);
        assert_eq!(bookings, json!({"items": [booking], "next_offset": null}));
    }
    let bookings = eve.get("/bookings").await.expect(200);
    assert_eq!(bookings, json!({"items": [], "next_offset": null}));
    eve.delete(&format!("/bookings/{}", id(&booking)))
        .await
        .expect_error(404, "not_found");
}

async fn either_side_may_cancel_and_more_than_once(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let service = service(&ann).await;
    let booking = id(&book(&bob, service, NOW + 3600).await.expect(201));
    for side in [&ann, &bob] {
        side.delete(&format!("/bookings/{booking}"))
            .await
            .expect(204);
    }
    let bookings = bob.get("/bookings").await.expect(200);
    assert_eq!(column(&bookings, "state"), ["cancelled"]);
}

async fn a_service_that_is_not_there_cannot_be_booked(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    book(&ann, 999_999, NOW + 3600)
        .await
        .expect_error(404, "not_found");
}
