//! Who may do what.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Client, Engine, NOW, TestApp, id, on_each_engine, place, service};

on_each_engine!(
    everyone_may_read,
    without_a_session_nothing_is_written,
    what_is_somebody_elses_is_refused_and_stays,
    an_administrator_may_do_what_owners_may,
    only_administrators_get_into_admin,
);

type Call = (Method, String, Option<Value>);

/// One of everything, all of them of one user.
struct World {
    place: i64,
    review: i64,
    service: i64,
    booking: i64,
}

impl World {
    async fn new(owner: &Client) -> Self {
        let service = service(owner).await;
        let place = place(owner).await;
        let review = json!({"rating": 3});
        let review = owner
            .post(&format!("/places/{place}/reviews"), review)
            .await;
        let booking = json!({"service_id": service, "starts_at": NOW + 3600});
        Self {
            place,
            review: id(&review.expect(201)),
            service,
            booking: id(&owner.post("/bookings", booking).await.expect(201)),
        }
    }

    fn reads(&self) -> Vec<String> {
        let Self {
            place,
            review,
            service,
            ..
        } = self;
        vec![
            "/health".to_owned(),
            "/places".to_owned(),
            format!("/places/{place}"),
            format!("/places/{place}/reviews"),
            format!("/reviews/{review}"),
            "/tags".to_owned(),
            "/services".to_owned(),
            format!("/services/{service}"),
        ]
    }

    /// What any user may do.
    fn users_calls(&self) -> Vec<Call> {
        let Self { place, service, .. } = self;
        let new_place = json!({"name": "New", "latitude": 0, "longitude": 0});
        let new_service = json!({"title": "New", "price_cents": 0, "contact": "x"});
        let new_booking = json!({"service_id": service, "starts_at": NOW + 7200});
        vec![
            (Method::POST, "/places".to_owned(), Some(new_place)),
            (
                Method::POST,
                format!("/places/{place}/reviews"),
                Some(json!({"rating": 1})),
            ),
            (
                Method::POST,
                format!("/places/{place}/services"),
                Some(new_service),
            ),
            (Method::POST, "/bookings".to_owned(), Some(new_booking)),
            (Method::GET, "/bookings".to_owned(), None),
        ]
    }

    /// What only an owner and an administrator may do, with what everyone else is answered; what
    /// deletes the place comes last.
    fn owners_calls(&self) -> Vec<(Call, u16)> {
        let Self {
            place,
            review,
            booking,
            ..
        } = self;
        let change = Some(json!({"name": "New"}));
        vec![
            ((Method::PATCH, format!("/places/{place}"), change), 403),
            ((Method::DELETE, format!("/reviews/{review}"), None), 403),
            // That it exists is nobody's business.
            ((Method::DELETE, format!("/bookings/{booking}"), None), 404),
            ((Method::DELETE, format!("/places/{place}"), None), 403),
        ]
    }

    fn admins_calls(&self, user: i64) -> Vec<Call> {
        let plan = Some(json!({"plan": "pro"}));
        vec![
            (Method::GET, "/admin/users".to_owned(), None),
            (Method::GET, format!("/admin/users/{user}"), None),
            (Method::PATCH, format!("/admin/users/{user}"), plan),
            (
                Method::DELETE,
                format!("/admin/places/{}", self.place),
                None,
            ),
        ]
    }
}

async fn everyone_may_read(engine: Engine) {
    let app = TestApp::start(engine).await;
    let world = World::new(&app.user("ann").await).await;
    for path in world.reads() {
        app.client.get(&path).await.expect(200);
        // Also with a session that is none: reads do not ask for one.
        let stranger = app.client.with_token("nonsense");
        stranger.get(&path).await.expect(200);
    }
}

async fn without_a_session_nothing_is_written(engine: Engine) {
    let app = TestApp::start(engine).await;
    let world = World::new(&app.user("ann").await).await;
    let mut calls = world.users_calls();
    calls.extend(world.owners_calls().into_iter().map(|(call, _)| call));
    calls.extend(world.admins_calls(app.id_of("ann").await));
    calls.push((Method::POST, "/auth/logout".to_owned(), None));
    for (method, path, body) in calls {
        for client in [&app.client, &app.client.with_token(&"0".repeat(64))] {
            let answer = client.send(method.clone(), &path, body.clone()).await;
            answer.expect_error(401, "unauthorized");
            assert_eq!(answer.headers["www-authenticate"], "Bearer");
        }
    }
}

async fn what_is_somebody_elses_is_refused_and_stays(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, bob) = (app.user("ann").await, app.user("bob").await);
    let world = World::new(&ann).await;
    let place = format!("/places/{}", world.place);
    let before = ann.get(&place).await.expect(200);
    let bookings = ann.get("/bookings").await.expect(200);
    for ((method, path, body), status) in world.owners_calls() {
        let code = if status == 403 {
            "forbidden"
        } else {
            "not_found"
        };
        bob.send(method, &path, body)
            .await
            .expect_error(status, code);
    }
    assert_eq!(ann.get(&place).await.expect(200), before);
    assert_eq!(ann.get("/bookings").await.expect(200), bookings);
    for (method, path, body) in world.users_calls() {
        let answer = bob.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
    for ((method, path, body), _) in world.owners_calls() {
        let answer = ann.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
}

async fn an_administrator_may_do_what_owners_may(engine: Engine) {
    let app = TestApp::start(engine).await;
    let world = World::new(&app.user("ann").await).await;
    let admin = app.admin().await;
    for ((method, path, body), _) in world.owners_calls() {
        let answer = admin.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
}

async fn only_administrators_get_into_admin(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    let world = World::new(&ann).await;
    let id = app.id_of("ann").await;
    for (method, path, body) in world.admins_calls(id) {
        ann.send(method, &path, body)
            .await
            .expect_error(403, "forbidden");
    }
    let admin = app.admin().await;
    for (method, path, body) in world.admins_calls(id) {
        let answer = admin.send(method, &path, body).await;
        assert!((200..300).contains(&answer.status), "{path}: {answer:?}");
    }
    for (method, path, body) in [
        (Method::GET, "/admin/users/999999", None),
        (
            Method::PATCH,
            "/admin/users/999999",
            Some(json!({"plan": "pro"})),
        ),
        (Method::DELETE, "/admin/places/999999", None),
    ] {
        admin
            .send(method, path, body)
            .await
            .expect_error(404, "not_found");
    }
}
