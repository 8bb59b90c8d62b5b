//! Everything a user does, once, from the first request to the last.

use serde_json::json;

use crate::support::{Engine, NOW, PASSWORD, TestApp, column, id, on_each_engine};

on_each_engine!(from_registration_to_logout);

async fn from_registration_to_logout(engine: Engine) {
    let app = TestApp::start(engine).await;
    let nobody = &app.client;
    assert_eq!(
        nobody.get("/health").await.expect(200),
        json!({"status": "ok", "database": "ok"})
    );

    let new = json!({"email": "Ann@Example.com", "password": PASSWORD, "name": "Ann"});
    let user = nobody.post("/auth/register", new).await.expect(201);
    assert_eq!(
        user,
        json!({"id": id(&user), "email": "ann@example.com", "name": "Ann", "role": "user", "plan": "free"})
    );
    let login = json!({"email": "ann@example.com", "password": PASSWORD});
    let answer = nobody.post("/auth/login", login).await;
    assert_eq!(answer.headers["cache-control"], "no-store");
    let session = answer.expect(200);
    assert_eq!(session["user"], user);
    let ann = nobody.with_token(session["token"].as_str().unwrap());

    let new = json!({
        "name": " Old Bridge ", "description": "Best\nat dawn", "latitude": 47.5, "longitude": -8.25,
        "tags": ["Sunrise", "bridge", "sunrise"],
    });
    let answer = ann.post("/places", new).await;
    let place = answer.expect(201);
    let path = format!("/places/{}", id(&place));
    assert_eq!(answer.headers["location"], path.as_str());
    assert_eq!(
        place,
        json!({
            "id": id(&place), "name": "Old Bridge", "description": "Best\nat dawn",
            "latitude": 47.5, "longitude": -8.25, "tags": ["bridge", "sunrise"],
            "created_by": id(&user), "created_at": NOW, "updated_at": NOW,
            "reviews": 0, "rating": null,
        })
    );
    assert_eq!(nobody.get(&path).await.expect(200), place);

    let new = json!({"rating": 4, "text": "Crowded"});
    let answer = ann.post(&format!("{path}/reviews"), new).await;
    let review = answer.expect(201);
    let review_path = format!("/reviews/{}", id(&review));
    assert_eq!(answer.headers["location"], review_path.as_str());
    assert_eq!(
        review,
        json!({
            "id": id(&review), "place_id": id(&place), "user_id": id(&user), "user_name": "Ann",
            "rating": 4, "text": "Crowded", "created_at": NOW,
        })
    );
    assert_eq!(nobody.get(&review_path).await.expect(200), review);

    let new = json!({"title": "Portraits", "price_cents": 12_000, "contact": "+41 44 000 00 00"});
    let answer = ann.post(&format!("{path}/services"), new).await;
    let service = answer.expect(201);
    let service_path = format!("/services/{}", id(&service));
    assert_eq!(answer.headers["location"], service_path.as_str());
    assert_eq!(nobody.get(&service_path).await.expect(200), service);
    assert_eq!(service["price_cents"], 12_000);

    let new = json!({"service_id": id(&service), "starts_at": NOW + 3600});
    let booking = ann.post("/bookings", new).await.expect(201);
    assert_eq!(
        booking,
        json!({
            "id": id(&booking), "service_id": id(&service), "user_id": id(&user),
            "starts_at": NOW + 3600, "state": "booked", "created_at": NOW,
        })
    );
    ann.delete(&format!("/bookings/{}", id(&booking)))
        .await
        .expect(204);
    let bookings = ann.get("/bookings").await.expect(200);
    assert_eq!(column(&bookings, "state"), ["cancelled"]);

    app.advance(5);
    let change = json!({"name": "New Bridge", "tags": ["bridge"]});
    let changed = ann.patch(&path, change).await.expect(200);
    assert_eq!(changed["name"], "New Bridge");
    assert_eq!(changed["description"], place["description"]);
    assert_eq!(changed["tags"], json!(["bridge"]));
    assert_eq!(
        (&changed["reviews"], &changed["rating"]),
        (&json!(1), &json!(4.0))
    );
    assert_eq!(changed["updated_at"], NOW + 5);
    let tags = nobody.get("/tags").await.expect(200);
    assert_eq!(
        tags,
        json!({"items": [{"tag": "bridge", "places": 1}], "next_offset": null})
    );

    ann.delete(&path).await.expect(204);
    for gone in [&path, &review_path, &service_path] {
        nobody.get(gone).await.expect_error(404, "not_found");
    }
    assert_eq!(ann.get("/bookings").await.expect(200)["items"], json!([]));

    ann.send(reqwest::Method::POST, "/auth/logout", None)
        .await
        .expect(204);
    ann.get("/bookings").await.expect_error(401, "unauthorized");
}
