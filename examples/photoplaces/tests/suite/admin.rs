//! What administrators do to users, and where the first one comes from.

use futures_util::future::join;
use photoplaces::Config;
use serde_json::{Value, json};

use crate::support::{Client, Engine, PASSWORD, Setup, TestApp, column, on_each_engine};

on_each_engine!(
    a_new_role_and_plan_hold_at_once,
    whoever_is_blocked_is_out_until_unblocked,
    administrators_cannot_lock_themselves_out,
    of_two_who_demote_each_other_one_stays,
    users_are_listed_in_pieces,
    the_first_administrator_takes_over_an_account_of_that_address,
    the_first_administrator_stays_logged_in_over_a_restart,
);

async fn change(admin: &Client, user: i64, change: Value) -> crate::support::Answer {
    admin.patch(&format!("/admin/users/{user}"), change).await
}

async fn a_new_role_and_plan_hold_at_once(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, admin) = (app.user("ann").await, app.admin().await);
    let id = app.id_of("ann").await;
    let both = json!({"role": "admin", "plan": "pro"});
    let user = change(&admin, id, both).await.expect(200);
    assert_eq!(
        (&user["role"], &user["plan"]),
        (&json!("admin"), &json!("pro"))
    );
    assert_eq!(
        ann.get(&format!("/admin/users/{id}")).await.expect(200),
        user
    );
    let user = change(&admin, id, json!({"role": "user"}))
        .await
        .expect(200);
    assert_eq!(
        (&user["role"], &user["plan"]),
        (&json!("user"), &json!("pro"))
    );
    ann.get("/admin/users").await.expect_error(403, "forbidden");
    for wrong in [
        json!({}),
        json!({"role": "king"}),
        json!({"plan": 1}),
        json!({"email": "x"}),
    ] {
        change(&admin, id, wrong)
            .await
            .expect_error(400, "validation");
    }
}

async fn whoever_is_blocked_is_out_until_unblocked(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, admin) = (app.user("ann").await, app.admin().await);
    let id = app.id_of("ann").await;
    let user = change(&admin, id, json!({"blocked": true}))
        .await
        .expect(200);
    assert!(user["blocked_at"].is_i64(), "{user}");
    ann.get("/bookings").await.expect_error(401, "unauthorized");
    let login = |password: &str| {
        let login = json!({"email": "ann@example.com", "password": password});
        async { app.client.post("/auth/login", login).await }
    };
    login(PASSWORD).await.expect_error(403, "forbidden");
    // Only who knows the password is told.
    login("a wrong guess")
        .await
        .expect_error(401, "unauthorized");

    let user = change(&admin, id, json!({"blocked": false}))
        .await
        .expect(200);
    assert_eq!(user["blocked_at"], json!(null));
    ann.get("/bookings").await.expect_error(401, "unauthorized");
    login(PASSWORD).await.expect(200);
}

async fn administrators_cannot_lock_themselves_out(engine: Engine) {
    let app = TestApp::start(engine).await;
    let admin = app.admin().await;
    let id = app.id_of("root").await;
    for wrong in [json!({"role": "user"}), json!({"blocked": true})] {
        change(&admin, id, wrong)
            .await
            .expect_error(409, "conflict");
    }
    change(&admin, id, json!({"plan": "pro", "role": "admin"}))
        .await
        .expect(200);
}

async fn of_two_who_demote_each_other_one_stays(engine: Engine) {
    let app = TestApp::start(engine).await;
    let (ann, root) = (app.user("ann").await, app.admin().await);
    let (ann_id, root_id) = (app.id_of("ann").await, app.id_of("root").await);
    for _ in 0..10 {
        change(&root, ann_id, json!({"role": "admin"}))
            .await
            .expect(200);
        let (one, other) = join(
            change(&root, ann_id, json!({"role": "user"})),
            change(&ann, root_id, json!({"role": "user"})),
        )
        .await;
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 403], "{one:?} {other:?}");
        if other.status == 200 {
            change(&ann, root_id, json!({"role": "admin"}))
                .await
                .expect(200);
        }
    }
}

async fn users_are_listed_in_pieces(engine: Engine) {
    let app = TestApp::start(engine).await;
    for name in ["ann", "bob"] {
        app.user(name).await;
    }
    let admin = app.admin().await;
    let first = admin.get("/admin/users?limit=2").await.expect(200);
    assert_eq!(
        column(&first, "email"),
        ["root@example.com", "ann@example.com"]
    );
    assert_eq!(first["next_offset"], 2);
    let second = admin.get("/admin/users?limit=2&offset=2").await.expect(200);
    assert_eq!(column(&second, "name"), ["bob"]);
    assert_eq!(second["next_offset"], json!(null));
    assert!(!first.to_string().contains("hash"), "{first}");
}

async fn the_first_administrator_takes_over_an_account_of_that_address(engine: Engine) {
    let mut setup = Setup::new(engine).await;
    let named = setup.config.first_admin.take();
    let stranger =
        json!({"email": "root@example.com", "password": "a strangers password", "name": "X"});
    let squatted = setup_again(&setup, None).start().await;
    let old = squatted
        .client
        .post("/auth/register", stranger.clone())
        .await;
    old.expect(201);
    let login = json!({"email": "root@example.com", "password": "a strangers password"});
    let session = squatted
        .client
        .post("/auth/login", login.clone())
        .await
        .expect(200);

    let app = setup_again(&setup, named).start().await;
    app.client
        .post("/auth/login", login)
        .await
        .expect_error(401, "unauthorized");
    let stranger = app.client.with_token(session["token"].as_str().unwrap());
    stranger
        .get("/bookings")
        .await
        .expect_error(401, "unauthorized");
    app.admin().await.get("/admin/users").await.expect(200);
}

async fn the_first_administrator_stays_logged_in_over_a_restart(engine: Engine) {
    let setup = Setup::new(engine).await;
    let first = setup_again(&setup, setup.config.first_admin.clone())
        .start()
        .await;
    let token = first.admin().await.token().to_owned();
    let second = setup_again(&setup, setup.config.first_admin.clone())
        .start()
        .await;
    let admin = second.client.with_token(&token);
    admin.get("/admin/users").await.expect(200);
}

/// Another process on the same database.
fn setup_again(setup: &Setup, first_admin: Option<photoplaces::config::FirstAdmin>) -> Setup {
    let mut config: Config = setup.config.clone();
    config.first_admin = first_admin;
    Setup {
        config,
        clock: setup.clock.clone(),
        dir: tempfile::tempdir().unwrap(),
    }
}
