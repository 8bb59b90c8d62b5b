//! What the limiter sees of the caller, in its place between authentication and the handlers.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use photoplaces::{layers, routes};
use serde_json::json;
use tollgate::{Limit, ManualClock, MemoryStore, Timestamp};
use tollgate_http::{HttpLimiter, RateLimitLayer, RequestAttributes};
use tollgate_policy::{Policy, PolicyLimiter, PolicySet, When};

use crate::support::{Engine, Setup, TestApp, on_each_engine};

on_each_engine!(
    policies_see_id_role_and_plan_of_a_user_and_nothing_of_anyone_else,
    users_count_by_themselves_and_everyone_else_by_address,
    a_database_that_is_gone_logs_nobody_out,
);

/// What stood in the extensions of each request in the place of the limiter.
#[derive(Clone, Default)]
struct Seen(Arc<Mutex<Vec<Option<RequestAttributes>>>>);

impl Seen {
    fn around(self, routes: Router) -> Router {
        routes.layer(from_fn(move |request: Request, next: Next| {
            let seen = request.extensions().get().cloned();
            self.0.lock().unwrap().push(seen);
            next.run(request)
        }))
    }

    fn take(&self) -> Option<RequestAttributes> {
        let mut seen = std::mem::take(&mut *self.0.lock().unwrap());
        assert_eq!(seen.len(), 1, "one request, seen once");
        seen.remove(0)
    }
}

async fn policies_see_id_role_and_plan_of_a_user_and_nothing_of_anyone_else(engine: Engine) {
    let seen = Seen::default();
    let watch = seen.clone();
    let setup = Setup::new(engine).await;
    let make = |state| layers::wrap(routes(), state, |routes| watch.around(routes));
    let app = setup.start_as(make).await;
    let (ann, admin) = (app.user("ann").await, app.admin().await);
    let (ann_id, root_id) = (app.id_of("ann").await, app.id_of("root").await);
    seen.0.lock().unwrap().clear();
    let user = |id: i64, role: &'static str, plan: &'static str| {
        RequestAttributes::new()
            .with("user", id.to_string())
            .with("user.role", role)
            .with("user.plan", plan)
    };

    ann.get("/places").await.expect(200);
    assert_eq!(seen.take(), Some(user(ann_id, "user", "free")));
    let pro = json!({"plan": "pro"});
    admin
        .patch(&format!("/admin/users/{ann_id}"), pro)
        .await
        .expect(200);
    assert_eq!(seen.take(), Some(user(root_id, "admin", "free")));
    ann.get("/places").await.expect(200);
    assert_eq!(seen.take(), Some(user(ann_id, "user", "pro")));

    app.client.get("/places").await.expect(200);
    assert_eq!(seen.take(), None);
    // An invalid session reaches the limiter too, as nobody, before a handler refuses it.
    for token in ["nonsense", &"0".repeat(64)] {
        let stranger = app.client.with_token(token);
        stranger.get("/places").await.expect(200);
        assert_eq!(seen.take(), None);
        stranger
            .get("/bookings")
            .await
            .expect_error(401, "unauthorized");
        assert_eq!(seen.take(), None);
    }
    app.client
        .get("/nothing")
        .await
        .expect_error(404, "not_found");
    assert_eq!(seen.take(), None);
}

fn limit(text: &str) -> Limit {
    text.parse().unwrap()
}

/// A limiter as the policy file has it, with smaller numbers.
fn limited(routes: Router) -> Router {
    let policy = Policy::builder("api-read")
        .method(["GET"])
        .path("/places/**")
        .key("user or client.ip")
        .limit(limit("2/h fixed-window"))
        .tier(When::is("user.plan", "pro"), [limit("5/h fixed-window")])
        .build()
        .unwrap();
    let policies = PolicySet::new([policy]).unwrap();
    let limiter = PolicyLimiter::new(
        policies,
        MemoryStore::with_clock(ManualClock::new(Timestamp::from_secs(0))),
    );
    routes.layer(RateLimitLayer::new(HttpLimiter::new(limiter)))
}

async fn users_count_by_themselves_and_everyone_else_by_address(engine: Engine) {
    let setup = Setup::new(engine).await;
    let app = setup
        .start_as(|state| layers::wrap(routes(), state, limited))
        .await;
    let (ann, bob, admin) = (
        app.user("ann").await,
        app.user("bob").await,
        app.admin().await,
    );
    let again = app.log_in("ann").await;
    ann.get("/places").await.expect(200);
    again.get("/places").await.expect(200);
    // Another session of the same user is the same user.
    assert_eq!(ann.get("/places").await.status, 429);
    bob.get("/places").await.expect(200);

    // Whoever has no session counts by address, and so does one that is invalid.
    let stranger = app.client.with_token(&"0".repeat(64));
    app.client.get("/places").await.expect(200);
    stranger.get("/places").await.expect(200);
    assert_eq!(app.client.get("/places").await.status, 429);
    assert_eq!(stranger.get("/places").await.status, 429);
    bob.get("/places").await.expect(200);

    // A plan gives other limits from then on; what was used stays used.
    let path = format!("/admin/users/{}", app.id_of("ann").await);
    admin.patch(&path, json!({"plan": "pro"})).await.expect(200);
    for _ in 0..3 {
        ann.get("/places").await.expect(200);
    }
    assert_eq!(ann.get("/places").await.status, 429);
}

async fn a_database_that_is_gone_logs_nobody_out(engine: Engine) {
    let app = TestApp::start(engine).await;
    let ann = app.user("ann").await;
    app.state.db().close().await;
    let answer = ann.get("/bookings").await;
    answer.expect_error(503, "unavailable");
    assert_eq!(answer.headers["retry-after"], "5");
    assert_eq!(answer.headers["cache-control"], "no-store");
    app.client
        .get("/bookings")
        .await
        .expect_error(401, "unauthorized");
}
