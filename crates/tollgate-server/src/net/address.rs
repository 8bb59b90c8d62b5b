//! Where to listen.

use std::fmt::{self, Display, Formatter};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

/// An address to listen on: `127.0.0.1:7070`, `[::1]:7070`, `unix:/run/tollgate.sock`, or
/// `systemd:http`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ListenAddress {
    /// An address and a port; port 0 takes a free one.
    Tcp(SocketAddr),
    /// The path of a Unix socket, which must not exist, or be one that nobody listens on any more.
    Unix(PathBuf),
    /// The name of a socket that the service manager has opened, and passes to the process.
    Inherited(String),
}

/// A text that is no address to listen on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{text:?} is no address to listen on; write `127.0.0.1:7070`, `[::1]:7070`, `unix:/path/to/socket`, or `systemd:NAME` for a socket that the service manager passes"
)]
pub struct ListenAddressError {
    text: String,
}

impl FromStr for ListenAddress {
    type Err = ListenAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || ListenAddressError {
            text: text.to_owned(),
        };
        match text.split_once(':') {
            Some(("unix" | "systemd", "")) => Err(wrong()),
            Some(("unix", path)) => Ok(Self::Unix(path.into())),
            Some(("systemd", name)) => Ok(Self::Inherited(name.to_owned())),
            _ => text.parse().map(Self::Tcp).map_err(|_| wrong()),
        }
    }
}

impl Display for ListenAddress {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => Display::fmt(address, f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
            Self::Inherited(name) => write!(f, "systemd:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_what_its_text_says() {
        for text in [
            "127.0.0.1:7070",
            "[::1]:0",
            "unix:/run/tollgate.sock",
            "unix:t.sock",
            "systemd:http",
        ] {
            let address: ListenAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_address_is_told_with_what_to_write() {
        for text in [
            "",
            "7070",
            "localhost:7070",
            "127.0.0.1",
            "unix:",
            "systemd:",
            "tcp://127.0.0.1:1",
        ] {
            let error = text.parse::<ListenAddress>().unwrap_err();
            let told = error.to_string();
            assert!(
                told.contains(&format!("{text:?}")) && told.contains("127.0.0.1:7070"),
                "{told}"
            );
        }
    }
}
