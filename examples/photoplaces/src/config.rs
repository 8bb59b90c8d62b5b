//! What can be set from outside, read in one pure step.
//!
//! [`Config::from_lookup`] asks a function for each variable; [`Settings`] tells why.

mod first_admin;
mod redis_url;

use std::ffi::OsString;
use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

pub use examples_common::config_error::ConfigError;
pub use examples_common::database::{Backend, DatabaseUrl};
pub use examples_common::password::PasswordCost;
use examples_common::settings::Settings;

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
        let settings = Settings::new(lookup);
        Ok(Self {
            environment: environment(settings.get("APP_ENV")?.as_deref())?,
            listen: settings.listen(DEFAULT_PORT)?,
            database: DatabaseUrl::parse(
                settings
                    .get("DATABASE_URL")?
                    .as_deref()
                    .unwrap_or(DEFAULT_DATABASE_URL),
            )?,
            policy_file: policy_file(
                settings.get("TOLLGATE_FILE")?,
                settings.get("CARGO_MANIFEST_DIR")?,
            ),
            redis: settings
                .get_even_empty("REDIS_URL")?
                .map(|url| RedisUrl::parse(&url))
                .transpose()?,
            first_admin: FirstAdmin::parse(
                settings.get("ADMIN_EMAIL")?,
                settings.get("ADMIN_PASSWORD")?,
            )?,
            log: settings.log()?,
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

/// Cargo sets the directory when it runs the program, wherever it is called from.
fn policy_file(chosen: Option<String>, manifest_dir: Option<String>) -> PathBuf {
    let beside_manifest = || manifest_dir.map(|dir| PathBuf::from(dir).join(POLICY_FILE));
    chosen
        .map(PathBuf::from)
        .or_else(beside_manifest)
        .unwrap_or_else(|| PathBuf::from(POLICY_FILE))
}
