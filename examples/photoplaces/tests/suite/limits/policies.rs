//! The file that comes with the service.

use std::error::Error as _;
use std::time::Duration;

use photoplaces::config::Environment;
use photoplaces::{RateLimits, rate_limit::RateLimitError};
use tollgate_policy::file::{PolicyFile, StoreKind};
use tollgate_policy::{Allowance, OnStoreFailure};

use super::given::{SHIPPED, behind_proxy, replaced, trusting, write};

fn read(variables: &[(&str, &str)]) -> PolicyFile {
    let environment = |name: &str| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    };
    PolicyFile::parse("tollgate.toml", SHIPPED, &environment)
        .unwrap_or_else(|found| panic!("{found}"))
}

#[test]
fn it_can_be_read_without_any_variable() {
    let file = read(&[]);
    assert!(file.warnings.is_empty(), "{}", file.warnings);
    assert_eq!(file.store.url.kind(), StoreKind::Memory);
}

#[test]
fn it_says_what_the_service_promises() {
    let file = read(&[("REDIS_URL", "redis://cache")]);
    assert!(file.warnings.is_empty(), "{}", file.warnings);
    assert_eq!(file.store.url.kind(), StoreKind::Redis);
    assert_eq!(file.store.timeout, Duration::from_millis(100));
    let rows: Vec<_> = file
        .policies
        .policies()
        .iter()
        .map(|policy| {
            let Allowance::Limits(limits) = policy.allowance() else {
                panic!("{policy:?} has no limits");
            };
            let limits: Vec<_> = limits.iter().map(ToString::to_string).collect();
            (policy.name(), limits.join(", "))
        })
        .collect();
    let row = |name, limit: &str| (name, limit.to_owned());
    assert_eq!(
        rows,
        [
            row("auth", "10/min"),
            row("api_read", "60/min"),
            row("api_write", "10/min"),
            row("admin", "100/min"),
        ]
    );
}

#[test]
fn it_denies_while_the_store_fails_unless_the_service_says_otherwise() {
    let outcomes = |variables: &[(&str, &str)]| {
        let file = read(variables);
        assert!(file.warnings.is_empty(), "{}", file.warnings);
        let policies = file.policies.policies().iter();
        policies
            .map(|policy| policy.on_store_failure())
            .collect::<Vec<_>>()
    };
    let redis = ("REDIS_URL", "redis://cache");
    assert_eq!(outcomes(&[redis]), [OnStoreFailure::Deny; 4]);
    assert_eq!(
        outcomes(&[redis, ("LIMIT_FAILURE", "deny")]),
        [OnStoreFailure::Deny; 4]
    );
    let whole = OnStoreFailure::Local("1/1".parse().unwrap());
    assert_eq!(outcomes(&[redis, ("LIMIT_FAILURE", "local")]), [whole; 4]);
}

#[tokio::test]
async fn production_without_redis_does_not_start_unless_the_file_counts_in_memory() {
    let setup = behind_proxy(Environment::Production, None).await;
    let error = RateLimits::open(&setup.config, &setup.clock()).unwrap_err();
    assert!(matches!(error, RateLimitError::NoRedis { .. }), "{error}");
    let on_purpose = replaced(&trusting(SHIPPED), "${REDIS_URL:-memory:}", "memory:");
    write(&setup, &on_purpose);
    assert!(RateLimits::open(&setup.config, &setup.clock()).is_ok());
}

#[tokio::test]
async fn a_store_that_cannot_be_made_is_told_without_its_password() {
    let setup = behind_proxy(Environment::Production, None).await;
    let url = "redis://:s3cret@h:port";
    write(
        &setup,
        &replaced(&trusting(SHIPPED), "${REDIS_URL:-memory:}", url),
    );
    let error = RateLimits::open(&setup.config, &setup.clock()).unwrap_err();
    let text = format!("{error} {error:?} {}", error.source().unwrap());
    assert!(
        text.contains("tollgate.toml") && !text.contains("s3cret"),
        "{text}"
    );
}
