//! What can be said to `tollgate explain`.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};
use tollgate::Timestamp;
use tollgate_policy::AttributeName;

use crate::seconds::parse_instant;

/// Tells what policies say to a request, and what its response would carry.
///
/// The request is either a list of attributes, or what a client sends: a request line and header
/// lines, on standard input or in a file.
///
/// It is decided on a store in memory that has counted nothing, whatever store the file names; or
/// after so many requests like it, with `--after`. Nothing is connected to.
#[derive(Debug, Args)]
#[command(name = "explain")]
pub(crate) struct Explain {
    /// The policy file; `-` is standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// An attribute of the request, such as `client.ip=198.51.100.7`, `path=/auth/login` or
    /// `user=7`. Beside a raw request, what a service adds to it.
    #[arg(long = "attr", value_name = "NAME=VALUE")]
    pub(crate) attributes: Vec<Attribute>,
    /// A file with a raw request; `-` is standard input. Without it and without attributes, what is
    /// piped in.
    #[arg(long, value_name = "FILE")]
    pub(crate) request: Option<PathBuf>,
    /// Who connects and sends the raw request: an address, with a port or without; or `unix`, a
    /// peer on a Unix socket. The trusted proxies of the file decide whether it is the client.
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) peer: Option<PeerAddress>,
    /// How many requests like it come before it, at the same instant.
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub(crate) after: u32,
    /// How the service answers those: policies that count failures give back the others.
    #[arg(long, value_name = "CODE", default_value_t = 200, value_parser = clap::value_parser!(u16).range(100..=599))]
    pub(crate) status: u16,
    /// When the request comes, in seconds since the Unix epoch. Without it, now.
    #[arg(long, value_name = "SECONDS", value_parser = instant)]
    pub(crate) at: Option<Timestamp>,
    /// How to print what is found.
    #[arg(long, value_enum, default_value_t = ExplainFormat::Text)]
    pub(crate) format: ExplainFormat,
}

/// Who reads what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// People: words.
    Text,
    /// Programs: a JSON object.
    Json,
}

fn instant(text: &str) -> Result<Timestamp, String> {
    parse_instant(text).map_err(|error| error.to_string())
}

/// An attribute and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Attribute {
    pub(crate) name: AttributeName,
    pub(crate) value: String,
}

impl FromStr for Attribute {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("write a name, `=` and a value, such as `path=/auth/login`")?;
        let name: AttributeName = name.parse().map_err(|error| format!("{error}"))?;
        if name == AttributeName::ClientIp && value.parse::<IpAddr>().is_err() {
            return Err(format!(
                "`{}` is no address; write one such as `client.ip=198.51.100.7`",
                value.escape_debug()
            ));
        }
        Ok(Self {
            name,
            value: value.to_owned(),
        })
    }
}

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PeerAddress(pub(crate) Option<SocketAddr>);

impl FromStr for PeerAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "unix" {
            return Ok(Self(None));
        }
        // Nothing depends on the port.
        let address = text.parse::<IpAddr>().map(|ip| SocketAddr::new(ip, 0));
        let address = address.or_else(|_| text.parse());
        address.map(|address| Self(Some(address))).map_err(|_| {
            "write an address such as `198.51.100.7`, `[2001:db8::1]:4711`, or `unix`".to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_a_name_and_whatever_follows_the_first_equals_sign() {
        let attribute: Attribute = "header.X-Plan=a=b".parse().unwrap();
        assert_eq!(attribute.name.to_string(), "header.x-plan");
        assert_eq!(attribute.value, "a=b");
        for wrong in ["path", "Client.IP=::1", "client.ip=me", "=x"] {
            assert!(wrong.parse::<Attribute>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_peer_is_an_address_with_a_port_or_without_or_a_socket() {
        let peer = |text: &str| text.parse::<PeerAddress>().map(|peer| peer.0);
        let address = |text: &str| Ok(Some(text.parse().unwrap()));
        assert_eq!(peer("198.51.100.7"), address("198.51.100.7:0"));
        assert_eq!(peer("198.51.100.7:80"), address("198.51.100.7:80"));
        assert_eq!(peer("2001:db8::1"), address("[2001:db8::1]:0"));
        assert_eq!(peer("[2001:db8::1]:80"), address("[2001:db8::1]:80"));
        assert_eq!(peer("unix"), Ok(None));
        assert!(peer("localhost").is_err());
    }
}
