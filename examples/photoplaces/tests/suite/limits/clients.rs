//! Who a request is counted for, whatever it says about itself.

use photoplaces::config::Environment;
use reqwest::Method;
use serde_json::json;

use super::given::{admitted, behind_proxy};
use crate::support::{Answer, Client, Engine, Setup, fresh_address};

async fn guess(client: &Client, forwarded: &[&str]) -> Answer {
    let guess = json!({"email": "root@example.com", "password": "a wrong guess"});
    let request = client.request(Method::POST, "/auth/login");
    let request = forwarded.iter().fold(request, |request, line| {
        request.header("x-forwarded-for", *line)
    });
    Answer::read(request.json(&guess)).await
}

/// With the file as it is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rotating_x_forwarded_for_gains_nothing() {
    let (app, _) = Setup::new(Engine::Sqlite).await.start_limited().await;
    for number in 0..10 {
        let answer = guess(&app.client, &[&format!("203.0.113.{number}")]).await;
        answer.expect_error(401, "unauthorized");
    }
    for number in 0..10 {
        let answer = guess(&app.client, &[&format!("198.51.100.{number}")]).await;
        answer.expect_error(429, "rate_limited");
    }
    guess(&app.client, &[])
        .await
        .expect_error(429, "rate_limited");
    // The same with what has another count, which is not used up.
    assert_eq!(admitted(&app.client, "/tags", 70).await, 60);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn behind_a_trusted_proxy_the_client_is_counted() {
    let setup = behind_proxy(Environment::Development, None).await;
    let (app, _) = setup.start_limited().await;
    let client = &app.client;
    // What stands further left is what the client has written.
    for number in 0..10 {
        let written = format!("203.0.113.{number}");
        let lines = [written.as_str(), "198.51.100.7"];
        guess(client, &lines)
            .await
            .expect_error(401, "unauthorized");
    }
    guess(client, &["203.0.113.99, 198.51.100.7"])
        .await
        .expect_error(429, "rate_limited");
    guess(client, &["198.51.100.7"])
        .await
        .expect_error(429, "rate_limited");
    guess(client, &["198.51.100.8"])
        .await
        .expect_error(401, "unauthorized");
    // One network of IPv6 is one client.
    for number in 0..10 {
        guess(client, &[&format!("2001:db8::{number}")])
            .await
            .expect_error(401, "unauthorized");
    }
    guess(client, &["2001:db8::ffff"])
        .await
        .expect_error(429, "rate_limited");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_spelling_of_a_path_gets_around_its_limit() {
    let (app, _) = Setup::new(Engine::Sqlite).await.start_limited().await;
    assert_eq!(admitted(&app.client, "/places", 61).await, 60);
    for path in ["/places/1", "/%70laces", "/places?q=x", "/places/1/reviews"] {
        app.client.get(path).await.expect_error(429, "rate_limited");
    }
    let head = app.client.request(Method::HEAD, "/places");
    assert_eq!(Answer::read(head).await.status, 429);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_has_ended_is_counted_by_address() {
    let setup = behind_proxy(Environment::Development, None).await;
    let (app, _) = setup.start_limited().await;
    let stranger = app.client.at_address("198.51.100.7");
    assert_eq!(admitted(&stranger, "/places", 30).await, 30);
    // Tokens at random are no users.
    for number in 0..30 {
        let token = format!("{number:064x}");
        stranger.with_token(&token).get("/places").await.expect(200);
    }
    assert_eq!(admitted(&stranger, "/places", 1).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_user_is_counted_wherever_it_comes_from() {
    let setup = behind_proxy(Environment::Development, None).await;
    let (app, _) = setup.start_limited().await;
    let (ann, bob) = (app.new_admin("ann").await, app.new_admin("bob").await);
    let place = json!({"name": "Bridge", "latitude": 47.0, "longitude": 8.0});
    for (method, path, units) in [
        (Method::GET, "/places", 60),
        (Method::POST, "/places", 10),
        (Method::GET, "/admin/users", 100),
    ] {
        let call = |client: Client| {
            let body = (method == Method::POST).then(|| place.clone());
            let method = method.clone();
            async move { client.send(method, path, body).await }
        };
        for _ in 0..units {
            let answer = call(ann.at_address(&fresh_address())).await;
            assert!([200, 201].contains(&answer.status), "{answer:?}");
        }
        let here = fresh_address();
        let answer = call(ann.at_address(&here)).await;
        answer.expect_error(429, "rate_limited");
        // Nobody else pays for it, not even at the same address.
        let answer = call(bob.at_address(&here)).await;
        assert!([200, 201].contains(&answer.status), "{answer:?}");
        let answer = call(app.client.at_address(&here)).await;
        assert!([200, 401].contains(&answer.status), "{answer:?}");
    }
}
