//! Settings from outside, and those that every service has.

use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tracing_subscriber::EnvFilter;

use crate::config_error::ConfigError;

/// Variables, read by a function, so that tests hand in values instead of changing the process's
/// environment.
#[derive(Debug)]
pub struct Settings<F>(F);

impl<F: Fn(&str) -> Option<OsString>> Settings<F> {
    /// The variables that `lookup` finds.
    pub const fn new(lookup: F) -> Self {
        Self(lookup)
    }

    /// The value of a variable, without the space around it. An empty one counts as not set.
    ///
    /// # Errors
    ///
    /// It is not UTF-8.
    pub fn get(&self, name: &'static str) -> Result<Option<String>, ConfigError> {
        Ok(self.get_even_empty(name)?.filter(|value| !value.is_empty()))
    }

    /// The same, where an empty value is none that may be passed over.
    ///
    /// # Errors
    ///
    /// It is not UTF-8.
    pub fn get_even_empty(&self, name: &'static str) -> Result<Option<String>, ConfigError> {
        // What is not UTF-8 was set by somebody: it must not count as unset.
        match (self.0)(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Err(_)) => Err(ConfigError::not_utf8(name)),
            Some(Ok(value)) => Ok(Some(value.trim().to_owned())),
        }
    }

    /// Where to listen: `APP_HOST`, or the loopback address, and `APP_PORT`, or `default_port`.
    ///
    /// # Errors
    ///
    /// One of them is no address or no port.
    pub fn listen(&self, default_port: u16) -> Result<SocketAddr, ConfigError> {
        let host = match self.get("APP_HOST")? {
            None => Ipv4Addr::LOCALHOST.into(),
            Some(value) => host(&value)?,
        };
        let port = match self.get("APP_PORT")? {
            None => default_port,
            Some(value) => port(&value)?,
        };
        Ok(SocketAddr::new(host, port))
    }

    /// What is logged, in the language of `EnvFilter`: `RUST_LOG`, or `info`.
    ///
    /// # Errors
    ///
    /// It is no such filter.
    pub fn log(&self) -> Result<String, ConfigError> {
        let value = self.get("RUST_LOG")?.unwrap_or_else(|| "info".to_owned());
        match EnvFilter::try_new(&value) {
            Ok(_) => Ok(value),
            Err(error) => Err(ConfigError::new("RUST_LOG", &value, error)
                .remedy("set it to a level such as info, or to filters such as info,sqlx=warn")),
        }
    }
}

fn host(value: &str) -> Result<IpAddr, ConfigError> {
    value.parse().map_err(|_| {
        ConfigError::new("APP_HOST", value, "not an IP address")
            .remedy("set it to the address to listen on, such as 127.0.0.1, 0.0.0.0 or ::")
    })
}

fn port(value: &str) -> Result<u16, ConfigError> {
    value.parse().map_err(|_| {
        ConfigError::new("APP_PORT", value, "not a port")
            .remedy("set it to a number from 0 to 65535 (0: any free port)")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(value: &str) -> Settings<impl Fn(&str) -> Option<OsString>> {
        Settings::new(move |name| (name == "SET").then(|| value.into()))
    }

    #[test]
    fn an_empty_value_counts_as_not_set_unless_it_is_asked_for() {
        for value in ["", " "] {
            assert_eq!(settings(value).get("SET"), Ok(None));
            assert_eq!(
                settings(value).get_even_empty("SET"),
                Ok(Some(String::new()))
            );
        }
        assert_eq!(settings(" x ").get("SET"), Ok(Some("x".to_owned())));
        assert_eq!(settings("x").get_even_empty("OTHER"), Ok(None));
    }

    #[test]
    fn what_is_missing_has_a_default() {
        let nothing = settings("");
        assert_eq!(
            nothing.listen(80),
            Ok(SocketAddr::from(([127, 0, 0, 1], 80)))
        );
        assert_eq!(nothing.log(), Ok("info".to_owned()));
    }
}
