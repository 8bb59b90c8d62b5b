//! What can be set from outside, read in one pure step.
//!
//! [`Config::from_lookup`] asks a function for each variable, so that tests hand
//! in values instead of changing the process's environment.

mod database_url;
mod error;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use tracing_subscriber::EnvFilter;

pub use self::database_url::{Backend, DatabaseUrl};
pub use self::error::ConfigError;
use crate::auth::PasswordCost;

const DEFAULT_DATABASE_URL: &str = "sqlite://taskflow.db";
const DEFAULT_PORT: u16 = 8080;

/// Every setting of the service. The first six come from the environment; the
/// rest are fixed for the program and lowered by tests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// Where to listen: `APP_HOST` and `APP_PORT`.
    pub listen: SocketAddr,
    /// Where data is stored: `DATABASE_URL`.
    pub database: DatabaseUrl,
    /// Proxies whose forwarding headers are believed, as CIDRs: `TRUSTED_PROXIES`.
    pub trusted_proxies: Vec<String>,
    /// Which pages of other origins may call: `CORS_ORIGINS`.
    pub cors: CorsOrigins,
    /// What is logged, in the language of `EnvFilter`: `RUST_LOG`.
    pub log: String,

    /// How many database connections are kept at most.
    pub database_connections: u32,
    /// What a password hash costs.
    pub password_cost: PasswordCost,
    /// How many passwords are hashed at the same time; each takes the cost's memory.
    pub password_workers: usize,
    /// How long a session lasts after login.
    pub session_lifetime: Duration,
    /// The most bytes of a request body that are read.
    pub body_limit: usize,
    /// How long a request may take before it is answered with 503.
    pub request_timeout: Duration,
    /// How long running requests may go on after the signal to stop.
    pub drain: Duration,
}

/// The origins that CORS lets in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorsOrigins {
    /// Every origin (`*`).
    Any,
    /// These and no others; an empty list allows none.
    List(Vec<HeaderValue>),
}

impl Config {
    /// Reads the process's environment.
    ///
    /// # Errors
    ///
    /// The first variable that holds something unusable.
    pub fn from_env() -> Result<Self, ConfigError> {
        Self::from_lookup(|name| std::env::var(name).ok())
    }

    /// Reads variables from `lookup`. An empty value counts as not set.
    ///
    /// # Errors
    ///
    /// The first variable that holds something unusable.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let get = |name| {
            lookup(name)
                .map(|value| value.trim().to_owned())
                .filter(|value| !value.is_empty())
        };
        Ok(Self {
            listen: SocketAddr::new(host(get("APP_HOST"))?, port(get("APP_PORT"))?),
            database: DatabaseUrl::parse(
                get("DATABASE_URL")
                    .as_deref()
                    .unwrap_or(DEFAULT_DATABASE_URL),
            )?,
            trusted_proxies: list(get("TRUSTED_PROXIES")),
            cors: cors_origins(&list(get("CORS_ORIGINS")))?,
            log: log_filter(get("RUST_LOG"))?,
            database_connections: 10,
            password_cost: PasswordCost::default(),
            password_workers: 4,
            session_lifetime: Duration::from_secs(7 * 24 * 60 * 60),
            body_limit: 64 * 1024,
            request_timeout: Duration::from_secs(10),
            drain: Duration::from_secs(15),
        })
    }
}

fn host(value: Option<String>) -> Result<IpAddr, ConfigError> {
    let Some(value) = value else {
        return Ok(Ipv4Addr::LOCALHOST.into());
    };
    value.parse().map_err(|_| {
        ConfigError::new("APP_HOST", &value, "not an IP address")
            .remedy("set it to the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::")
    })
}

fn port(value: Option<String>) -> Result<u16, ConfigError> {
    let Some(value) = value else {
        return Ok(DEFAULT_PORT);
    };
    value.parse().map_err(|_| {
        ConfigError::new("APP_PORT", &value, "not a port")
            .remedy("set it to a number from 0 to 65535 (0: any free port)")
    })
}

fn log_filter(value: Option<String>) -> Result<String, ConfigError> {
    let value = value.unwrap_or_else(|| "info".to_owned());
    match EnvFilter::try_new(&value) {
        Ok(_) => Ok(value),
        Err(error) => Err(ConfigError::new("RUST_LOG", &value, error).remedy(
            "set it to a level such as info, or to filters such as taskflow=debug,sqlx=warn",
        )),
    }
}

fn cors_origins(values: &[String]) -> Result<CorsOrigins, ConfigError> {
    if matches!(values, [only] if only == "*") {
        return Ok(CorsOrigins::Any);
    }
    values
        .iter()
        .map(|value| origin(value))
        .collect::<Result<_, _>>()
        .map(CorsOrigins::List)
}

/// Browsers send an origin as `scheme://host[:port]`, and it is compared byte for
/// byte: a trailing slash or a path would never match, so neither is accepted.
fn origin(value: &str) -> Result<HeaderValue, ConfigError> {
    let well_formed = value.parse::<Uri>().is_ok_and(|uri| {
        let host_and_port = uri.authority().map(|authority| authority.as_str());
        matches!(uri.scheme_str(), Some("http" | "https"))
            && host_and_port.is_some_and(|authority| {
                !authority.contains('@') && value.ends_with(&format!("://{authority}"))
            })
    });
    HeaderValue::from_str(value).ok().filter(|_| well_formed).ok_or_else(|| {
        ConfigError::new("CORS_ORIGINS", value, "not an origin").remedy(
            "list origins separated by commas, each as http(s)://host[:port] without a path, or * alone",
        )
    })
}

fn list(value: Option<String>) -> Vec<String> {
    let value = value.unwrap_or_default();
    value
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
