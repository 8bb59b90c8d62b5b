//! What the environment may say, and how a mistake in it is told.

use taskflow::config::{Backend, CorsOrigins};
use taskflow::{Config, ConfigError};

fn parse(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::from_lookup(|name| {
        variables
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| (*value).to_owned())
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
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.database.to_string(), "sqlite://taskflow.db");
    assert_eq!(config.database.backend(), Backend::Sqlite);
    assert_eq!(config.cors, CorsOrigins::List(Vec::new()));
    assert!(config.trusted_proxies.is_empty());
    assert_eq!(config.log, "info");
}

#[test]
fn an_empty_value_is_no_value() {
    let config = parse(&[("APP_PORT", ""), ("DATABASE_URL", "  ")]).unwrap();
    assert_eq!(config.listen.port(), 8080);
    assert_eq!(config.database.backend(), Backend::Sqlite);
}

#[test]
fn every_variable_is_heard() {
    let config = parse(&[
        ("APP_HOST", "::"),
        ("APP_PORT", "9000"),
        ("DATABASE_URL", "postgres://tom:s3cret@db/tasks"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8"),
        ("CORS_ORIGINS", "https://a.example,http://localhost:3000"),
        ("RUST_LOG", "taskflow=debug"),
    ])
    .unwrap();
    assert_eq!(config.listen.to_string(), "[::]:9000");
    assert_eq!(config.database.backend(), Backend::Postgres);
    assert_eq!(config.trusted_proxies, ["10.0.0.0/8", "fd00::/8"]);
    let origins = ["https://a.example", "http://localhost:3000"].map(|o| o.parse().unwrap());
    assert_eq!(config.cors, CorsOrigins::List(origins.to_vec()));
    assert_eq!(config.log, "taskflow=debug");
    assert!(!format!("{config:?}").contains("s3cret"));
}

#[test]
fn a_mistake_names_the_variable_the_value_and_the_remedy() {
    assert_eq!(
        message("APP_PORT", "80a"),
        "APP_PORT is \"80a\": not a port; set it to a number from 0 to 65535 (0: any free port)",
    );
    assert_eq!(
        message("APP_HOST", "localhost"),
        "APP_HOST is \"localhost\": not an IP address; \
         set it to the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::",
    );
    assert!(message("APP_PORT", "65536").starts_with("APP_PORT is \"65536\""));
    assert!(message("RUST_LOG", "taskflow=loud").starts_with("RUST_LOG is \"taskflow=loud\""));
}

#[test]
fn a_wrong_database_address_is_told_without_its_password() {
    assert_eq!(
        message("DATABASE_URL", "mysql://tom:s3cret@db/tasks"),
        "DATABASE_URL is \"mysql://***@db/tasks\": the scheme is not known; \
         set it to sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE",
    );
    for url in [
        "sqlite://",
        "sqlite://:memory:",
        "sqlite://x?mode=memory",
        "tasks.db",
    ] {
        assert!(message("DATABASE_URL", url).contains(url), "{url}");
    }
}

#[test]
fn an_origin_that_no_browser_sends_is_refused() {
    for value in [
        "app.example",
        "https://app.example/",
        "https://app.example/path",
        "https://tom@app.example",
        "ftp://app.example",
        "https://a.example,*",
        "https://ä.example",
    ] {
        assert!(
            message("CORS_ORIGINS", value).contains("not an origin"),
            "{value}"
        );
    }
    assert_eq!(
        parse(&[("CORS_ORIGINS", "*")]).unwrap().cors,
        CorsOrigins::Any
    );
}
