//! What the environment may say, and how a mistake in it is told.

use std::ffi::OsString;
use std::path::Path;

use photoplaces::config::{Backend, Environment};
use photoplaces::{Config, ConfigError};

fn parse(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::from_lookup(|name| {
        let found = variables.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| OsString::from(value))
    })
}

#[track_caller]
fn message(name: &str, value: &str) -> String {
    let error = parse(&[(name, value)]).unwrap_err();
    assert_eq!(error.variable(), name);
    error.to_string()
}

#[test]
fn an_empty_environment_is_enough() {
    let config = parse(&[]).unwrap();
    assert_eq!(config.environment, Environment::Development);
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.database.to_string(), "sqlite://photoplaces.db");
    assert_eq!(config.policy_file, Path::new("tollgate.toml"));
    assert_eq!(config.redis, None);
    assert_eq!(config.first_admin, None);
    assert_eq!(config.log, "info");
}

#[test]
fn every_variable_is_heard_and_no_secret_is_shown() {
    let config = parse(&[
        ("APP_ENV", "production"),
        ("APP_HOST", "::"),
        ("APP_PORT", "9000"),
        ("DATABASE_URL", "postgres://tom:s3cret@db/places"),
        ("REDIS_URL", "redis://tom:s3cret@cache:6380/1"),
        ("ADMIN_EMAIL", "Root@example.com"),
        ("ADMIN_PASSWORD", "s3cret words"),
        ("RUST_LOG", "photoplaces=debug"),
    ])
    .unwrap();
    assert_eq!(config.environment, Environment::Production);
    assert_eq!(config.listen.to_string(), "[::]:9000");
    assert_eq!(config.database.backend(), Backend::Postgres);
    let redis = config.redis.clone().unwrap();
    assert_eq!(redis.expose(), "redis://tom:s3cret@cache:6380/1");
    assert_eq!(
        config.first_admin.clone().unwrap().email,
        "root@example.com"
    );
    assert_eq!(config.log, "photoplaces=debug");
    assert!(!format!("{config:?} {redis}").contains("s3cret"));
}

#[test]
fn the_policy_file_is_found_however_the_program_is_run() {
    let file = |variables: &[(&str, &str)]| parse(variables).unwrap().policy_file;
    let by_cargo = ("CARGO_MANIFEST_DIR", "/src/photoplaces");
    assert_eq!(
        file(&[by_cargo]),
        Path::new("/src/photoplaces/tollgate.toml")
    );
    let chosen = ("TOLLGATE_FILE", "/etc/limits.toml");
    assert_eq!(file(&[by_cargo, chosen]), Path::new("/etc/limits.toml"));
}

#[test]
fn a_mistake_names_the_variable_and_the_remedy() {
    assert_eq!(
        message("APP_ENV", "staging"),
        "APP_ENV is \"staging\": not an environment; set it to production or to development",
    );
    assert!(message("APP_PORT", "65536").starts_with("APP_PORT is \"65536\": not a port"));
    assert!(message("APP_HOST", "localhost").contains("not an IP address"));
    assert!(message("RUST_LOG", "photoplaces=loud").starts_with("RUST_LOG is"));
    assert!(message("DATABASE_URL", "mysql://x").contains("the scheme is not known"));
    assert!(message("ADMIN_EMAIL", "root@example.com").contains("set both or neither"));
}

#[test]
fn an_empty_value_is_no_value_but_for_redis() {
    let config = parse(&[
        ("APP_PORT", ""),
        ("DATABASE_URL", "  "),
        ("ADMIN_EMAIL", ""),
    ])
    .unwrap();
    assert_eq!(config.listen.port(), 8080);
    assert_eq!(config.first_admin, None);
    assert!(message("REDIS_URL", "").starts_with("REDIS_URL is \"\": an empty address"));
}

#[test]
fn no_mistake_shows_a_secret() {
    for url in [
        "tom:s3cret@db",
        "http://tom:s3cret@db",
        "redis://tom:s3cret@db:port",
        "redis://s3cret:p@h/x",
    ] {
        let text = message("REDIS_URL", url);
        assert!(text.starts_with("REDIS_URL is \"…\": "), "{text}");
        assert!(!text.contains("s3cret"), "{text}");
    }
    assert!(!message("ADMIN_PASSWORD", "s3cret words").contains("s3cret"));
    let short = [
        ("ADMIN_EMAIL", "root@example.com"),
        ("ADMIN_PASSWORD", "s3cret"),
    ];
    let text = parse(&short).unwrap_err().to_string();
    assert!(text.starts_with("ADMIN_PASSWORD is \"…\": "), "{text}");
}
