//! A service with limits, and what tests say about its file.

use std::fs;
use std::net::Ipv4Addr;

use photoplaces::config::{Environment, RedisUrl};
use tollgate_testkit::RedisServer;

use crate::support::{Client, Engine, Setup};

/// The policy file as it is.
pub(crate) const SHIPPED: &str = include_str!("../../../tollgate.toml");

/// Setups of tests that bring a proxy, by whose word clients have addresses of their own.
pub(crate) async fn behind_proxy(environment: Environment, redis: Option<&RedisServer>) -> Setup {
    let mut setup = Setup::new(Engine::Sqlite).await;
    setup.config.environment = environment;
    setup.config.redis = redis.map(|server| RedisUrl::parse(&server.url()).unwrap());
    setup.config.policy_file = setup.dir.path().join("tollgate.toml");
    write(&setup, &trusting(SHIPPED));
    setup
}

/// The file with the proxy of the tests in it, and a time-out that a machine with other things to do
/// does not pass.
pub(crate) fn trusting(text: &str) -> String {
    let proxies = replaced(
        text,
        "trusted_proxies = []",
        &format!("trusted_proxies = [\"{}\"]", Ipv4Addr::LOCALHOST),
    );
    replaced(&proxies, "timeout = \"100ms\"", "timeout = \"2s\"")
}

/// The file with something else in the place of what must be there.
pub(crate) fn replaced(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old} is not in the file");
    text.replace(old, new)
}

/// Writes the policy file of a service.
pub(crate) fn write(setup: &Setup, text: &str) {
    fs::write(&setup.config.policy_file, text).unwrap();
}

/// How many of so many requests a client is admitted, one after the other.
pub(crate) async fn admitted(client: &Client, path: &str, requests: usize) -> usize {
    let mut admitted = 0;
    for _ in 0..requests {
        let answer = client.get(path).await;
        match answer.status {
            200 => admitted += 1,
            _ => drop(answer.expect_error(429, "rate_limited")),
        }
    }
    admitted
}
