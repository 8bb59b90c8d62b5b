//! A handler that panics, and a caller that goes away.

use axum::routing::get;
use futures_util::future::join_all;
use photoplaces::config::Environment;
use photoplaces::{RateLimits, layers, routes};
use tollgate_testkit::RedisServer;

use super::given::{admitted, behind_proxy};

async fn panic_always() {
    panic!("a mistake");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_counts_as_one_request_and_holds_nothing_back() {
    let redis = RedisServer::start();
    let setup = behind_proxy(Environment::Production, Some(&redis)).await;
    let limits = RateLimits::open(&setup.config, &setup.clock()).unwrap();
    let app = setup
        .start_as(|state| {
            let routes = routes().route("/places/panic", get(panic_always));
            layers::wrap(routes, state, |routes| limits.around(routes))
        })
        .await;
    let client = app.client.at_address("198.51.100.7");
    let answers = join_all((0..50).map(|_| client.get("/places/panic"))).await;
    for answer in answers {
        answer.expect_error(500, "internal");
        assert_eq!(answer.headers["x-ratelimit-limit"], "60");
    }
    assert_eq!(admitted(&client, "/places", 20).await, 10);
    let other = app.client.at_address("198.51.100.8");
    assert_eq!(admitted(&other, "/places", 61).await, 60);
    assert!(!limits.store_is_away());
}
