//! What can be set from outside, read in one pure step.
//!
//! [`Config::from_lookup`] asks a function for each variable, so that tests hand
//! in values instead of changing the process's environment.

mod first_admin;
mod redis_url;

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

pub use examples_common::config_error::ConfigError;
pub use examples_common::database::{Backend, DatabaseUrl};
pub use examples_common::password::PasswordCost;
use tracing_subscriber::EnvFilter;

pub use self::first_admin::FirstAdmin;
pub use self::redis_url::RedisUrl;

const DEFAULT_DATABASE_URL: &str = "sqlite://photoplaces.db";
const DEFAULT_PORT: u16 = 8080;
const POLICY_FILE: &str = "tollgate.toml";

/// Every setting of the service. The first seven come from the environment; the
/// rest are fixed for the program and lowered by tests.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Config {
    /// What the service is run for: `APP_ENV`.
    pub environment: Environment,
    /// Where to listen: `APP_HOST` and `APP_PORT`.
    pub listen: SocketAddr,
    /// Where data is stored: `DATABASE_URL`.
    pub database: DatabaseUrl,
    /// How often who may call: `TOLLGATE_FILE`. Left out, `tollgate.toml` beside the manifest if
    /// cargo runs the program, else in the current directory.
    pub policy_file: PathBuf,
    /// Where the limiter's counts are, for all processes that share it: `REDIS_URL`.
    pub redis: Option<RedisUrl>,
    /// Who is an administrator from the start: `ADMIN_EMAIL` and `ADMIN_PASSWORD`.
    pub first_admin: Option<FirstAdmin>,
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

/// What the service is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Environment {
    /// On a desk: what is missing is made do without.
    #[default]
    Development,
    /// In earnest.
    Production,
}

impl Display for Environment {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Development => "development",
            Self::Production => "production",
        })
    }
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
        // What is not UTF-8 was set by somebody: it must not count as unset.
        let get_even_empty = |name| match lookup(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Err(_)) => Err(ConfigError::not_utf8(name)),
            Some(Ok(value)) => Ok(Some(value.trim().to_owned())),
        };
        let get = |name| Ok(get_even_empty(name)?.filter(|value| !value.is_empty()));
        Ok(Self {
            environment: environment(get("APP_ENV")?.as_deref())?,
            listen: SocketAddr::new(host(get("APP_HOST")?)?, port(get("APP_PORT")?)?),
            database: DatabaseUrl::parse(
                get("DATABASE_URL")?
                    .as_deref()
                    .unwrap_or(DEFAULT_DATABASE_URL),
            )?,
            policy_file: policy_file(get("TOLLGATE_FILE")?, get("CARGO_MANIFEST_DIR")?),
            redis: get_even_empty("REDIS_URL")?
                .map(|url| RedisUrl::parse(&url))
                .transpose()?,
            first_admin: FirstAdmin::parse(get("ADMIN_EMAIL")?, get("ADMIN_PASSWORD")?)?,
            log: log_filter(get("RUST_LOG")?)?,
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

fn environment(value: Option<&str>) -> Result<Environment, ConfigError> {
    match value {
        None | Some("development") => Ok(Environment::Development),
        Some("production") => Ok(Environment::Production),
        Some(value) => Err(ConfigError::new("APP_ENV", value, "not an environment")
            .remedy("set it to production or to development")),
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

/// Cargo sets the directory when it runs the program, wherever it is called from.
fn policy_file(chosen: Option<String>, manifest_dir: Option<String>) -> PathBuf {
    let beside_manifest = || manifest_dir.map(|dir| PathBuf::from(dir).join(POLICY_FILE));
    chosen
        .map(PathBuf::from)
        .or_else(beside_manifest)
        .unwrap_or_else(|| PathBuf::from(POLICY_FILE))
}

fn log_filter(value: Option<String>) -> Result<String, ConfigError> {
    let value = value.unwrap_or_else(|| "info".to_owned());
    match EnvFilter::try_new(&value) {
        Ok(_) => Ok(value),
        Err(error) => Err(ConfigError::new("RUST_LOG", &value, error).remedy(
            "set it to a level such as info, or to filters such as photoplaces=debug,sqlx=warn",
        )),
    }
}
