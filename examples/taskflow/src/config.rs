//! What can be set from outside, read in one pure step.
//!
//! [`Config::from_lookup`] asks a function for each variable; [`Settings`] tells why.

mod redis_url;

use std::ffi::OsString;
use std::net::SocketAddr;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use tollgate_policy::ClientIdentity;

pub use self::redis_url::RedisUrl;
use crate::auth::PasswordCost;
pub use examples_common::config_error::ConfigError;
pub use examples_common::database::{Backend, DatabaseUrl};
use examples_common::settings::Settings;

const DEFAULT_DATABASE_URL: &str = "sqlite://taskflow.db";
const DEFAULT_PORT: u16 = 8080;

/// Every setting of the service. The first seven come from the environment; the
/// rest are fixed for the program and lowered by tests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// Where to listen: `APP_HOST` and `APP_PORT`.
    pub listen: SocketAddr,
    /// Where data is stored: `DATABASE_URL`.
    pub database: DatabaseUrl,
    /// Where sessions, cached boards and the limiter's counts live, for all processes that share
    /// it: `REDIS_URL`. Without it sessions are in the database, the rest in this process.
    pub redis: Option<RedisUrl>,
    /// Who a request comes from. Forwarding headers are believed from `TRUSTED_PROXIES`, which
    /// are CIDRs, and from nobody else.
    pub client_identity: ClientIdentity,
    /// Which pages of other origins may call: `CORS_ORIGINS`.
    pub cors: CorsOrigins,
    /// What is logged, in the language of `EnvFilter`: `RUST_LOG`.
    pub log: String,

    /// How many database connections are kept at most.
    pub database_connections: u32,
    /// How long a call may wait for Redis, connecting included.
    pub redis_timeout: Duration,
    /// How long the limiter may wait for Redis before it does without. 100 ms.
    pub limiter_deadline: Duration,
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
        Self::from_lookup(|name| std::env::var_os(name))
    }

    /// Reads variables from `lookup`. An empty value counts as not set, except that of
    /// `REDIS_URL`, which is an error.
    ///
    /// # Errors
    ///
    /// The first variable that holds something unusable, or no UTF-8.
    pub fn from_lookup(lookup: impl Fn(&str) -> Option<OsString>) -> Result<Self, ConfigError> {
        let settings = Settings::new(lookup);
        Ok(Self {
            listen: settings.listen(DEFAULT_PORT)?,
            database: DatabaseUrl::parse(
                settings
                    .get("DATABASE_URL")?
                    .as_deref()
                    .unwrap_or(DEFAULT_DATABASE_URL),
            )?,
            redis: settings
                .get_even_empty("REDIS_URL")?
                .map(|url| RedisUrl::parse(&url))
                .transpose()?,
            client_identity: client_identity(settings.get("TRUSTED_PROXIES")?)?,
            cors: cors_origins(settings.get("CORS_ORIGINS")?)?,
            log: settings.log()?,
            database_connections: 10,
            redis_timeout: Duration::from_millis(500),
            limiter_deadline: Duration::from_millis(100),
            password_cost: PasswordCost::default(),
            password_workers: 4,
            session_lifetime: Duration::from_secs(7 * 24 * 60 * 60),
            body_limit: 64 * 1024,
            request_timeout: Duration::from_secs(10),
            drain: Duration::from_secs(15),
        })
    }
}

fn client_identity(value: Option<String>) -> Result<ClientIdentity, ConfigError> {
    let value = value.unwrap_or_default();
    ClientIdentity::builder()
        .trusted_proxies(list(Some(value.clone())))
        .build()
        .map_err(|error| {
            let cause = std::error::Error::source(&error).map(|cause| format!(": {cause}"));
            let problem = format!("{error}{}", cause.unwrap_or_default());
            ConfigError::new("TRUSTED_PROXIES", &value, problem).remedy(
                "set it to the networks of your proxies, separated by commas, such as 10.0.0.0/8",
            )
        })
}

fn cors_origins(value: Option<String>) -> Result<CorsOrigins, ConfigError> {
    let value = value.unwrap_or_default();
    let parts = list(Some(value.clone()));
    if matches!(parts.as_slice(), [only] if only == "*") {
        return Ok(CorsOrigins::Any);
    }
    let wrong = |part: &str| {
        let problem = format!("\"{part}\" is not an origin");
        ConfigError::new("CORS_ORIGINS", &value, problem).remedy(
            "list origins separated by commas, each as http(s)://host[:port] without a path, or * alone",
        )
    };
    parts
        .iter()
        .map(|part| origin(part).ok_or_else(|| wrong(part)))
        .collect::<Result<_, _>>()
        .map(CorsOrigins::List)
}

/// Browsers send an origin as `scheme://host[:port]`, and it is compared byte for
/// byte: a trailing slash or a path would never match, so neither is accepted.
fn origin(value: &str) -> Option<HeaderValue> {
    let uri = value.parse::<Uri>().ok()?;
    let authority = uri.authority()?.as_str();
    let well_formed = matches!(uri.scheme_str(), Some("http" | "https"))
        && !authority.contains('@')
        && value.ends_with(&format!("://{authority}"));
    HeaderValue::from_str(value).ok().filter(|_| well_formed)
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
