//! What the environment may say, and how a mistake in it is told.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr};

use taskflow::config::{Backend, CorsOrigins};
use taskflow::{Config, ConfigError};

const LOOPBACK: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn parse(variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    Config::from_lookup(|name| {
        variables
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, value)| OsString::from(value))
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
    assert!(!config.client_identity.trusts(Some(LOOPBACK)));
    assert!(config.redis.is_none());
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
        ("REDIS_URL", "redis://tom:s3cret@cache:6380/2"),
        ("TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8"),
        ("CORS_ORIGINS", "https://a.example,http://localhost:3000"),
        ("RUST_LOG", "taskflow=debug"),
    ])
    .unwrap();
    assert_eq!(config.listen.to_string(), "[::]:9000");
    assert_eq!(config.database.backend(), Backend::Postgres);
    assert_eq!(config.redis.as_ref().unwrap().to_string(), "redis://…");
    let trusts = |address: &str| config.client_identity.trusts(address.parse().ok());
    assert!(trusts("10.1.2.3") && trusts("fd00::1") && trusts("::ffff:10.1.2.3"));
    assert!(!trusts("11.1.2.3") && !trusts("127.0.0.1"));
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
    let problems = [
        (
            "mysql://tom:s3cret@db/tasks",
            "…",
            "the scheme is not known",
        ),
        ("tom:s3cret", "…", "not an address"),
        ("sqlite://", "sqlite://", "no file is named"),
        (
            "sqlite://:memory:",
            "sqlite://…",
            "a database in memory is lost with its connection",
        ),
        (
            "sqlite://x?mode=memory",
            "sqlite://x?…",
            "a database in memory is lost with its connection",
        ),
    ];
    for (url, shown, problem) in problems {
        let expected = format!(
            "DATABASE_URL is \"{shown}\": {problem}; \
             set it to sqlite://FILE or postgres://USER:PASSWORD@HOST/DATABASE"
        );
        assert_eq!(message("DATABASE_URL", url), expected);
    }
}

#[test]
fn an_empty_redis_address_is_an_error() {
    for value in ["", " "] {
        assert_eq!(
            message("REDIS_URL", value),
            "REDIS_URL is empty; set it to redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE] \
             or redis+unix:///PATH, or do not set it",
        );
    }
}

#[test]
fn a_wrong_redis_address_is_told_without_any_of_it() {
    for url in [
        "s3cret",
        "tom:s3cret@host",
        "http://tom:s3cret@host",
        "redis://",
        "redis://tom:s3cret",
        "redis://tom:s3cret@host:port",
        "redis://tom:s3cret@host/tasks",
        // A password with a mark in it that ends an address: who is the host?
        "redis://tom:63?s3cret@host",
        "redis://tom:63#s3cret@host",
        "redis://tom:63/s3cret@host",
        "redis://host?password=s3cret",
        "redis+unix://s3cret",
    ] {
        let text = message("REDIS_URL", url);
        assert!(text.starts_with("REDIS_URL is "), "{text}");
        assert!(text.contains("; set it to redis://"), "{text}");
        for secret in ["s3cret", "tom", "63"] {
            assert!(!text.contains(secret), "{url}: {text}");
        }
    }
}

#[test]
fn a_redis_address_shows_its_server_and_never_its_password() {
    for (url, shown) in [
        ("redis://tom:s3cret@127.0.0.1/1", "redis://127.0.0.1:6379"),
        ("valkey://:s3cret@localhost:63", "redis://localhost:63"),
        ("redis://:s3cret@[::1]:6380", "redis://[::1]:6380"),
        ("redis://:s3cret@cache", "redis://…"),
        ("redis+unix:///run/redis?pass=s3cret", "redis+unix://…"),
    ] {
        let config = parse(&[("REDIS_URL", url)]).unwrap();
        assert_eq!(config.redis.as_ref().unwrap().to_string(), shown);
        let debug = format!("{config:?}");
        assert!(
            debug.contains(shown) && !debug.contains("s3cret"),
            "{debug}"
        );
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
            message("CORS_ORIGINS", value).contains("is not an origin"),
            "{value}"
        );
    }
    assert_eq!(
        parse(&[("CORS_ORIGINS", "*")]).unwrap().cors,
        CorsOrigins::Any
    );
}

#[test]
fn a_wrong_origin_is_told_with_the_whole_value() {
    assert_eq!(
        message("CORS_ORIGINS", "*,https://a"),
        "CORS_ORIGINS is \"*,https://a\": \"*\" is not an origin; list origins separated by \
         commas, each as http(s)://host[:port] without a path, or * alone",
    );
}

#[test]
fn a_proxy_that_is_no_network_is_told_with_what_to_write() {
    let text = message("TRUSTED_PROXIES", "10.0.0.0/8, 10.0.0.0/33");
    assert!(
        text.starts_with("TRUSTED_PROXIES is \"10.0.0.0/8, 10.0.0.0/33\": "),
        "{text}"
    );
    assert!(
        text.contains("10.0.0.0/33") && text.contains("such as 10.0.0.0/8"),
        "{text}"
    );
    let text = message("TRUSTED_PROXIES", "0.0.0.0/0");
    assert!(text.contains("every address"), "{text}");
}
